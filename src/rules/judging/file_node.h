#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator::rules {

/// A tensor that a node of an ONNX file takes or yields.
struct FileOperand {
  bool given = true; ///< false for an optional one that is left out
  std::string dtype; ///< as it follows from the operators before, or as declared; empty: not known
  std::optional<int> rank;
  bool unranked = false;     ///< its rank follows from no type: the model decides it when it runs
  bool constant = false;     ///< is in the file, or worked out
  std::string declared = {}; ///< another dtype that the file declares for it; empty: none
  std::vector<std::optional<std::int64_t>> sizes = {}; ///< empty where none is known
  bool entry = false;                                  ///< is an input of the model itself
  bool worked_out = false; ///< made by operators from sizes and constants
};

/// An attribute of a node of an ONNX file.
struct FileAttribute {
  std::string name;
  std::string kind; ///< `i`, `f`, `s`, and with another `s` a list of them; empty for others
  AttributeValue value;
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
  std::vector<FileAttribute> attributes;
};

/// The nodes of an ONNX file, in the order of the file; of those that are alike only the first
/// where the graph was not asked for all (`ReadOptions::file_operators`). Empty for other formats.
std::vector<FileNode> nodes_of_file(const ConnectedGraph& graph);

/// The versions that an ONNX file is stamped with: of each domain the opset (`ai.onnx`), and
/// `ir_version`. Empty where the graph does not have them.
std::map<std::string, int> versions_of_file(const ConnectedGraph& graph);

} // namespace model_validator::rules
