#pragma once

#include "connected_graph/exported_program/program_file.h"

#include <ATen/core/Tensor.h>

#include <map>
#include <string>

namespace model_validator::verify {

/// The tensors that a program of torch.export carries, by their names in its signature, in memory
/// of their own. Those that share bytes in the file share memory.
class ProgramWeights {
public:
  explicit ProgramWeights(const exported_program::ProgramFile& program) : program_(program) {}
  /// @throws Error (`damaged-exported-program`, `not-runnable`)
  at::Tensor read(const std::string& name);

private:
  at::Tensor bytes_of(const std::string& entry);

  const exported_program::ProgramFile& program_;
  std::map<std::string, at::Tensor> bytes_; ///< by entry of the zip
};

} // namespace model_validator::verify
