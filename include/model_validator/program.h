#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/quantisation.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator {

/// What an operator does with quantised numbers.
enum class QuantisedRole : std::uint8_t {
  other,
  quantise,      ///< real numbers become stored ones
  dequantise,    ///< and the reverse
  fake_quantise, ///< both at once: real numbers are rounded
  compute,       ///< computes with stored numbers: `QLinearConv`, `MatMulInteger`
};

/// A value of a program, by its number.
using ValueId = std::size_t;

/// Where a value comes from.
enum class Origin : std::uint8_t {
  computed,
  input,      ///< an input of the model itself
  body,       ///< an input of the body of a loop
  stored,     ///< in the file
  passed_on,  ///< a stored value that operators pass on or cast, and do nothing else
  worked_out, ///< made by operators from sizes and stored values
};

/// What a value is. The letters stand in the table of ONNX's operators.
enum class ValueKind : char {
  unknown = '?',
  tensor = 't',
  sequence = 's', ///< of tensors
  optional = 'o', ///< a tensor, or nothing
  optional_sequence = 'q',
  sparse = 'z',
  map = 'm',
};

/// What a file shows of the elements of a sequence.
enum class Elements : std::uint8_t {
  open,     ///< it is no sequence, or how many it has is decided when the model runs
  appended, ///< a loop appends them one by one
  shown,    ///< each is a value of the graph
};

/// A tensor, or a sequence of tensors, between the nodes of a program.
struct ProgramValue {
  std::string name;
  /// As it follows from the operators, or else as declared; of a sequence, what its elements are.
  TensorType type;
  ValueKind kind = ValueKind::unknown;
  Origin origin = Origin::computed;
  /// The ops that read it hold it, as a parameter or an argument: no op makes it.
  bool held = false;
  Elements elements = Elements::open;
  bool declared = false; ///< stored, and listed with its type among the values besides
  bool unranked = false; ///< its rank follows from no type: the model decides it when it runs
  std::uint64_t free_axes =
      0; ///< a bit for each axis whose size follows from sizes that the inputs leave free
  bool beyond_int32 = false; ///< whole numbers are stored for it, of which int32 does not hold some
  std::size_t maker = none;  ///< the node that yields it; `none` for inputs and what is stored
  ParameterId parameter = none;
  ValueId begins_as = none;                ///< of an input of a body: what the first run is given
  std::optional<std::int64_t> number = {}; ///< that is stored for it, one alone
  /// What the file declares for what a node yields, where that is another type: `int64`, `sequence
  /// of float32`.
  std::string other_type = {};
  /// Of a small constant that numbers are stored for or scaled by; not of weights.
  std::optional<std::vector<double>> numbers = {};
  /// Of what is stored in it, or was rounded.
  std::shared_ptr<const Quantisation> quantisation = {};

  bool stored() const { return origin == Origin::stored; }
  /// Whether it depends on no input of the model.
  bool constant() const { return origin >= Origin::stored; }
};

/// How one operand or the result of a node is quantised.
struct QuantisedOperand {
  static constexpr std::size_t result = static_cast<std::size_t>(-1);
  std::size_t operand = result; ///< the node's input by number, or `result`
  std::shared_ptr<const Quantisation> quantisation;
};

/// One module that was being called when a node ran.
struct ModuleCall {
  ModuleId module = none;
  std::size_t call = none; ///< distinguishes calls of one module; `none` if the file does not
  friend bool operator==(const ModuleCall&, const ModuleCall&) = default;
};

/// One operator of a program, with the modules that it ran in.
struct ProgramNode {
  std::string name;   ///< in the file; may be empty
  std::string schema; ///< `onnx::QuantizeLinear`
  std::string type;   ///< canonical
  int opset = 0;      ///< of its domain, where it stands; 0 where the file imports none
  OpKind kind = OpKind::functional; ///< outside of every torch.nn leaf
  QuantisedRole role = QuantisedRole::other;
  std::vector<Attribute> attributes;
  std::vector<Attribute> arguments; ///< constants that are among its operands, or a tensor of it
  std::vector<std::string> opaque;  ///< attributes that are tensors, graphs or types
  std::vector<ValueId> inputs;      ///< `none` for one that is left out
  std::vector<ValueId> outputs;
  std::size_t results_of_bodies = 0; ///< so many of the inputs, the last, are what its bodies yield
  std::vector<QuantisedOperand> quantised = {};
  std::vector<ModuleCall> stack = {}; ///< outermost first
  FrameId frame = none;               ///< the innermost frame
  std::string origin = {};            ///< adjacent nodes with the same one come from one operator
  std::string origin_schema = {};     ///< the schema of that operator
  std::string origin_type = {};
  RegionId region = none;
  std::vector<RegionId> owned_regions = {}; ///< for a control-flow op
  OpId op = none;                           ///< the op that it became a part of

  /// Of the operator itself.
  std::size_t input_count() const { return inputs.size() - results_of_bodies; }
};

/// The nodes of a file in execution order, and what flows between them. In place of a call of one
/// of an ONNX file's functions stand the function's nodes.
struct Program {
  std::vector<ProgramNode> nodes;
  std::vector<ProgramNode> literals; ///< nodes whose value is an argument of those that read it
  std::vector<ProgramValue> values;
  std::vector<ValueId> inputs;
  std::vector<std::pair<std::string, ValueId>> outputs; ///< `none` for what is no tensor
  bool quantised = false;                               ///< some node has a role

  /// Null for `none`.
  const ProgramValue* find(ValueId value) const { return value == none ? nullptr : &values[value]; }
  /// Null where the node has no such input, or it is left out.
  const ProgramValue* input(const ProgramNode& node, std::size_t number) const {
    return number < node.input_count() ? find(node.inputs[number]) : nullptr;
  }
  const ProgramValue* output(const ProgramNode& node, std::size_t number) const {
    const ProgramValue* value = number < node.outputs.size() ? find(node.outputs[number]) : nullptr;
    return value == nullptr || value->name.empty() ? nullptr : value;
  }
  /// `none` where the value is no parameter.
  ParameterId parameter_of(ValueId value) const {
    return value == none ? none : values[value].parameter;
  }
  /// The node that yields a value; null for inputs and what is stored.
  const ProgramNode* maker(ValueId value) const {
    return value == none || values[value].maker == none ? nullptr : &nodes[values[value].maker];
  }
};

/// A node with the program that has its values.
class NodeView {
public:
  NodeView(const Program& program, const ProgramNode& node) : program_(&program), node_(&node) {}

  const ProgramNode* operator->() const { return node_; }
  const ProgramNode& operator*() const { return *node_; }
  /// Null where it has none so, or it is left out.
  const ProgramValue* input(std::size_t number) const { return program_->input(*node_, number); }
  const ProgramValue* output(std::size_t number) const { return program_->output(*node_, number); }
  /// Null where it has none of that name; `monostate` of one that is opaque.
  const AttributeValue* attribute(std::string_view name) const;

private:
  const Program* program_;
  const ProgramNode* node_;
};
/// The nodes of a program, and its literals.
std::vector<NodeView> all_nodes(const Program& program);

/// One place that reads a value.
struct ValueReader {
  std::size_t node = none;
  std::size_t input = 0;
};
/// The places that read each value, in execution order.
std::vector<std::vector<ValueReader>> readers_of(const Program& program);

} // namespace model_validator
