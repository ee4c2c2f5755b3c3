#pragma once

#include "lint/file_runner.h"

#include <map>
#include <string>

namespace model_validator {

/// Files of data that several models of a run take their weights from: one may have overwritten the
/// other's.
class SharedData {
public:
  /// Tells of each file that a model before it takes weights from as well.
  void note(FileResult& result);

private:
  std::map<std::string, std::string> first_models_; ///< by the file of data
};

} // namespace model_validator
