#include "connected_graph/exported_program/program_sizes.h"

#include "files/whole_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace model_validator::exported_program {
namespace {

using shapes::FreeAxis;
using shapes::Size;
using shapes::Sizes;

constexpr int deepest_call = 64; ///< calls in calls

Size remainder(Sizes& sizes, Size a, Size b) {
  return sizes.difference(a, sizes.product(b, sizes.quotient(a, b)));
}

/// What a function makes of two sizes; of more, it is applied again.
using Function = Size (*)(Sizes&, Size, Size);
Function function_called(std::string_view name) {
  static constexpr auto functions = std::to_array<std::pair<std::string_view, Function>>({
      {"Add", [](Sizes& sizes, Size a, Size b) { return sizes.sum(a, b); }},
      {"Mul", [](Sizes& sizes, Size a, Size b) { return sizes.product(a, b); }},
      {"FloorDiv", [](Sizes& sizes, Size a, Size b) { return sizes.quotient(a, b); }},
      {"CleanDiv", [](Sizes& sizes, Size a, Size b) { return sizes.quotient(a, b); }},
      {"CeilDiv", [](Sizes& sizes, Size a, Size b) { return sizes.quotient_rounded_up(a, b); }},
      {"Max", [](Sizes& sizes, Size a, Size b) { return sizes.maximum(a, b); }},
      {"Min", [](Sizes& sizes, Size a, Size b) { return sizes.minimum(a, b); }},
      {"Mod", remainder},
      {"PythonMod", remainder},
  });
  for (const auto& [known, function] : functions)
    if (known == name) return function;
  return nullptr;
}

/// Reads an expression; unknown is what it does not understand.
class Reader {
public:
  Reader(std::string_view text, Sizes& sizes, const FreeAxis& axis)
      : rest_(text), sizes_(sizes), axis_(axis) {}

  Size whole() {
    const Size size = expression(0);
    return rest_.empty() ? size : Size{};
  }

private:
  bool take(std::string_view expected) {
    if (!rest_.starts_with(expected)) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }
  std::string_view up_to(char end) {
    const auto part = rest_.substr(0, std::min(rest_.find(end), rest_.size()));
    rest_.remove_prefix(part.size());
    return part;
  }

  Size expression(int depth) {
    const std::string_view name = up_to('(');
    if (depth > deepest_call || !take("(")) return give_up();
    if (name == "Integer") return integer();
    if (name == "Symbol") return symbol();
    const Function function = function_called(name);
    if (function == nullptr) return give_up();
    Size result = expression(depth + 1);
    while (take(", ")) result = function(sizes_, result, expression(depth + 1));
    return take(")") ? result : give_up();
  }

  Size integer() {
    const std::string_view digits = up_to(')');
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), number);
    if (error != std::errc() || end != digits.end() || !take(")")) return give_up();
    return Size::of(number);
  }

  /// `'s77', positive=True, integer=True)`, behind the parenthesis.
  Size symbol() {
    if (!take("'")) return give_up();
    const std::string_view name = up_to('\'');
    up_to(')');
    if (name.empty() || !take(")")) return give_up();
    return sizes_.symbol({axis_.input, axis_.axis, std::string(name)});
  }

  Size give_up() {
    rest_ = "?"; // so that the whole is unknown
    return {};
  }

  std::string_view rest_;
  Sizes& sizes_;
  const FreeAxis& axis_;
};

} // namespace

Size read_size(std::string_view expression, Sizes& sizes, const FreeAxis& axis) {
  return Reader(expression, sizes, axis).whole();
}

std::string symbol_in(const std::string& expression) {
  const std::string before = "Symbol('";
  const auto end = expression.find('\'', before.size());
  return expression.starts_with(before) && end != std::string::npos
             ? expression.substr(before.size(), end - before.size())
             : std::string{};
}

void ProgramSizes::note(ValueId value, const std::string& name, const nlohmann::json& meta) {
  shapes::Shape shape;
  for (const nlohmann::json& size : meta.at("sizes")) {
    const auto expression = size.find("as_expr");
    shape.push_back(expression == size.end()
                        ? Size::of(whole_number<std::int64_t>(size.at("as_int")))
                        : size_of(expression->at("expr_str").get_ref<const std::string&>(),
                                  {name, shape.size(), ""}));
  }
  of_values_.note(value, shapes::shared(std::move(shape)));
}

Size ProgramSizes::size_of(const std::string& expression, const FreeAxis& axis) {
  const auto known = known_.find(expression);
  if (known != known_.end()) return known->second;
  const Size size = read_size(expression, found_.sizes, axis);
  known_.emplace(expression, size);
  return size;
}

std::shared_ptr<const SymbolicShapes> ProgramSizes::finish(const GraphAssembler& assembler,
                                                           const ConnectedGraph& graph) {
  found_.of_ops = of_values_.by_op(assembler, graph);
  return std::make_shared<const SymbolicShapes>(std::move(found_));
}

} // namespace model_validator::exported_program
