#pragma once

#include "connected_graph/exported_program/program_file.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <utility>

namespace model_validator::verify {

/// The tensors that a program of torch.export carries, by their names in its signature, in memory
/// of their own. Those that share bytes in the file share memory.
class ProgramWeights {
public:
  /// @param float_values  off: floating-point tensors get memory that is not filled
  ProgramWeights(const exported_program::ProgramFile& program, bool float_values)
      : program_(program), float_values_(float_values) {}
  /// @throws Error (`damaged-exported-program`, `not-runnable`)
  at::Tensor read(const std::string& name);

private:
  at::Tensor bytes_of(const std::string& entry, bool filled);

  const exported_program::ProgramFile& program_;
  bool float_values_;
  std::map<std::pair<std::string, bool>, at::Tensor> bytes_; ///< by entry, and whether it is filled
};

} // namespace model_validator::verify
