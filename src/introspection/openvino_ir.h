#pragma once

#include "connected_graph/stored_weights.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

// OpenVINO's format of models (IR: `x.xml` with its weights in `x.bin`), as far as it is read
// without OpenVINO: what a model declares and stores, not what it computes.
namespace model_validator {

/// A part of the document.
struct IrText {
  std::size_t begin = 0, end = 0;
};

/// A value that a layer gives.
struct IrPort {
  std::string id;
  std::string name;  ///< of the tensor, as the original model called it; empty where it has none
  std::string dtype; ///< empty for one that no other format has
};

struct IrLayer {
  std::string id, name, type;
  std::vector<IrPort> outputs;
  // of a constant, and of an input
  std::string element_type; ///< as the file spells it: `f16`
  std::string shape;        ///< `?,3,224,224`
  std::uint64_t offset = 0, size = 0;
  int levels = 0;            ///< that a FakeQuantize rounds to
  bool is_turned = false;    ///< whether a MatMul turns its second operand
  std::size_t enclosing = 0; ///< whose body it lies in; its own number where it lies in none
  IrText text, outputs_text; ///< the elements

  bool is_constant() const { return type == "Const"; }
  /// One value, of this dtype.
  bool gives(std::string_view dtype) const {
    return outputs.size() == 1 && outputs.front().dtype == dtype;
  }
  /// What it gives is called so: as the tensor, else as the layer.
  const std::string& value_name() const {
    return outputs.empty() || outputs.front().name.empty() ? name : outputs.front().name;
  }
};

/// What a layer reads.
struct IrSource {
  std::size_t layer = 0;
  std::string port;
  IrText edge;
};

struct OpenVinoIr {
  std::filesystem::path file, weights;
  std::vector<IrLayer> layers; ///< in the order of the file
  /// By layer, what each of its inputs reads, in the order of their numbers.
  std::vector<std::map<int, IrSource>> sources;

  bool lies_in_body(std::size_t layer) const { return layers[layer].enclosing != layer; }
  /// The layer that an input of another reads; null for none.
  const IrLayer* source(std::size_t layer, int input) const;
  /// By layer, those that read it.
  std::vector<std::vector<std::size_t>> readers() const;
  /// By layer, whether it is computed from constants alone.
  std::vector<bool> stored() const;
};

/// @throws Error (`damaged-file`, `truncated-file`, `too-large`, `unsupported-version`,
/// `missing-weights`) also for weights that are missing, cut off or lie elsewhere
OpenVinoIr read_openvino_ir(const std::filesystem::path& file);

/// The same, of a file whose text was read. @param text  what `read_ir_text` gave
OpenVinoIr read_openvino_ir(const std::filesystem::path& file, std::string_view text);

/// Bits of an element that is no plain number, but a step of a scale; 0 for others.
int few_bits_of_ir(const std::string& element_type);

/// The text of a model, without its weights. @throws Error (`too-large`)
std::string read_ir_text(const std::filesystem::path& file);

/// Whether a file that begins like this is such a model, and no other XML.
bool begins_openvino_ir(std::string_view head);

/// PyTorch's word for a type; empty for what it does not have.
std::string dtype_of_ir(const std::string& element_type);
/// −1 for a size that is open; nothing where the number of dimensions is.
std::optional<std::vector<std::int64_t>> shape_of_ir(const std::string& shape);

/// The constants of floating-point numbers, by the names of the original model's tensors.
std::vector<StoredWeights> list_ir_weights(const std::filesystem::path& file);

} // namespace model_validator
