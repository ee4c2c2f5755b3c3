#include "verify/inputs/size_expression.h"

#include <cctype>
#include <functional>
#include <limits>

namespace model_validator::verify {
namespace {

using Size = std::optional<std::int64_t>;
using LookUp = std::function<Size(const std::string& name)>;

bool is_of_a_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

Size combined(Size a, Size b, const std::string& sign) {
  constexpr std::int64_t largest = std::int64_t{1} << 40;
  if (!a || !b || *a > largest || *b > largest || *a < -largest || *b < -largest)
    return std::nullopt;
  if (sign == "+") return *a + *b;
  if (sign == "-") return *a - *b;
  if (sign == "*")
    return *a > std::int64_t{1} << 22 && *b > std::int64_t{1} << 22 ? std::nullopt : Size(*a * *b);
  return *b > 0 && *a >= 0 ? Size(*a / *b) : std::nullopt;
}

/// Reads sums of products of numbers, names and sums in brackets.
class SizeReader {
public:
  SizeReader(std::string_view text, const LookUp& look_up) : text_(text), look_up_(look_up) {}

  /// Nothing for what is no expression. What is one but has no value gives an inner nothing.
  std::optional<Size> whole() {
    const Size value = sum();
    if (!fine_ || peek() != '\0') return std::nullopt;
    return std::optional<Size>(std::in_place, value);
  }

private:
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  Size sum() {
    Size value = product();
    while (fine_ && (peek() == '+' || peek() == '-')) {
      const std::string sign(1, text_[at_++]);
      value = combined(value, product(), sign);
    }
    return value;
  }

  Size product() {
    Size value = factor();
    while (fine_ && (peek() == '*' || peek() == '/')) {
      const std::string sign(1, text_[at_++]);
      if (sign == "/" && peek() == '/') ++at_;
      value = combined(value, factor(), sign);
    }
    return value;
  }

  Size factor() {
    constexpr int deepest = 50;
    if (peek() == '(' && ++depth_ < deepest) {
      ++at_;
      const Size value = sum();
      fine_ = fine_ && peek() == ')';
      ++at_;
      --depth_;
      return value;
    }
    const std::size_t first = at_;
    while (at_ < text_.size() && is_of_a_name(text_[at_])) ++at_;
    const std::string word(text_.substr(first, at_ - first));
    fine_ = fine_ && !word.empty();
    return fine_ ? value_of(word) : std::nullopt;
  }

  Size value_of(const std::string& word) const {
    if (std::isdigit(static_cast<unsigned char>(word.front())) == 0) return look_up_(word);
    constexpr std::size_t longest = 12;
    const bool number = word.find_first_not_of("0123456789") == std::string::npos;
    return number && word.size() <= longest ? Size(std::stoll(word)) : std::nullopt;
  }

  std::string_view text_;
  const LookUp& look_up_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool fine_ = true;
};

} // namespace

std::optional<std::int64_t> evaluate_size(std::string_view text, const KnownSizes& known) {
  const LookUp look_up = [&](const std::string& name) {
    const auto found = known.find(name);
    return found == known.end() ? Size() : Size(found->second);
  };
  if (const Size whole = look_up(std::string(text))) return whole;
  return SizeReader(text, look_up).whole().value_or(std::nullopt);
}

std::vector<std::string> names_in_size(std::string_view text) {
  std::vector<std::string> names;
  const LookUp note = [&](const std::string& name) {
    names.push_back(name);
    return Size(1);
  };
  if (!SizeReader(text, note).whole()) return {std::string(text)};
  return names;
}

} // namespace model_validator::verify
