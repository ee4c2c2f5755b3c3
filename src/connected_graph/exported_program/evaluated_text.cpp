#include "connected_graph/exported_program/evaluated_text.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <string>

namespace model_validator::exported_program {
namespace {

using Json = nlohmann::json;

constexpr auto& called_functions =
    word_array<"abs and bool ceil float floor int max min not or pow round sqrt">;
constexpr auto& called_methods = word_array<"dim numel size storage_offset stride">;

bool is_of_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// Reads a text word by word.
class ArithmeticReader {
public:
  explicit ArithmeticReader(std::string_view text) : rest_(text) {}

  bool is_arithmetic() {
    while (!rest_.empty())
      if (!(is_of_word(rest_[0])                  ? take_word()
            : rest_[0] == '\'' || rest_[0] == '"' ? take_text()
                                                  : take_sign()))
        return false;
    return true;
  }

private:
  char next() const { return rest_.empty() ? ' ' : rest_[0]; }

  std::string_view take(std::size_t count) {
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(taken.size());
    return taken;
  }

  /// A number, a name, or the name of what is called. SymPy's own functions begin in upper case,
  /// and none of them runs a text that calls nothing.
  bool take_word() {
    const bool is_member = before_ == '.';
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_of_word);
    const std::string_view word = take(static_cast<std::size_t>(end - rest_.begin()));
    before_ = 'w';
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (word.find("__") != word.npos || next() == '\'' || next() == '"' || word == "lambda")
      return false;
    if (is_number) return true;
    if (is_member) return contains(called_methods, word);
    const bool is_class = std::isupper(static_cast<unsigned char>(word[0])) != 0;
    return next() != '(' || is_class || contains(called_functions, word);
  }

  /// A name in quotes, with nothing that a second evaluation could call.
  bool take_text() {
    const char quote = take(1)[0];
    const auto end = rest_.find(quote);
    if (end == rest_.npos) return false;
    const std::string_view text = take(end);
    take(1);
    before_ = 'w';
    return text.find_first_of("(\\{") == text.npos;
  }

  bool take_sign() {
    const char sign = take(1)[0];
    // What is called has a name.
    const bool is_call = sign == '(' && (before_ == ')' || before_ == ']');
    if (sign != ' ') before_ = sign;
    return !is_call &&
           std::string_view("()[],.+-*/%<>=!&|~^ \n").find(sign) != std::string_view::npos;
  }

  std::string_view rest_;
  char before_ = ' '; ///< the last sign; `w` for a word
};

void note_text(const Json& text, Unpickled& to) {
  constexpr std::size_t longest_shown = 80;
  if (!text.is_string() || !to.failure.empty()) return;
  const std::string& written = text.get_ref<const std::string&>();
  if (!is_arithmetic(written))
    to.failure =
        "it evaluates `" + written.substr(0, longest_shown) + "`, which is more than arithmetic";
}

/// A class in the nesting of arguments, which is imported.
void note_class(const Json& json, Unpickled& to) {
  if (json.contains("__enum__")) to.names.push_back(json.value("fqn", ""));
  if (json.contains("default_factory_module"))
    to.names.push_back(json.value("default_factory_module", "") + "." +
                       json.value("default_factory_name", ""));
}

} // namespace

bool is_arithmetic(std::string_view text) { return ArithmeticReader(text).is_arithmetic(); }

void note_evaluated(const Json& json, Unpickled& to) {
  if (json.is_array())
    for (const Json& item : json) note_evaluated(item, to);
  if (!json.is_object()) return;
  note_class(json, to);
  for (const auto& [key, value] : json.items()) {
    if (key == "expr_str") note_text(value, to);
    if (key == "guards_code" && value.is_array())
      for (const Json& guard : value) note_text(guard, to);
    // The nesting of arguments is JSON in texts, with contexts that are JSON in texts again.
    const bool is_nesting = key == "in_spec" || key == "out_spec" || key == "context";
    if (is_nesting && value.is_string())
      note_evaluated(Json::parse(value.get_ref<const std::string&>(), nullptr, false), to);
    note_evaluated(value, to);
  }
}

} // namespace model_validator::exported_program
