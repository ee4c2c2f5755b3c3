#include "connected_graph/onnx/shape_recorder.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/tensor.h"
#include "connected_graph/shapes/inference.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <unordered_set>
#include <variant>

namespace model_validator::onnx_format {
namespace {

using shapes::Shape;
using shapes::Size;

constexpr std::uint64_t max_numbers = 64;

/// The attributes of a node of ONNX.
class NodeAttributes final : public shapes::Attributes {
public:
  NodeAttributes(const OnnxFile& source, FindAttribute find,
                 const std::vector<const Binding*>& inputs)
      : source_(source), find_(std::move(find)), inputs_(inputs) {}

  std::optional<std::int64_t> integer(std::string_view name) const override {
    const auto* found = of_type(name, ::onnx::AttributeProto::INT);
    return found == nullptr ? std::nullopt : std::optional(found->i());
  }
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const override {
    const auto* found = of_type(name, ::onnx::AttributeProto::INTS);
    if (found == nullptr) return std::nullopt;
    return std::vector<std::int64_t>(found->ints().begin(), found->ints().end());
  }
  std::optional<std::string> text(std::string_view name) const override {
    const auto* found = of_type(name, ::onnx::AttributeProto::STRING);
    return found == nullptr ? std::nullopt : std::optional(found->s());
  }
  std::optional<std::vector<double>> reals(std::string_view name) const override {
    const auto* found = find_(name);
    if (found == nullptr) return std::nullopt;
    if (found->has_t()) return numbers_of(found->t(), source_.filtered, source_.file, max_numbers);
    if (found->has_f()) return std::vector<double>{found->f()};
    return std::vector<double>(found->floats().begin(), found->floats().end());
  }
  std::optional<std::int64_t> count(std::string_view name) const override {
    const auto* found = find_(name);
    if (found == nullptr) return std::nullopt;
    if (found->has_t())
      return static_cast<std::int64_t>(element_count(found->t(), source_.file.path().string()));
    const int listed = found->ints_size() + found->floats_size() + found->strings_size();
    return is_list(type_of(*found)) ? listed : 1;
  }
  std::vector<std::string> words(std::string_view name) const override {
    const auto* found = find_(name);
    if (found == nullptr) return {};
    if (type_of(*found) == ::onnx::AttributeProto::STRING) return {found->s()};
    if (type_of(*found) == ::onnx::AttributeProto::INT) return {std::to_string(found->i())};
    return {found->strings().begin(), found->strings().end()};
  }
  std::optional<std::vector<double>> stored_numbers(std::size_t input) const override {
    const Binding* binding = input < inputs_.size() ? inputs_[input] : nullptr;
    if (binding == nullptr || binding->tensor == nullptr) return std::nullopt;
    return numbers_of(*binding->tensor, source_.filtered, source_.file, max_numbers);
  }

private:
  static bool is_list(::onnx::AttributeProto::AttributeType type) {
    return type == ::onnx::AttributeProto::INTS || type == ::onnx::AttributeProto::FLOATS ||
           type == ::onnx::AttributeProto::STRINGS;
  }
  const ::onnx::AttributeProto* of_type(std::string_view name,
                                        ::onnx::AttributeProto::AttributeType type) const {
    const auto* found = find_(name);
    return found != nullptr && type_of(*found) == type ? found : nullptr;
  }

  const OnnxFile& source_;
  FindAttribute find_;
  const std::vector<const Binding*>& inputs_;
};

/// Whole numbers of a literal, in order; nothing where it has others.
struct WholeNumbers {
  Shape numbers;
  bool real = false;
  bool whole = true;

  void add(std::int64_t number) { numbers.push_back(Size::of(number)); }
  void add(bool number) { add(std::int64_t{number ? 1 : 0}); }
  void add(double number) {
    constexpr double large = 1e15;
    real = true;
    whole = whole && number > -large && number < large &&
            static_cast<double>(static_cast<std::int64_t>(number)) == number;
    if (whole) add(static_cast<std::int64_t>(number));
  }
};

template <class Held> void add_all(const Held& held, WholeNumbers& to) {
  if constexpr (requires { to.add(held); })
    to.add(held);
  else if constexpr (!std::is_same_v<Held, std::string> && requires { to.add(held.at(0)); })
    for (const auto each : held) to.add(each);
  else
    to.whole = false;
}

/// A list has one axis, and a number or a text none.
template <class Held> std::shared_ptr<const Shape> shape_of(const Held& held) {
  if constexpr (!std::is_same_v<Held, std::string> && requires { held.size(); })
    return shapes::shared({Size::of(static_cast<std::int64_t>(held.size()))});
  else
    return shapes::shared({});
}

/// What some exporters write for every size that they do not know: no name of one.
bool says_nothing(const std::string& name) {
  return contains({"None", "none", "?", "unk", "unknown", "Unknown", "-1", "*", "Any", "dynamic"},
                  name);
}

bool contradicts(const std::vector<std::int64_t>& declared, const Shape& found) {
  if (declared.size() != found.size()) return true;
  for (std::size_t i = 0; i < declared.size(); ++i)
    if (declared[i] > 0 && found[i].is_number() && *found[i].number() != declared[i]) return true;
  return false;
}

/// Whether a number is declared where any size may come.
bool narrows(const shapes::Sizes& sizes, const std::vector<std::int64_t>& declared,
             const Shape& found) {
  for (std::size_t i = 0; i < declared.size() && i < found.size(); ++i)
    if (declared[i] > 0 && sizes.is_symbol(found[i])) return true;
  return false;
}

std::string text_of(const std::vector<std::int64_t>& shape) {
  std::string words;
  for (const std::int64_t size : shape)
    words += (words.empty() ? "" : ", ") + (size < 0 ? "?" : std::to_string(size));
  return "[" + words + "]";
}

} // namespace

shapes::Value ShapeRecorder::of_input(const ::onnx::ValueInfoProto& input) {
  shapes::Value value;
  value.source = shapes::Source::input;
  value.name = &input.name();
  if (!input.type().has_tensor_type()) return value;
  value.open = !input.type().tensor_type().has_shape();
  if (value.open) return value;
  Shape shape;
  for (const auto& dimension : input.type().tensor_type().shape().dim()) {
    const bool number = dimension.has_dim_value() && dimension.dim_value() >= 0;
    const std::string name = says_nothing(dimension.dim_param()) ? "" : dimension.dim_param();
    shape.push_back(number ? Size::of(dimension.dim_value())
                           : found_.sizes.symbol({input.name(), shape.size(), name}));
  }
  value.shape = shapes::shared(std::move(shape));
  return value;
}

shapes::Value ShapeRecorder::of_tensor(const ::onnx::TensorProto& tensor, const std::string& name,
                                       const std::optional<AttributeValue>& literal) {
  shapes::Value value;
  value.source = shapes::Source::stored;
  value.name = &name;
  Shape shape;
  for (const std::int64_t size : tensor.dims()) shape.push_back(Size::of(size));
  value.shape = shapes::shared(std::move(shape));
  if (!literal) return value;
  WholeNumbers numbers;
  std::visit([&](const auto& held) { add_all(held, numbers); }, *literal);
  value.real = numbers.real;
  if (numbers.whole) value.elements = shapes::shared(std::move(numbers.numbers));
  return value;
}

shapes::Value ShapeRecorder::of_sparse(const ::onnx::SparseTensorProto& sparse) {
  shapes::Value value;
  value.source = shapes::Source::stored;
  value.name = &sparse.values().name();
  Shape shape;
  for (const std::int64_t size : sparse.dims()) shape.push_back(Size::of(size));
  value.shape = shapes::shared(std::move(shape));
  return value;
}

shapes::Value ShapeRecorder::of_constant(const ::onnx::NodeProto& node, const Binding& binding) {
  const std::string& name = node.output(0);
  if (binding.tensor != nullptr) return of_tensor(*binding.tensor, name, binding.literal);
  if (!binding.literal) return {};
  shapes::Value value = of_tensor({}, name, binding.literal);
  value.shape = std::visit([](const auto& held) { return shape_of(held); }, *binding.literal);
  return value;
}

std::vector<shapes::Value> ShapeRecorder::of_node(const ::onnx::NodeProto& node, const Scope& scope,
                                                  const Place& place, std::size_t flat) {
  const std::vector<const Binding*> bindings = reader_.inputs_of(node, scope);
  const NodeAttributes attributes(source_, reader_.attributes_of(node, place), bindings);
  shapes::Node described;
  described.type = node.op_type();
  described.name = node.name();
  if (!is_default_domain(node.domain())) described.domain = node.domain();
  described.opset = reader_.opset_of(node, place);
  described.number = flat;
  described.conditional = !place.surely;
  described.by_data = place.by_data;
  for (const Binding* each : bindings)
    described.inputs.push_back(each == nullptr ? nullptr : &each->sizes);
  described.output_count = static_cast<std::size_t>(node.output_size());
  described.attributes = &attributes;
  std::vector<shapes::Value> values = shapes::infer(described, found_.sizes, found_.facts);
  for (int i = 0; i < node.output_size(); ++i)
    values[static_cast<std::size_t>(i)].name = &node.output(i);
  return values;
}

void ShapeRecorder::complete(TensorType& declared, const shapes::Value& found) {
  if (!found.shape) return;
  if (!declared.shape) declared.shape.emplace(found.shape->size(), -1);
  if (declared.shape->size() != found.shape->size()) return;
  for (std::size_t i = 0; i < found.shape->size(); ++i)
    if (declared.shape->at(i) < 0) declared.shape->at(i) = found.shape->at(i).number().value_or(-1);
}

void ShapeRecorder::take_rank(const TensorType& declared, shapes::Value& found) {
  if (!found.shape && !found.open && declared.shape)
    found.shape = shapes::shared(Shape(declared.shape->size()));
}

void ShapeRecorder::take_sizes(const TensorType& declared, shapes::Value& found) {
  if (!found.shape || !declared.shape || found.shape->size() != declared.shape->size()) return;
  Shape shape = *found.shape;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if ((*declared.shape)[i] > 0) shape[i] = Size::of((*declared.shape)[i]);
  found.shape = shapes::shared(std::move(shape));
}

std::uint64_t ShapeRecorder::free_axes(const shapes::Value& value) {
  std::uint64_t axes = 0;
  if (!value.shape) return axes;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(value.shape->size(), 64); ++axis) {
    const Size& size = (*value.shape)[axis];
    if (size.known() && !size.is_number()) axes |= std::uint64_t{1} << axis;
  }
  return axes;
}

void ShapeRecorder::note(ValueId value, const std::string& name, const TensorType& declared,
                         const shapes::Value& found) {
  if (!found.shape) return;
  const bool knows_a_size = std::ranges::any_of(*found.shape, &Size::known);
  const bool knows_rank_alone = declared.shape && !found.shape->empty() && !knows_a_size;
  if (knows_rank_alone && declared.shape->size() == found.shape->size()) return;
  of_values_.note(value, found.shape);
  if (!declared.shape) return;
  if (contradicts(*declared.shape, *found.shape) ||
      narrows(found_.sizes, *declared.shape, *found.shape))
    doubts_.push_back({value, name, *declared.shape});
}

/// What is declared between nodes may be narrower than what can come: an exporter wrote down what
/// it saw. Of an output, it is what a caller goes by.
void ShapeRecorder::check_outputs(const GraphAssembler& assembler) {
  std::unordered_set<ValueId> outputs;
  for (const auto& [name, value] : assembler.outputs()) outputs.insert(value);
  for (const Doubt& doubt : doubts_) {
    const bool output = outputs.contains(doubt.value);
    const Shape& found = *of_values_.of(doubt.value);
    if (!output && !contradicts(doubt.declared, found)) continue;
    std::string words;
    for (const Size size : found) words += (words.empty() ? "" : ", ") + found_.sizes.text(size);
    found_.wrong_declarations.push_back({assembler.producer_of(doubt.value).op, doubt.name, output,
                                         text_of(doubt.declared), "[" + words + "]"});
  }
}

std::shared_ptr<const SymbolicShapes> ShapeRecorder::finish(const GraphAssembler& assembler,
                                                            const ConnectedGraph& graph) {
  for (auto& each : found_.facts.mismatches) each.node = assembler.op_of(each.node);
  for (auto& each : found_.facts.demands) each.node = assembler.op_of(each.node);
  for (auto& each : found_.facts.limits) each.node = assembler.op_of(each.node);
  check_outputs(assembler);
  found_.of_ops = of_values_.by_op(assembler, graph);
  return std::make_shared<const SymbolicShapes>(std::move(found_));
}

} // namespace model_validator::onnx_format
