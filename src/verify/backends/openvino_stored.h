#pragma once

#include "files/input_file.h"
#include "introspection/openvino_ir.h"

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Numbers that a model of OpenVINO computes from what it stores alone.
struct StoredIrNumbers {
  std::string name;   ///< of the constant in few bits
  at::Tensor numbers; ///< float32
  at::Tensor steps;   ///< of each, the distance to its neighbours; undefined: not in few bits
  at::Tensor ends;    ///< −1 or 1 where it is the least or the greatest that there is, int8
};

/// Such numbers, computed from the file as OpenVINO does it.
class IrNumbers {
public:
  /// @param ir  outlives it
  explicit IrNumbers(const OpenVinoIr& ir);

  /// Whether what the layer computes is made of a constant in few bits.
  bool are_in_few_bits(std::size_t layer) const { return in_few_bits_[layer]; }
  /// None of a layer that is computed by other operators than quantisers write.
  std::optional<StoredIrNumbers> of(std::size_t layer) const { return of(layer, max_depth); }

private:
  static constexpr int max_depth = 12; ///< of operators on a constant

  std::optional<StoredIrNumbers> of(std::size_t layer, int depth) const;
  std::optional<StoredIrNumbers> constant(const IrLayer& layer) const;
  std::optional<StoredIrNumbers> of_operand(std::size_t layer, int input, int depth) const;

  const OpenVinoIr& ir_;
  std::optional<InputFile> weights_;
  std::vector<bool> in_few_bits_;
};

} // namespace model_validator::verify
