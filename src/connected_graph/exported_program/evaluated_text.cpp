#include "connected_graph/exported_program/evaluated_text.h"

#include "files/parsed_json.h"

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
    may_be_called_ = false;
    const bool is_number = std::isdigit(static_cast<unsigned char>(word[0])) != 0;
    if (word.find("__") != word.npos || next() == '\'' || next() == '"' || word == "lambda")
      return false;
    if (is_number) return true;
    const bool is_class = std::isupper(static_cast<unsigned char>(word[0])) != 0;
    may_be_called_ =
        is_member ? contains(called_methods, word) : is_class || contains(called_functions, word);
    return !is_member || may_be_called_;
  }

  /// A name in quotes, with nothing that a second evaluation could call.
  bool take_text() {
    const char quote = take(1)[0];
    const auto end = rest_.find(quote);
    if (end == rest_.npos) return false;
    const std::string_view text = take(end);
    take(1);
    before_ = 'w';
    may_be_called_ = false;
    return text.find_first_of("(\\{") == text.npos;
  }

  bool take_sign() {
    const char sign = take(1)[0];
    if (sign == ' ' || sign == '\n') return true;
    const bool is_call = sign == '(' && (before_ == 'w' || before_ == ')' || before_ == ']');
    if (is_call && !(before_ == 'w' && may_be_called_)) return false;
    before_ = sign;
    return std::string_view("()[],.+-*/%<>=!&|~^").find(sign) != std::string_view::npos;
  }

  std::string_view rest_;
  char before_ = ' ';          ///< the last sign; `w` for a word
  bool may_be_called_ = false; ///< the last word
};

/// A text, without half a character at its end.
std::string beginning_of(const std::string& text) {
  std::size_t end = std::min<std::size_t>(text.size(), 80);
  while (end < text.size() && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end;
  return text.substr(0, end);
}

void note_text(const Json& text, Unpickled& to) {
  if (!text.is_string() || !to.failure.empty()) return;
  const std::string& written = text.get_ref<const std::string&>();
  if (!is_arithmetic(written))
    to.failure = "it evaluates `" + beginning_of(written) + "`, which is more than arithmetic";
}

std::string text_of(const Json& json, const char* member) {
  const auto found = json.find(member);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// A class in the nesting of arguments, which is imported.
void note_class(const Json& json, Unpickled& to) {
  if (json.contains("__enum__")) to.names.push_back(text_of(json, "fqn"));
  if (json.contains("default_factory_module"))
    to.names.push_back(text_of(json, "default_factory_module") + "." +
                       text_of(json, "default_factory_name"));
}

void note_entry(const std::string& key, const Json& value, Unpickled& to) {
  if (key == "expr_str") note_text(value, to);
  if (key == "guards_code" && value.is_array())
    for (const Json& guard : value) note_text(guard, to);
  // The nesting of arguments is JSON in texts, with contexts that are JSON in texts again.
  const bool is_nesting = key == "in_spec" || key == "out_spec" || key == "context";
  if (is_nesting && value.is_string()) note_evaluated_text(value.get_ref<const std::string&>(), to);
}

} // namespace

bool is_arithmetic(std::string_view text) { return ArithmeticReader(text).is_arithmetic(); }

void note_evaluated(const Json& json, Unpickled& to) {
  if (json.is_array())
    for (const Json& item : json) note_evaluated(item, to);
  if (!json.is_object()) return;
  note_class(json, to);
  for (const auto& [key, value] : json.items()) {
    note_entry(key, value, to);
    note_evaluated(value, to);
  }
}

void note_evaluated_text(std::string_view json, Unpickled& to) {
  constexpr int max_depth = 1000;
  note_evaluated(parse_json(std::string(json), max_depth), to);
}

} // namespace model_validator::exported_program
