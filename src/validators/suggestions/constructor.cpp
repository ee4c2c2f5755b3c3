#include "validators/suggestions/constructor.h"

#include "connected_graph/attributes.h"
#include "text/places.h"
#include "validators/suggestions/operators.h"
#include "validators/suggestions/torch_classes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace model_validator {
namespace {

using Value = std::optional<AttributeValue>;
using Known = std::map<std::string_view, AttributeValue>;
using Sizes = std::vector<std::int64_t>;

const Parameter* find_parameter(const ConstructorEvidence& evidence, std::string_view name) {
  const auto found =
      std::ranges::find_if(evidence.parameters, [&](const Parameter& p) { return p.name == name; });
  return found == evidence.parameters.end() ? nullptr : &*found;
}

Value attribute_of(const std::vector<Attribute>& attributes, std::string_view name) {
  const AttributeValue* value = find_attribute(attributes, name);
  return value ? Value(*value) : std::nullopt;
}

bool all_equal(const AttributeValue& value) {
  const auto* sizes = std::get_if<Sizes>(&value);
  return !sizes || std::ranges::adjacent_find(*sizes, std::not_equal_to<>()) == sizes->end();
}

Value read_operand(const Origin& origin, const ConstructorEvidence& evidence) {
  for (const Operator& op : evidence.operators) {
    const Value value = attribute_of(op.attributes, origin.name);
    if (value && origin.uniform_only && !all_equal(*value)) continue;
    if (value && !origin.absent.empty() && to_python(*value) == origin.absent)
      return AttributeValue();
    if (value) return value;
  }
  return std::nullopt;
}

/// The sizes of a parameter where all from `first` on are known.
std::optional<Sizes> read_sizes(const Origin& origin, const ConstructorEvidence& evidence) {
  const Parameter* parameter = find_parameter(evidence, origin.name);
  if (!parameter || !parameter->type.shape || parameter->type.shape->size() <= origin.dimension)
    return std::nullopt;
  Sizes sizes(parameter->type.shape->begin() + static_cast<std::ptrdiff_t>(origin.dimension),
              parameter->type.shape->end());
  if (std::ranges::any_of(sizes, [](auto size) { return size < 0; })) return std::nullopt;
  return sizes;
}

Value read_dimension(const Origin& origin, const ConstructorEvidence& evidence,
                     const Known& known) {
  const auto sizes = read_sizes(origin, evidence);
  if (!sizes) return std::nullopt;
  std::int64_t factor = 1;
  if (!origin.times.empty()) {
    const auto found = known.find(origin.times);
    const auto* value = found == known.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
    if (!value) return std::nullopt;
    factor = *value;
  }
  return sizes->front() * factor / static_cast<std::int64_t>(origin.divided_by);
}

Value read_in_place(const ConstructorEvidence& evidence) {
  if (evidence.operators.empty()) return std::nullopt;
  return std::ranges::any_of(evidence.operators,
                             [](const Operator& op) { return writes_in_place(op.schema); });
}

/// `bilinear` of `aten::upsample_bilinear2d`.
Value read_interpolation(const Origin& origin, const ConstructorEvidence& evidence) {
  for (const Operator& op : evidence.operators) {
    std::string name(schema_base(op.schema));
    const auto at = name.find(origin.name);
    if (at == std::string::npos) continue;
    name.erase(0, at + origin.name.size());
    name.resize(std::min(name.size(), name.find_first_of("0123456789")));
    if (name.empty()) continue;
    std::ranges::replace(name, '_', '-');
    if (name.starts_with("nearest-exact")) name = "nearest-exact";
    return name;
  }
  return std::nullopt;
}

Value read(const Origin& origin, const ConstructorEvidence& evidence, const Known& known) {
  switch (origin.kind) {
  case Origin::Kind::attribute: return attribute_of(evidence.attributes, origin.name);
  case Origin::Kind::operand: return read_operand(origin, evidence);
  case Origin::Kind::dimension: return read_dimension(origin, evidence, known);
  case Origin::Kind::dimensions: {
    const auto sizes = read_sizes(origin, evidence);
    return sizes ? Value(*sizes) : std::nullopt;
  }
  case Origin::Kind::presence:
    if (evidence.parameters.empty()) return std::nullopt;
    if (!origin.beside.empty() && !find_parameter(evidence, origin.beside)) return std::nullopt;
    return find_parameter(evidence, origin.name) != nullptr;
  case Origin::Kind::in_place: return read_in_place(evidence);
  case Origin::Kind::interpolation: return read_interpolation(origin, evidence);
  }
  return std::nullopt;
}

Known read_all(const TorchClass& type, const ConstructorEvidence& evidence) {
  Known known;
  // Twice, for arguments that are computed from a later one (`in_channels` from `groups`).
  for (int round = 0; round < 2; ++round)
    for (const ConstructorArgument& argument : type.arguments)
      for (const Origin& origin : argument.origins) {
        if (known.count(argument.name)) break;
        if (const Value value = read(origin, evidence, known)) known[argument.name] = *value;
      }
  return known;
}

template <class T> bool may_be_scalar(const std::vector<T>& values, Tuples tuples) {
  if (values.empty() || tuples == Tuples::as_they_are) return false;
  if (tuples == Tuples::scalar_if_single) return values.size() == 1;
  return std::equal(values.begin() + 1, values.end(), values.begin());
}

std::string write(const AttributeValue& value, Tuples tuples) {
  if (const auto* sizes = std::get_if<Sizes>(&value); sizes && may_be_scalar(*sizes, tuples))
    return to_python(sizes->front());
  if (const auto* numbers = std::get_if<std::vector<double>>(&value);
      numbers && may_be_scalar(*numbers, tuples))
    return to_python(numbers->front());
  return to_python(value);
}

bool is_default(const ConstructorArgument& argument, const std::string& written,
                const std::map<std::string_view, std::string>& before) {
  if (written == argument.default_value) return true;
  if (argument.follows.empty()) return false;
  const auto followed = before.find(argument.follows);
  return written == "()" || (followed != before.end() && followed->second == written);
}

/// The arguments as they are written down, those that are as by default left out.
class WrittenArguments {
public:
  explicit WrittenArguments(const Known& known) : known_(known) {}

  void add(const ConstructorArgument& argument) {
    const bool required = argument.default_value.empty();
    const auto value = known_.find(argument.name);
    if (value == known_.end()) {
      if (required) append("...");
      unknown_ |= !required && !argument.leaves_no_trace;
      return;
    }
    const std::string text = write(value->second, argument.tuples);
    written_[argument.name] = text;
    if (required)
      append(text);
    else if (!is_default(argument, text, written_))
      append(std::string(argument.name) + '=' + text);
  }

  std::string text() const {
    if (!unknown_ || text_.ends_with("...")) return text_;
    return text_.empty() ? "..." : text_ + ", ...";
  }

private:
  void append(const std::string& text) { text_ += (text_.empty() ? "" : ", ") + text; }

  const Known& known_;
  std::map<std::string_view, std::string> written_;
  std::string text_;
  bool unknown_ = false;
};

} // namespace

std::string construct(std::string_view class_name, const ConstructorEvidence& evidence) {
  const std::string name(class_name);
  const TorchClass* type = find_torch_class(class_name);
  if (!type) return "nn." + name + "(...)";
  const Known known = read_all(*type, evidence);
  WrittenArguments arguments(known);
  for (const ConstructorArgument& argument : type->arguments) arguments.add(argument);
  return "nn." + name + '(' + arguments.text() + ')';
}

std::string construct_like(const ConnectedGraph& graph, ModuleId id) {
  const Module& module = graph.module(id);
  const std::string name = short_class(module.class_name);
  if (!module.class_name.starts_with("torch.nn.")) return name + "(...)";
  ConstructorEvidence evidence;
  evidence.attributes = module.attributes;
  for (const ParameterId parameter : module.parameters)
    evidence.parameters.push_back(graph.parameters().at(parameter));
  for (const CallSite& site : module.call_sites)
    if (site.op != none && graph.op(site.op).body)
      evidence.operators.insert(evidence.operators.end(), graph.op(site.op).body->begin(),
                                graph.op(site.op).body->end());
  return construct(name, evidence);
}

} // namespace model_validator
