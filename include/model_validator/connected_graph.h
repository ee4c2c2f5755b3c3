#pragma once

#include <model_validator/file_format.h>
#include <model_validator/on_heap.h>
#include <model_validator/source_location.h>

#include <boost/graph/adjacency_list.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace model_validator {

struct Program;        // of <model_validator/program.h>
struct FileNodes;      // of the library itself: what an ONNX file says beside its nodes
struct SymbolicShapes; // and what operators make of sizes
struct Quantisation;   // of <model_validator/quantisation.h>

/// Index types of a ConnectedGraph. `none` stands for "there is none".
using OpId = std::size_t;
using ModuleId = std::size_t;
using ParameterId = std::size_t;
using RegionId = std::size_t;
using FrameId = std::size_t;
inline constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// What an op is, as far as the checks distinguish it.
enum class OpKind : std::uint8_t {
  module,       ///< a call of a leaf module (`torch.nn.*` without children)
  functional,   ///< a tensor computation outside every leaf module
  query,        ///< sizes, dtypes, integers, lists: carries no tensor data of the model
  control_flow, ///< an `if` or a loop, where the values of its branches join
  input,        ///< an input of the model
  output,       ///< an output of the model
  constant,     ///< a tensor constant baked into the graph
};
const char* to_string(OpKind kind);

/// The value of a constant argument or module attribute; `monostate` stands for Python's `None`.
using AttributeValue =
    std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                 std::vector<double>, std::vector<bool>, std::vector<std::string>>;

struct Attribute {
  std::string name; ///< the argument's name in the schema, or the module's attribute
  AttributeValue value;
  friend bool operator==(const Attribute&, const Attribute&) = default;
};
/// The value as Python would write it: `(3, 3)`, `True`, `'zeros'`.
std::string to_python(const AttributeValue& value);

/// Shape and dtype of a tensor, as far as known.
struct TensorType {
  std::optional<std::vector<std::int64_t>> shape; ///< -1 for an unknown dimension
  std::string dtype;                              ///< `float32`, `int64`, …; empty where unknown
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

/// One operator as a converter sees it, for ops that represent several (a leaf module, `F.gelu`).
struct Operator {
  std::string schema;                ///< `aten::add_.Tensor`
  std::vector<Attribute> attributes; ///< constant arguments
  SourceLocation source;             ///< where the operator itself is, often inside torch
  std::vector<std::string> dtypes;   ///< dtypes of its tensor arguments, where known
};

/// A parameter or buffer: everything but its bytes.
struct Parameter {
  std::string name; ///< `weight`
  std::string path; ///< `layer1.0.conv1.weight`
  TensorType type;
  std::uint64_t storage = 0; ///< equal for parameters that share storage; 0 for none
  std::uint64_t bytes = 0;   ///< size of the tensor's elements
  bool buffer = false;
  std::shared_ptr<const Quantisation> quantisation = {}; ///< null: its numbers are what they say
};

/// Where Python was when an op ran: the location, the module whose code it is, and the caller.
struct Frame {
  SourceLocation location;
  ModuleId module = none; ///< the module whose method this is
  FrameId caller = none;
};

/// One branch of an `if`, or the body of a loop.
struct Region {
  enum class Kind : std::uint8_t { then_arm, else_arm, loop_body };
  Kind kind = Kind::then_arm;
  std::size_t number = 0;    ///< of the `if` or loop, in execution order
  RegionId parent = none;    ///< the region around it
  OpId op = none;            ///< the control-flow op it belongs to
  std::string label() const; ///< `if@12.then`, `if@12.else`, `loop@3`
};

/// One place that calls a module.
struct CallSite {
  FrameId frame = none;
  RegionId region = none;
  std::string method = "forward";
  OpId op = none;        ///< the module op, where the call is one
  std::size_t times = 1; ///< trip count of the enclosing loops; 2 for an unknown one
};

/// A module of the Python hierarchy, listed once however many paths lead to it.
struct Module {
  std::string path;                 ///< the shortest attribute path; empty for the root
  std::vector<std::string> aliases; ///< its other paths
  std::string class_name;           ///< `torch.nn.modules.activation.ReLU`
  ModuleId parent = none;
  bool leaf = false;     ///< has no child modules
  bool torch_nn = false; ///< of `torch.nn` or `torch.ao.nn`
  /// The largest number of calls on one path through the model. For a leaf with weights, calls of
  /// every method that handles tensors count; for any other module, those of its most called
  /// method.
  std::size_t calls = 0;
  std::vector<CallSite> call_sites; ///< every place that calls it, in execution order
  std::vector<ParameterId> parameters;
  std::vector<Attribute> attributes; ///< constants and scalar attributes: `kernel_size`, `training`
};

/// A vertex.
struct Op {
  std::string name; ///< unique and stable: type and counter in execution order, `conv2d_0`
  std::string type; ///< ATen name without namespace, overload and in-place underscore: `add`; for a
                    ///< module op the class, spelled the same way
  OpKind kind = OpKind::functional;
  ModuleId module = none; ///< the leaf module called, for a module op
  ModuleId parent = none; ///< the module whose code runs the op
  std::string schema;     ///< `aten::add_.Tensor`; the Python function for `torch.nn.functional.*`;
                          ///< empty for a module op
  std::vector<Attribute> attributes;
  std::vector<ParameterId> parameters;
  std::vector<std::size_t> parameter_inputs; ///< for a functional op, which operand each of them is
  std::shared_ptr<const std::vector<Operator>> body; ///< operators it represents; null: only itself
  FrameId frame = none;
  RegionId region = none;
  std::vector<TensorType> outputs; ///< its results, where known
};

/// An edge: output `output` of the source op is tensor operand `input` of the target op.
struct Product {
  std::string name;
  std::size_t output = 0;
  std::size_t input = 0; ///< position among the target's tensor operands, lists flattened
  TensorType type;
  std::shared_ptr<const Quantisation> quantisation = {}; ///< of what is stored, or was rounded
};

/// A place where a call changes state that the model keeps for the next call.
struct StateWrite {
  ModuleId module = none; ///< the owner of the attribute or buffer
  std::string attribute;  ///< its name in that module
  bool in_place = false;  ///< written into; otherwise the attribute is reassigned
  bool read = false;      ///< results of the next call depend on what this call leaves
  bool filled = false;    ///< read, but only filled in, as a cache is: where a condition that looks
                          ///< at what is there says so, with nothing of the data of the call
  std::string schema;     ///< of the writer: `aten::add_.Tensor`, `prim::SetAttr`
  FrameId frame = none;
  RegionId region = none;
};

/// What a file says beside its ops and tensors that decides what is computed, or what a caller
/// gets.
struct Statement {
  std::string what;  ///< `opset of ai.onnx`
  std::string value; ///< may be long, and no text
};

/// A part of a file that Python unpickles when it loads it: a pickle calls what it names.
struct Unpickled {
  std::string entry;              ///< of the zip, inside its top folder
  std::vector<std::string> names; ///< sorted, as far as it could be read: `collections.OrderedDict`
  std::string failure;            ///< why it could not be read to its end
};

/// How the file was made, and what it can reveal.
struct GraphOrigin {
  std::string path;
  FileFormat format = FileFormat::unknown;
  std::string producer;     ///< `pytorch 2.13.0`, if the file says so
  std::optional<int> opset; ///< of an ONNX file
  bool traced = false;      ///< made by tracing: one run, no branches
  bool has_modules = true;  ///< false for a frozen or inlined file: no module hierarchy left
  std::uint64_t file_bytes = 0;
  std::vector<Statement> statements = {};
  std::vector<Unpickled> unpickled = {}; ///< when torch.export loads it
};

/// A neural network as ops connected by products, with the module hierarchy it came from.
///
/// Back edges of loop bodies are left out, so the graph is always acyclic and
/// `boost::topological_sort` applies. Vertices are numbered in execution order. A GraphBuilder
/// fills it in; for everything else it is constant.
class ConnectedGraph {
public:
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, Op, Product>;

  GraphOrigin origin;

  /// Operators of the file's code whose values can reach an output of the model: what a converter
  /// sees that inlines the code and drops only the branches that constants and scalar attributes
  /// rule out. One for each place in the code; of TorchScript files alone, where they are asked for
  /// (`ReadOptions::file_operators`).
  std::vector<Operator> file_operators;

  /// Each op with the schema of an operator of it that ran and yielded a tensor: of TorchScript
  /// files that ran to the end, where `file_operators` are asked for.
  std::set<std::pair<OpId, std::string>> recorded_operators;

  /// What an ONNX file says to a runtime beside its nodes; null for other formats.
  std::shared_ptr<const FileNodes> file_nodes;

  /// Changes that `forward` makes, on any path, to the model's own attributes, parameters and
  /// buffers, in execution order.
  std::vector<StateWrite> state_writes;

  /// The program: the file's own nodes and what flows between them; null where the front end keeps
  /// none.
  std::shared_ptr<const Program> program;

  /// What operators make of the sizes of inputs and weights; null where the front end does not work
  /// that out.
  std::shared_ptr<const SymbolicShapes> shapes;

  const Graph& graph() const noexcept { return *graph_; }
  std::size_t op_count() const { return boost::num_vertices(*graph_); }
  std::size_t product_count() const { return boost::num_edges(*graph_); }
  const Op& op(OpId id) const { return (*graph_)[id]; }

  const std::vector<Module>& modules() const noexcept { return modules_; }
  const Module& module(ModuleId id) const { return modules_.at(id); }
  const std::vector<Parameter>& parameters() const noexcept { return parameters_; }
  const std::vector<Region>& regions() const noexcept { return regions_; }
  const std::vector<Frame>& frames() const noexcept { return frames_; }

  /// Ops of kind input and output, in the order of the model's signature.
  const std::vector<OpId>& inputs() const noexcept { return inputs_; }
  const std::vector<OpId>& outputs() const noexcept { return outputs_; }

  /// The location of a frame; an unknown location for `none`.
  const SourceLocation& location(FrameId frame) const;
  /// Frames from the op out to the entry of the model, innermost first.
  std::vector<FrameId> call_chain(FrameId frame) const;
  /// The innermost frame of the chain in the user's code, not inside torch itself; if all are in
  /// torch, the innermost known one.
  FrameId user_frame(FrameId frame) const;
  /// Labels of the enclosing regions, outermost first: `{"if@12.then", "loop@3"}`.
  std::vector<std::string> region_labels(RegionId region) const;
  /// The text of a line of Python, if the file carried it; null otherwise.
  const std::string* source_line(const std::string& file, int line) const;
  /// The path of a module; empty for the root and for `none`.
  const std::string& module_path(ModuleId id) const;

protected: // for a GraphBuilder
  OnHeap<Graph> graph_;
  std::vector<Module> modules_;
  std::vector<Parameter> parameters_;
  std::vector<Region> regions_;
  std::vector<Frame> frames_;
  std::vector<OpId> inputs_;
  std::vector<OpId> outputs_;
  std::map<std::pair<std::string, int>, std::string> source_lines_;
};

} // namespace model_validator
