#include "connected_graph/torchscript/file/class_constants.h"

#include <algorithm>
#include <charconv>

namespace model_validator::torchscript {
namespace {

constexpr std::string_view declares = " : Final[";

/// Takes everything up to and including `end` off the front and returns what came before it; none
/// if it is absent.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view end) {
  const std::size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, at);
  text.remove_prefix(at + end.size());
  return part;
}

template <typename Number> std::optional<Number> number_of(std::string_view literal) {
  Number number{};
  const char* end = literal.data() + literal.size();
  const auto [rest, failure] = std::from_chars(literal.data(), end, number);
  if (failure != std::errc() || rest != end) return std::nullopt;
  return number;
}

std::optional<double> real_of(std::string_view literal) {
  const bool is_real = literal.find_first_of(".e") != std::string_view::npos;
  return is_real ? number_of<double>(literal) : std::nullopt;
}

/// The text between quotes, if nothing in it is escaped.
std::optional<std::string> text_of(std::string_view literal) {
  const bool quoted = literal.size() > 1 && literal.front() == '"' && literal.back() == '"';
  if (!quoted) return std::nullopt;
  const std::string_view text = literal.substr(1, literal.size() - 2);
  if (text.find_first_of("\\\"") != std::string_view::npos) return std::nullopt;
  return std::string(text);
}

/// Converted by hand, because the `IValue` of an empty optional is `None`.
template <typename T> std::optional<c10::IValue> constant(const std::optional<T>& value) {
  return value ? std::optional(c10::IValue(*value)) : std::nullopt;
}

std::optional<c10::IValue> tuple_of_integers(std::string_view literal) {
  if (!literal.starts_with('(') || !literal.ends_with(')')) return std::nullopt;
  literal = literal.substr(1, literal.size() - 2);
  std::vector<c10::IValue> items;
  while (!literal.empty()) {
    auto item = take_until(literal, ", ");
    if (!item) item = std::exchange(literal, {});
    const auto number = number_of<std::int64_t>(*item);
    if (!number) return std::nullopt;
    items.emplace_back(*number);
  }
  // A single element is written with a comma, which is left to LibTorch.
  if (items.size() < 2) return std::nullopt;
  return c10::ivalue::Tuple::create(std::move(items));
}

/// Whether it is how the exporter writes the type of a tuple of `count` integers.
bool is_tuple_of_integers(std::string_view type, std::size_t count) {
  std::string expected = "Tuple[int";
  for (std::size_t i = 1; i < count; ++i) expected += ", int";
  return type == expected + "]";
}

using Constants = std::vector<std::pair<std::string, c10::IValue>>;

/// A line `name : Final[type] = literal` of a class.
bool read_constant(std::string_view line, Constants& constants) {
  const auto name = take_until(line, declares);
  const auto type = take_until(line, "] = ");
  if (!name || !type) return false;
  auto value = plain_constant(*type, line);
  if (value) constants.emplace_back(*name, std::move(*value));
  return value.has_value();
}

/// Calls `line(start, text)` for each line between two places.
template <typename Line>
bool each_line(std::string_view code, std::size_t from, std::size_t to, Line&& line) {
  while (from < to) {
    const std::size_t end = std::min(code.find('\n', from), to);
    if (!line(from, code.substr(from, end - from))) return false;
    from = end + 1;
  }
  return true;
}

/// Where the attributes of a class end: at its first method, or at its end.
std::size_t end_of_attributes(std::string_view code, std::size_t from) {
  std::size_t end = code.size();
  each_line(code, from, code.size(), [&](std::size_t start, std::string_view line) {
    if (line.starts_with("  ") && !line.starts_with("  def ") && !line.starts_with("  @"))
      return true;
    end = start;
    return false;
  });
  return end;
}

} // namespace

std::optional<c10::IValue> plain_constant(std::string_view type, std::string_view literal) {
  if (type == "NoneType" && literal == "None") return c10::IValue();
  if (type == "bool" && (literal == "True" || literal == "False")) return literal == "True";
  if (type == "int") return constant(number_of<std::int64_t>(literal));
  if (type == "float") return constant(real_of(literal));
  if (type == "str") return constant(text_of(literal));
  auto tuple = tuple_of_integers(literal);
  if (tuple && !is_tuple_of_integers(type, tuple->toTupleRef().elements().size())) tuple.reset();
  return tuple;
}

void ClassConstants::take_from(std::string& code, const std::string& qualifier) {
  constexpr std::string_view keyword = "class ";
  constexpr std::string_view of_module = "(Module):\n";
  for (std::size_t at = 0; (at = code.find(keyword, at)) != std::string::npos;
       at += keyword.size()) {
    if (at > 0 && code[at - 1] != '\n') continue;
    std::string_view rest = std::string_view(code).substr(at + keyword.size());
    const auto name = take_until(rest, of_module);
    // The exporter's first line keeps the class from being empty.
    if (!name || name->find('\n') != std::string_view::npos ||
        !rest.starts_with("  __parameters__ = ["))
      continue;
    const std::size_t from = code.size() - rest.size();
    const std::size_t to = end_of_attributes(code, from);
    Class found{qualifier + "." + std::string(*name), {}};
    std::vector<std::pair<std::size_t, std::size_t>> lines;
    const bool plain = each_line(code, from, to, [&](std::size_t start, std::string_view line) {
      if (line.find(declares) == std::string_view::npos) return true;
      lines.emplace_back(start, line.size());
      return read_constant(line.substr(2), found.constants);
    });
    if (!plain || lines.empty()) continue;
    for (const auto& [start, size] : lines)
      std::fill_n(code.begin() + static_cast<std::ptrdiff_t>(start), size, ' ');
    classes_.push_back(std::move(found));
  }
}

void ClassConstants::give_to(const torch::jit::CompilationUnit& unit) const {
  for (const Class& of : classes_)
    if (const c10::ClassTypePtr type = unit.get_class(of.name))
      for (const auto& [name, value] : of.constants) type->addConstant(name, value);
}

} // namespace model_validator::torchscript
