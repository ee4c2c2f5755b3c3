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

AskedNodes::AskedNodes(const Program& program) : program_(program) {
  for (const ProgramNode& node : program.nodes) {
    if (node.region != none) in_region_[node.region].push_back(&node);
    for (const RegionId region : node.owned_regions) around_[region] = &node;
  }
}

std::optional<std::string> AskedNodes::question(const ProgramNode& node) const {
  if (!shows_all(node)) return std::nullopt;
  std::vector<std::string> operands;
  for (std::size_t i = 0; i < node.input_count(); ++i)
    operands.push_back(in_words(program_.input(node, i)));
  std::string words = node.schema + " " + std::to_string(node.opset) + " " +
                      settings_in_words(node) + "(" + joined(operands, "; ") + ") ";
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    words += program_.output(node, i) == nullptr ? '-' : '+';
  std::vector<const ProgramNode*> inside;
  for (const RegionId region : node.owned_regions)
    if (const auto found = in_region_.find(region); found != in_region_.end())
      inside.insert(inside.end(), found->second.begin(), found->second.end());
  std::ranges::sort(inside); // in execution order
  for (const ProgramNode* inner : inside) {
    const auto asked = question(*inner);
    if (!asked) return std::nullopt;
    words += " {" + *asked + "}";
  }
  return words;
}

const std::optional<std::string>& AskedNodes::question_around(const ProgramNode& node) {
  const ProgramNode* outermost = &node;
  for (auto around = around_.find(node.region); around != around_.end();
       around = around_.find(outermost->region))
    outermost = around->second;
  const auto known = of_outermost_.find(outermost);
  if (known != of_outermost_.end()) return known->second;
  return of_outermost_.emplace(outermost, question(*outermost)).first->second;
}

std::optional<std::string> AskedNodes::whole() const {
  Digest digest;
  for (const ValueId input : program_.inputs) digest.add(in_words(program_.find(input)) + "\n");
  for (const ProgramNode& node : program_.nodes) {
    const auto words = question(node);
    if (!words) return std::nullopt;
    digest.add(*words);
    for (const auto* values : {&node.inputs, &node.outputs})
      for (const ValueId value : *values) digest.add(" " + std::to_string(value));
    digest.add("\n");
  }
  for (const auto& [name, value] : program_.outputs) digest.add(std::to_string(value) + "\n");
  return digest.text();
}

bool has_open_sizes(const ProgramValue& value) {
  const auto& shape = value.type.shape;
  return !shape || std::ranges::any_of(*shape, [](std::int64_t size) { return size < 0; });
}

} // namespace model_validator::rules
