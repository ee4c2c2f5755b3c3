#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/graph_reader.h>
#include <model_validator/trace.h>
#include <model_validator/verify/inference.h>
#include <model_validator/weights.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// An input or output of a model. Parts of its type that the file does not state are unknown.
struct Port {
  std::string name;
  TensorType type;
};

/// Totals of the parameters or buffers. Tensors that share their storage count once.
struct TensorTotals {
  std::size_t tensors = 0;
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

/// Multiply-accumulates of convolutions, linear layers and matrix products. With a trace, those of
/// one sample: a loop's for all its iterations, none for a branch that is not taken.
struct MultiplyAccumulates {
  std::uint64_t total = 0;
  std::map<OpId, std::uint64_t> by_op;
  std::vector<OpId> unknown;     ///< ops of these kinds whose shapes the file does not state
  std::size_t of_free_sizes = 0; ///< how many of `unknown` depend only on sizes that are free
  /// The total with those, by the names of the sizes: `8*batch + 64`. Empty where there are none.
  std::string for_any_size = {};
};

/// What the values between ops need at once, at most: inputs, results that are still to be read,
/// and results of the op that runs; no weights. Ops run in the order of the file; what gives
/// elements another shape, or writes into them, needs none. A runtime may need less (it fuses and
/// reuses), or more (it copies).
struct ActivationMemory {
  std::optional<std::uint64_t> bytes;
  /// By the names of free sizes: `401408*batch`. Empty where there are none. The op is the one that
  /// needs most where these sizes are large.
  std::string for_any_size;
  OpId op = none;          ///< during which most is needed
  std::size_t unknown = 0; ///< values that are left out, as their shape or dtype is not known
};

/// A saved model and the questions it answers, the same for every format.
class Model {
public:
  /// Reads the structure; weights are read when the fingerprint is asked for.
  /// @throws Error
  explicit Model(const std::filesystem::path& file, const ReadOptions& options = {});
  /// Also traces it with inputs, which gives a TorchScript file shapes and dtypes.
  /// @throws Error
  Model(const std::filesystem::path& file, const TraceOptions& trace,
        const ReadOptions& options = {});

  /// A file that has been read. @param options  with which it was
  Model(std::filesystem::path file, ConnectedGraph graph, std::optional<Trace> trace,
        ReadOptions options);

  const ConnectedGraph& graph() const noexcept { return graph_; }
  /// What the trace saw besides shapes; none without inputs.
  const std::optional<Trace>& trace() const noexcept { return trace_; }

  /// How often each operator occurs; operators inside modules are counted. Operators have one name
  /// in all formats, PyTorch's: `conv2d` stands for `aten::_convolution` and for `onnx::Conv`.
  std::map<std::string, std::size_t> operators() const;
  /// The same, by the file's names: `aten::_convolution`, `onnx::Conv`.
  std::map<std::string, std::size_t> schemas() const;

  std::vector<Port> inputs() const;
  std::vector<Port> outputs() const;
  std::size_t input_count() const { return graph_.inputs().size(); }
  std::size_t output_count() const { return graph_.outputs().size(); }
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;
  /// An unknown shape is empty; an unknown size is -1.
  std::vector<std::optional<std::vector<std::int64_t>>> input_shapes() const;
  std::vector<std::optional<std::vector<std::int64_t>>> output_shapes() const;
  /// An unknown dtype is empty.
  std::vector<std::string> input_dtypes() const;
  std::vector<std::string> output_dtypes() const;

  /// Takes free sizes of an ONNX file for numbers, in all that follows: `batch=1`, or `x.0=1`.
  /// @throws Error (`bad-input-spec`) for a name that no free size has, and for what is no size
  void give_sizes(const std::vector<std::string>& sizes);

  TensorTotals parameters() const;
  TensorTotals buffers() const;
  MultiplyAccumulates multiply_accumulates() const;
  ActivationMemory activation_memory() const;

  /// The model as text, one op per line.
  std::string ir() const;
  /// The same with dtypes and shapes.
  std::string typed_ir() const;
  /// The same with how large the numbers of each op are likely to be (see `magnitudes_of`), for
  /// inputs with mean 0 and deviation 1. Reads a few numbers of each weight.
  std::string ranges() const;

  /// 32 hexadecimal digits that identify the structure: operators, attributes, connections, shapes
  /// of parameters. Weights, names of values and lines of Python do not matter.
  std::string structural_hash() const;
  /// 32 hexadecimal digits that identify structure and weights. Reads the weights once, on all
  /// cores. @throws Error (`missing-weights`) when external data is not there
  std::string fingerprint() const;

  /// The files of data of an ONNX model, with what of their bytes its tensors take. No weights are
  /// read. @throws Error (`missing-weights`) when external data is not there
  WeightLedger ledger() const;

  /// A function that runs the model on the CPU, for looking at what it computes: TorchScript with
  /// LibTorch, ONNX with ONNX Runtime, or with OpenVINO if ONNX Runtime is missing. It is not
  /// optimised. Unlike everything else here it reads the weights and runs the code of the model.
  /// @throws Error (`not-runnable`) for a torch.export file, which nothing runs without Python;
  /// (`no-libtorch`, `backend-missing`) where what runs it is missing
  verify::InferenceFunction get_inference_function() const;

private:
  std::filesystem::path file_;
  ReadOptions options_;
  ConnectedGraph graph_;
  std::optional<Trace> trace_;
};

} // namespace model_validator
