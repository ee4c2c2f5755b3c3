#include "rules/judging/asked_node.h"

#include "introspection/digest.h"
#include "text/lists.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <variant>
#include <vector>

namespace model_validator::rules {
namespace {

std::string in_words(const TensorType& type) {
  if (!type.shape) return type.dtype + "[…]";
  std::vector<std::string> sizes;
  for (const std::int64_t size : *type.shape)
    sizes.push_back(size < 0 ? "?" : std::to_string(size));
  return type.dtype + "[" + joined(sizes, ", ") + "]";
}

std::string in_words(const ProgramValue* value) {
  if (value == nullptr) return "left out";
  return (value->constant() ? "constant " : "") + in_words(value->type);
}

/// Numbers with fractions are weights, whose values do not matter.
bool is_weight(const AttributeValue& value) {
  return std::holds_alternative<double>(value) ||
         std::holds_alternative<std::vector<double>>(value);
}

std::string settings_in_words(const ProgramNode& node) {
  std::vector<std::string> words;
  const auto add = [&words](const Attribute& attribute) {
    words.push_back(attribute.name + "=" + to_python(attribute.value));
  };
  std::ranges::for_each(node.attributes, add);
  for (const Attribute& argument : node.arguments)
    if (!is_weight(argument.value)) add(argument);
  std::ranges::sort(words);
  return words.empty() ? "" : "[" + joined(words, ", ") + "]";
}

/// A tensor is among the arguments where it is small, and nodes of bodies stand in the program.
bool shows_all(const ProgramNode& node) {
  return !node.owned_regions.empty() ||
         std::ranges::all_of(node.opaque, [&node](const std::string& name) {
           return row_with(node.arguments, &Attribute::name, name) != nullptr;
         });
}

} // namespace

std::optional<std::string> asked_as(const Program& program, const ProgramNode& node) {
  if (!shows_all(node)) return std::nullopt;
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < node.input_count(); ++i)
    operands.push_back(in_words(program.input(node, i)));
  std::string words = node.schema + " " + std::to_string(node.opset) + " " +
                      settings_in_words(node) + "(" + joined(operands, "; ") + ") ";
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    words += program.output(node, i) == nullptr ? '-' : '+';
  if (node.owned_regions.empty()) return words;
  for (const ProgramNode& inner : program.nodes) {
    if (inner.region == none || !contains(node.owned_regions, inner.region)) continue;
    const auto inside = asked_as(program, inner);
    if (!inside) return std::nullopt;
    words += " {" + *inside + "}";
  }
  return words;
}

std::optional<std::string> asked_as_a_whole(const Program& program) {
  Digest digest;
  for (const ValueId input : program.inputs) digest.add(in_words(program.find(input)) + "\n");
  for (const ProgramNode& node : program.nodes) {
    const auto words = asked_as(program, node);
    if (!words) return std::nullopt;
    digest.add(*words);
    for (const auto* values : {&node.inputs, &node.outputs})
      for (const ValueId value : *values) digest.add(" " + std::to_string(value));
    digest.add("\n");
  }
  for (const auto& [name, value] : program.outputs) digest.add(std::to_string(value) + "\n");
  return digest.text();
}

const ProgramNode& asked_with(const Program& program, const ProgramNode& node) {
  const ProgramNode* outermost = &node;
  while (outermost->region != none) {
    const auto around = std::ranges::find_if(program.nodes, [&](const ProgramNode& other) {
      return contains(other.owned_regions, outermost->region);
    });
    if (around == program.nodes.end()) break;
    outermost = &*around;
  }
  return *outermost;
}

bool has_free_sizes(const Program& program, const ProgramNode& node) {
  for (std::size_t i = 0; i < node.input_count(); ++i) {
    const ProgramValue* value = program.input(node, i);
    if (value == nullptr) continue;
    const auto& shape = value->type.shape;
    if (!shape || std::ranges::any_of(*shape, [](std::int64_t size) { return size < 0; }))
      return true;
  }
  return false;
}

} // namespace model_validator::rules
