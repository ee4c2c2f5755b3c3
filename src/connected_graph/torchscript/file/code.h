#pragma once

#include "connected_graph/torchscript/file/class_constants.h"
#include "connected_graph/torchscript/file/evaluated_code.h"

#include <cstddef>
#include <set>
#include <string>

namespace model_validator::torchscript {

class Archive;

/// The TorchScript code of an archive, checked before LibTorch parses it.
class Code {
public:
  /// @throws Error (`too-deep`) for code that LibTorch's parser and compiler, which are recursive,
  /// would not survive, and (`unsafe-op`) for code that LibTorch would run while it imports it
  explicit Code(Archive& archive);

  /// Names of the operators called through `ops`: `torchvision::nms`.
  const std::set<std::string>& operators() const noexcept { return operators_; }
  /// The constants blanked out of the records' text.
  const ClassConstants& constants() const noexcept { return constants_; }
  /// Moves out the text of a record; empty if there is none.
  std::string take(const std::string& record);

private:
  CodeTexts texts_;
  std::set<std::string> operators_;
  ClassConstants constants_;
};

} // namespace model_validator::torchscript
