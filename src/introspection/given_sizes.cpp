#include "introspection/given_sizes.h"

#include "connected_graph/shapes/symbolic_shapes.h"
#include "text/lists.h"

#include <model_validator/error.h>

#include <charconv>

namespace model_validator {
namespace {

using shapes::Shape;
using shapes::Size;
using shapes::Sizes;

std::int64_t number_of(std::string_view given, std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);
  if (error != std::errc() || end != text.end() || number < 1)
    throw Error(ErrorKind::bad_input_spec, "",
                "`--sizes " + std::string(given) + "` gives no single size",
                "write one number, for example `--sizes batch=1`");
  return number;
}

/// The free axis that a name stands for: what the file calls it, or its input and axis.
std::optional<std::size_t> symbol_called(const Sizes& sizes, std::string_view name) {
  for (std::size_t id = 0; id < sizes.symbol_count(); ++id) {
    const shapes::FreeAxis& axis = sizes.axis_of(id);
    if (name == axis.name || name == axis.input + "." + std::to_string(axis.axis) ||
        name == sizes.name_of(id))
      return id;
  }
  return std::nullopt;
}

std::string names_of(const Sizes& sizes) {
  std::vector<std::string> names;
  for (std::size_t id = 0; id < sizes.symbol_count(); ++id) names.push_back(sizes.name_of(id));
  return names.empty() ? "the model has no free sizes"
                       : "the free sizes of the model are " + joined(names, ", ");
}

Shape with_numbers(const Sizes& sizes, const Shape& shape,
                   const std::vector<std::optional<std::int64_t>>& numbers) {
  Shape result;
  for (const Size size : shape) {
    const auto number = sizes.value(size, numbers);
    result.push_back(number ? Size::of(*number) : size);
  }
  return result;
}

} // namespace

void give_sizes(ConnectedGraph& graph, const std::vector<std::string>& given) {
  SymbolicShapes changed = graph.shapes ? *graph.shapes : SymbolicShapes();
  std::vector<std::optional<std::int64_t>> numbers(changed.sizes.symbol_count());
  for (const std::string& each : given) {
    const std::size_t end = each.rfind('=');
    const std::string_view name = std::string_view(each).substr(0, end);
    const auto symbol = symbol_called(changed.sizes, name);
    if (!symbol)
      throw Error(ErrorKind::bad_input_spec, graph.origin.path,
                  "no free size is called `" + std::string(name) + "`", names_of(changed.sizes));
    const auto text =
        end == std::string::npos ? std::string_view() : std::string_view(each).substr(end + 1);
    numbers[*symbol] = number_of(each, text);
  }
  for (auto& outputs : changed.of_ops)
    for (auto& shape : outputs)
      if (shape) shape = shapes::shared(with_numbers(changed.sizes, *shape, numbers));
  graph.shapes = std::make_shared<const SymbolicShapes>(std::move(changed));
}

} // namespace model_validator
