#include "connected_graph/shapes/relation.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>

namespace model_validator::shapes {
namespace {

bool is_of_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool is_number(std::string_view token) { return token.front() >= '0' && token.front() <= '9'; }

std::int64_t number_in(std::string_view token) {
  std::int64_t number = 0;
  std::from_chars(token.data(), token.data() + token.size(), number);
  return number;
}

/// Names and numbers, `==` and its like, and other signs one by one.
std::size_t length_of_token(std::string_view text) {
  if (is_of_name(text.front()))
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_of_name) - text.begin());
  return text.front() != ' ' && text.substr(1).starts_with('=') ? 2 : 1;
}

enum class Truth : std::uint8_t { holds, unknown, broken };

Truth truth_of(bool holds) { return holds ? Truth::holds : Truth::broken; }

Truth opposite(Truth truth) {
  if (truth == Truth::unknown) return truth;
  return truth_of(truth == Truth::broken);
}

/// One comparison, as far as its numbers are known.
struct Comparison {
  std::string left, sign, right;
  Size a, b;

  Truth truth(Sizes& sizes) const {
    if (!a.known() || !b.known()) return Truth::unknown;
    if (sign == "==") return equal(sizes);
    if (sign == "!=") return opposite(equal(sizes));
    if (sign == "<=") return at_most(sizes, a, b);
    if (sign == ">=") return at_most(sizes, b, a);
    return opposite(sign == "<" ? at_most(sizes, b, a) : at_most(sizes, a, b));
  }

  std::string sentence(const Sizes& sizes) const {
    static const std::map<std::string_view, std::string_view> words{
        {"==", ""},          {"!=", "other than "}, {"<=", "at most "},
        {">=", "at least "}, {"<", "less than "},   {">", "more than "}};
    const std::string own = "`" + left + "` is " + sizes.text(a) + ", and must be ";
    const std::string of_b = own + std::string(words.at(sign));
    return is_number(right) ? of_b + right : of_b + "`" + right + "`, which is " + sizes.text(b);
  }

private:
  Truth equal(Sizes& sizes) const {
    using Kind = Sizes::Solution::Kind;
    const Kind kind = sizes.solve(a, b).kind;
    if (kind == Kind::never) return Truth::broken;
    return a == b || kind == Kind::always ? Truth::holds : Truth::unknown;
  }
  static Truth at_most(Sizes& sizes, Size a, Size b) {
    if (a.is_number() && b.is_number()) return truth_of(*a.number() <= *b.number());
    if (sizes.not_negative(sizes.difference(b, a))) return Truth::holds;
    const Size over = sizes.difference(sizes.difference(a, b), Size::of(1));
    return over.known() && sizes.not_negative(over) ? Truth::broken : Truth::unknown;
  }
};

/// Works out the comparisons of a relation, one after the other.
class Reading {
public:
  Reading(Inference& at, const std::vector<std::string_view>& tokens,
          const std::vector<std::string_view>& names)
      : at_(at), tokens_(tokens), names_(names) {}

  std::optional<Relation::Breach> comparison() {
    read_.clear();
    if (next_ + 1 < tokens_.size() && tokens_[next_ + 1] == "in") return of_words();
    Comparison found;
    const std::size_t start = next_;
    found.a = sum();
    found.left = text(start, next_);
    found.sign = tokens_[next_++];
    const std::size_t middle = next_;
    found.b = sum();
    found.right = text(middle, next_);
    if (found.truth(at_.sizes) != Truth::broken) return std::nullopt;
    return Relation::Breach{found.left, found.sentence(at_.sizes), read_};
  }

  bool take(std::string_view token) {
    const bool there = next_ < tokens_.size() && tokens_[next_] == token;
    next_ += there ? 1 : 0;
    return there;
  }

private:
  std::optional<Relation::Breach> of_words() {
    const std::string_view name = tokens_[next_];
    next_ += 2;
    std::vector<std::string_view> allowed;
    std::string list;
    while (next_ < tokens_.size() && tokens_[next_] != "or") {
      allowed.push_back(tokens_[next_++]);
      list += (list.empty() ? "" : ", ") + std::string(allowed.back());
    }
    for (const std::string& word : at_.node.attributes->words(name))
      if (!contains(allowed, word))
        return Relation::Breach{std::string(name),
                                "attribute `" + std::string(name) + "` is " + word +
                                    ", and must be one of " + list,
                                {}};
    return std::nullopt;
  }

  Size sum() {
    Size total = product();
    while (true) {
      if (take("+"))
        total = at_.sizes.sum(total, product());
      else if (take("-"))
        total = at_.sizes.difference(total, product());
      else
        return total;
    }
  }

  Size product() {
    Size total = single();
    while (true) {
      if (take("*"))
        total = at_.sizes.product(total, single());
      else if (take("/"))
        total = at_.sizes.quotient(total, single());
      else if (take("%"))
        total = at_.sizes.remainder(total, single());
      else
        return total;
    }
  }

  Size single() {
    if (take("(")) {
      const Size inside = sum();
      take(")");
      return inside;
    }
    const std::string_view token = tokens_[next_++];
    if (is_number(token)) return Size::of(number_in(token));
    if (take("(")) return function(token);
    if (take("[")) return axis(token);
    return one_number(token);
  }

  Size one_number(std::string_view name) {
    const bool has_default = take("?");
    const Size otherwise = has_default ? Size::of(number_in(tokens_[next_++])) : Size{};
    if (const auto input = input_named(name)) return at_.element(note(*input));
    const auto number = at_.node.attributes->integer(name);
    return number ? Size::of(*number) : otherwise;
  }

  Size axis(std::string_view name) {
    const bool from_end = take("-");
    const std::int64_t number = number_in(tokens_[next_++]);
    take("]");
    const Shape* shape = shape_of(name);
    const auto found =
        shape == nullptr ? std::nullopt : axis_in(from_end ? -number : number, shape->size());
    return found ? shape->at(*found) : Size{};
  }

  Size function(std::string_view name) {
    const std::string_view of = tokens_[next_++];
    take(")");
    if (name == "given") return Size::of(is_given(of) ? 1 : 0);
    if (name == "count") return Size::of(at_.node.attributes->count(of).value_or(0));
    if (name == "rank" || name == "size") return of_shape(name, shape_of(of));
    return of_numbers(name, numbers_of(of));
  }

  Size of_shape(std::string_view function, const Shape* shape) {
    if (shape == nullptr) return {};
    return function == "size" ? at_.sizes.product(*shape)
                              : Size::of(static_cast<std::int64_t>(shape->size()));
  }

  Size of_numbers(std::string_view function,
                  const std::optional<std::vector<std::int64_t>>& numbers) {
    if (!numbers || numbers->empty()) return {};
    if (function == "least") return Size::of(std::ranges::min(*numbers));
    if (function == "greatest") return Size::of(std::ranges::max(*numbers));
    Size total = Size::of(0);
    for (const std::int64_t number : *numbers) total = at_.sizes.sum(total, Size::of(number));
    return total;
  }

  std::optional<std::vector<std::int64_t>> numbers_of(std::string_view name) {
    const auto input = input_named(name);
    return input ? at_.numbers(note(*input)) : at_.integers(name);
  }

  const Shape* shape_of(std::string_view name) {
    if (name == "result") return at_.outputs.empty() ? nullptr : at_.outputs.front().shape.get();
    const auto input = input_named(name);
    return input ? at_.shape(note(*input)) : nullptr;
  }

  bool is_given(std::string_view name) const {
    const auto input = input_named(name);
    return input ? at_.given(*input) : at_.node.attributes->count(name).has_value();
  }

  std::optional<std::size_t> input_named(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    if (found == names_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - names_.begin());
  }

  std::size_t note(std::size_t input) {
    if (!contains(read_, input)) read_.push_back(input);
    return input;
  }

  /// As it is written, without defaults.
  std::string text(std::size_t begin, std::size_t end) const {
    std::string joined;
    for (std::size_t i = begin; i < end; ++i) {
      const bool spaced = contains({"+", "-", "*", "/", "%"}, tokens_[i]) && tokens_[i - 1] != "[";
      if (tokens_[i] == "?")
        ++i;
      else
        joined += spaced ? " " + std::string(tokens_[i]) + " " : std::string(tokens_[i]);
    }
    return joined;
  }

  Inference& at_;
  const std::vector<std::string_view>& tokens_;
  const std::vector<std::string_view>& names_;
  std::size_t next_ = 0;
  std::vector<std::size_t> read_;
};

} // namespace

Relation::Relation(std::string_view line, std::vector<std::string_view> inputs)
    : inputs_(std::move(inputs)) {
  for (std::string_view rest = line; !rest.empty();) {
    const std::size_t length = length_of_token(rest);
    if (rest.front() != ' ') tokens_.push_back(rest.substr(0, length));
    rest.remove_prefix(length);
  }
}

std::optional<Relation::Breach> Relation::breach(Inference& at) const {
  Reading reading(at, tokens_, inputs_);
  while (true) {
    auto breach = reading.comparison();
    if (!breach || !reading.take("or")) return breach;
  }
}

} // namespace model_validator::shapes
