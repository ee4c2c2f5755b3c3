#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <string>
#include <vector>

namespace model_validator {

/// What an ONNX file has that no single node shows: a call of a function, a body that does not fit
/// its operator, a name that is given twice, bytes that are not what dimensions say. Stated before
/// anything is written out, since runtimes see it so.
struct GraphForm {
  std::string kind;     ///< as profiles call it in `[forms]`: `name-hidden`
  std::string sentence; ///< a clause that names the place in the file
  OpId op = none;
  std::size_t alike = 0;      ///< further places of that kind
  std::vector<OpId> ops = {}; ///< what its places became; empty where it is about the file

  /// Of a kind that matters only where an operator's definition changed in between.
  std::string schema = {};
  int opset = 0;
  int other_opset = 0;
};

} // namespace model_validator
