#include "connected_graph/op_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace model_validator {
namespace {

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }
bool lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// Mixed-case abbreviations that count as one word.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> abbreviations{
    {{"PReLU", "Prelu"}, {"ReLU", "Relu"}, {"SiLU", "Silu"}, {"LogSigmoid", "Logsigmoid"}}};

std::string without_abbreviations(std::string_view name) {
  std::string text(name);
  for (const auto& [from, to] : abbreviations)
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  return text;
}

/// A word begins at a capital after a lower-case letter or digit, and at the last of several
/// capitals.
bool begins_word(const std::string& text, std::size_t i) {
  if (i == 0 || !upper(text[i]) || text[i - 1] == '_') return false;
  if (!upper(text[i - 1])) return true;
  return i + 1 < text.size() && lower(text[i + 1]);
}

std::string snake_case(std::string_view name) {
  const std::string text = without_abbreviations(name);
  std::string snake;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (begins_word(text, i)) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return snake;
}

std::string_view after_last(std::string_view text, std::string_view separator) {
  const auto at = text.rfind(separator);
  return at == std::string_view::npos ? text : text.substr(at + separator.size());
}

bool dunder(std::string_view name) { return name.size() > 4 && name.ends_with("__"); }

} // namespace

std::string type_of_schema(std::string_view schema) {
  const bool onnx = schema.starts_with("onnx::");
  std::string_view name = bare_operator(schema);
  if (name.size() > 1 && name.ends_with('_') && !dunder(name)) name.remove_suffix(1);
  return onnx ? snake_case(name) : std::string(name);
}

std::string_view bare_operator(std::string_view schema) {
  const std::string_view name = after_last(schema, "::");
  return name.substr(0, name.find('.'));
}

std::string type_of_class(std::string_view class_name) {
  return snake_case(after_last(class_name, "."));
}

std::string_view start_of_name(std::string_view type) {
  constexpr std::size_t longest = 100;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  std::size_t end = std::min(type.size(), longest);
  while (end > 0 && end < type.size() && continues(type[end])) --end; // no half of a character
  return type.substr(0, end);
}

bool is_torch_nn(std::string_view class_name) {
  return class_name.starts_with("torch.nn.") || class_name.starts_with("torch.ao.nn.");
}

bool holds_packed_weights(std::string_view class_name) {
  const std::string_view name = after_last(class_name, ".");
  return is_torch_nn(class_name) &&
         (name.ends_with("PackedParams") || name.ends_with("PackedParameter"));
}

} // namespace model_validator
