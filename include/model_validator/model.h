#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/graph_reader.h>
#include <model_validator/trace.h>
#include <model_validator/verify/inference.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// An input or output of a model. What the file does not say of its type is unknown.
struct Port {
  std::string name;
  TensorType type;
};

/// What parameters or buffers amount to. Tensors that share their storage count once.
struct TensorTotals {
  std::size_t tensors = 0;
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

/// Multiplications with addition that convolutions, linear layers and matrix products take.
/// With a trace, for one sample: a loop's for all its rounds, none for an arm that is not taken.
struct MultiplyAccumulates {
  std::uint64_t total = 0;
  std::map<OpId, std::uint64_t> by_op;
  std::vector<OpId> unknown; ///< ops of these kinds whose shapes the file does not tell
};

/// A saved model and what can be asked of it, alike for every format.
class Model {
public:
  /// Reads the structure; weights are read when the fingerprint is asked for.
  /// @throws Error
  explicit Model(const std::filesystem::path& file, const ReadOptions& options = {});
  /// Also traces it with inputs, which gives shapes and dtypes to a TorchScript file.
  /// @throws Error
  Model(const std::filesystem::path& file, const TraceOptions& trace,
        const ReadOptions& options = {});

  const ConnectedGraph& graph() const noexcept { return graph_; }
  /// What the trace saw beside shapes; none without inputs.
  const std::optional<Trace>& trace() const noexcept { return trace_; }

  /// How often each operator occurs; what modules consist of is counted. Operators have one name in
  /// all formats, PyTorch's: `conv2d` stands for `aten::_convolution` and for `onnx::Conv`.
  std::map<std::string, std::size_t> operators() const;
  /// The same by the name that the file has: `aten::_convolution`, `onnx::Conv`.
  std::map<std::string, std::size_t> schemas() const;

  std::vector<Port> inputs() const;
  std::vector<Port> outputs() const;
  std::size_t input_count() const { return graph_.inputs().size(); }
  std::size_t output_count() const { return graph_.outputs().size(); }
  std::vector<std::string> input_names() const;
  std::vector<std::string> output_names() const;
  /// A shape that is not known is empty; a size that is not known is -1.
  std::vector<std::optional<std::vector<std::int64_t>>> input_shapes() const;
  std::vector<std::optional<std::vector<std::int64_t>>> output_shapes() const;
  /// A dtype that is not known is empty.
  std::vector<std::string> input_dtypes() const;
  std::vector<std::string> output_dtypes() const;

  TensorTotals parameters() const;
  TensorTotals buffers() const;
  MultiplyAccumulates multiply_accumulates() const;

  /// The model as text, one op a line.
  std::string ir() const;
  /// The same with dtypes and shapes.
  std::string typed_ir() const;

  /// 32 hexadecimal digits that stand for the structure: operators, attributes, connections, shapes
  /// of parameters. Weights, names of values and lines of Python do not matter.
  std::string structural_hash() const;
  /// 32 hexadecimal digits that stand for structure and weights. Reads the weights once, on all
  /// cores. @throws Error (`missing-weights`) when external data is not there
  std::string fingerprint() const;

  /// A function that runs the model on the CPU, to look at what it computes: TorchScript by
  /// LibTorch, ONNX by ONNX Runtime, or by OpenVINO where that is not there. It is not optimised.
  /// Unlike everything else here it reads the weights and runs the code of the model.
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
