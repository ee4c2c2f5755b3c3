#pragma once

#include "connected_graph/graph_form.h"
#include "connected_graph/stored_weights.h"

#include <model_validator/connected_graph.h>
#include <model_validator/error.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// What a file shows of the elements of a sequence.
enum class Elements : std::uint8_t {
  open,     ///< it is no sequence, or how many it has is decided when the model runs
  appended, ///< a loop appends them one by one
  shown,    ///< each is a value of the graph
};

/// A tensor, or a sequence of tensors, that a node of an ONNX file takes or yields.
struct FileOperand {
  bool given = true;      ///< false for an optional one that is left out
  std::string dtype = {}; ///< as it follows from the operators before, or as declared; else empty
  std::optional<int> rank = {};
  bool unranked = false;     ///< its rank follows from no type: the model decides it when it runs
  bool constant = false;     ///< is in the file, or worked out
  std::string declared = {}; ///< another dtype that the file declares for it; empty: none
  std::vector<std::optional<std::int64_t>> sizes = {}; ///< empty where none is known
  bool entry = false;                                  ///< is an input of the model itself
  bool worked_out = false; ///< made by operators from sizes and constants
  Elements elements = Elements::open;
  std::optional<std::int64_t> number = {}; ///< that the file stores for it, a scalar
};

/// One node of an ONNX file as a runtime sees it.
struct FileNode {
  std::string schema; ///< `onnx::Conv`
  std::string name;
  int opset = 0;  ///< of its domain, where it stands; 0 where the file imports none
  OpId op = none; ///< the op that it became a part of; `none` for a constant that others hold
  std::size_t alike = 0; ///< further nodes, not listed, that a schema cannot tell from it
  SourceLocation source;
  std::vector<FileOperand> inputs;
  std::vector<FileOperand> outputs;
  std::vector<Attribute> attributes; ///< `monostate` for tensors, graphs and types
};

/// What an ONNX file says to a runtime. In place of a call of one of the file's functions stand the
/// function's nodes.
struct FileNodes {
  /// In the order of the file; of those that are alike only the first, where the graph was not
  /// asked for all (`ReadOptions::file_operators`).
  std::vector<FileNode> nodes;
  /// What the file is stamped with: of each domain the opset (`ai.onnx`), and `ir_version`.
  std::map<std::string, int> versions;
  std::vector<StoredWeights> kept_apart = {}; ///< weights in files of their own, where they lie
  /// Why its weights cannot be read: files that they are kept in are not there, or are cut short.
  std::optional<Error> weights_fault = {};
  std::vector<GraphForm> forms = {}; ///< of each kind the first
};

} // namespace model_validator
