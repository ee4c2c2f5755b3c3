#pragma once

#include "connected_graph/graph_form.h"
#include "connected_graph/stored_weights.h"

#include <model_validator/error.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What an ONNX file says to a runtime beside its nodes.
struct FileNodes {
  /// What the file is stamped with: of each domain the opset (`ai.onnx`), and `ir_version`.
  std::map<std::string, int> versions;
  std::vector<StoredWeights> weights = {};    ///< where they lie
  std::vector<StoredWeights> kept_apart = {}; ///< those in files of their own
  /// Why its weights cannot be read: files that they are kept in are not there, or are cut short.
  std::optional<Error> weights_fault = {};
  std::vector<GraphForm> forms = {}; ///< of each kind the first
};

} // namespace model_validator
