#pragma once

#include "verify/inputs/npz.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace onnx {
class NodeProto;
}

namespace model_validator::verify {

/// Some nodes of an ONNX file as a model of their own.
struct OnnxCut {
  std::vector<std::size_t> nodes;   ///< by their numbers in the outline, ascending
  std::vector<std::string> outputs; ///< what they yield
  NamedTensors inputs;              ///< example values of what they read and do not yield
  NamedTensors constants;           ///< of that, what is stored in the model
  bool as_declared = false;         ///< inputs have the types that the file declares, where it does
  bool random_weights = false;      ///< weights of float32 become random ones of the same size
  /// Of outputs whose type the file does not declare; only dtype and shape are used.
  NamedTensors examples = {};
};

/// Whether it only holds a value.
bool is_constant_node(const onnx::NodeProto& node);

/// Writes some, each into its file. Weights that are too large for one file lie beside it. For a
/// process that may write there. @throws Error (`missing-weights`, `cannot-write`, …)
void write_onnx_cuts(const std::filesystem::path& model, const std::vector<OnnxCut>& cuts,
                     const std::vector<std::filesystem::path>& files);

/// A graph that a node holds, as a model of its own.
struct OnnxOpenedBody {
  std::size_t node = 0, body = 0;
  NamedTensors inputs; ///< values of its inputs, and of what it reads from outside
};
/// Writes it likewise.
void write_onnx_body(const std::filesystem::path& model, const OnnxOpenedBody& opened,
                     const std::filesystem::path& file);

} // namespace model_validator::verify
