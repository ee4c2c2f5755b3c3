#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tree_sitter/api.h>
#include <utility>
#include <vector>

namespace model_validator::fixes {

/// Where a node begins and ends in its file.
using NodeKey = std::pair<std::size_t, std::size_t>;

class PythonTree;

/// A node of the syntax tree of a Python file, or no node, which has no text, no parent, no fields
/// and no children. A value; the tree must outlive it.
///
/// Types and fields are those of tree-sitter's Python grammar: `function_definition`, `left`.
class Node {
public:
  Node() = default;
  Node(TSNode node, const PythonTree& tree) : node_(node), tree_(&tree) {}

  explicit operator bool() const noexcept { return tree_ && !ts_node_is_null(node_); }
  bool operator==(const Node& other) const noexcept { return ts_node_eq(node_, other.node_); }

  std::string_view type() const;
  bool is(std::string_view type) const { return *this && this->type() == type; }
  /// Bytes of the file, from the first of the node to the first after it.
  std::size_t begin() const { return ts_node_start_byte(node_); }
  std::size_t end() const { return ts_node_end_byte(node_); }
  NodeKey key() const { return {begin(), end()}; }
  /// Lines, counted from 1.
  int first_line() const { return static_cast<int>(ts_node_start_point(node_).row) + 1; }
  int last_line() const { return static_cast<int>(ts_node_end_point(node_).row) + 1; }
  /// Bytes of the line before the node.
  int column() const { return static_cast<int>(ts_node_start_point(node_).column); }
  std::string_view text() const;
  /// The whole file.
  const std::string& source() const;
  const PythonTree& tree() const { return *tree_; }

  Node parent() const { return *this ? Node(ts_node_parent(node_), *tree_) : Node(); }
  /// No node where the field is empty.
  Node field(std::string_view name) const;
  /// Named children; no comments.
  std::vector<Node> children() const;
  /// All nodes of a type in it, itself among them, in the order of the file.
  std::vector<Node> all(std::string_view type) const;
  /// The identifiers in it that are a name, in the order of the file.
  std::vector<Node> identifiers(std::string_view name) const;
  /// Those of the children that stand on a line, or on more than it.
  std::vector<Node> children_on(int line) const;
  /// All children, operators and brackets among them.
  std::vector<Node> tokens() const;
  /// The nearest node around this one of a type; no node where there is none.
  Node around(std::string_view type) const;
  bool contains(const Node& other) const {
    return begin() <= other.begin() && other.end() <= end();
  }

private:
  bool counts() const;

  TSNode node_{};
  const PythonTree* tree_ = nullptr;
};

/// The definition inside a decorated one; any other node unchanged.
Node undecorated(const Node& statement);

/// A Python file as a syntax tree that accounts for every byte. Nobody vouches for the file: a tree
/// that is nested or branches beyond what people write is not kept.
class PythonTree {
public:
  explicit PythonTree(std::string source);
  PythonTree(const PythonTree&) = delete;
  PythonTree& operator=(const PythonTree&) = delete;

  const std::string& source() const noexcept { return source_; }
  Node root() const { return {ts_tree_root_node(tree_.get()), *this}; }
  /// The classes at its top level by name; of several with one name, the first.
  const std::map<std::string_view, Node>& classes() const noexcept { return classes_; }
  /// All nodes of a type in a node, itself among them, in the order of the file.
  std::vector<Node> all_in(const Node& node, std::string_view type) const;
  /// Why the tree is not that of the source, as a clause: it has no nodes then, or errors. Empty if
  /// all of it is Python.
  const std::string& refusal() const noexcept { return refusal_; }
  bool well_formed() const noexcept { return refusal_.empty(); }

private:
  /// Enters the nodes by their types.
  /// @returns why a tree is not to be worked with: much of that work takes a stack as deep as the
  /// tree, or more than linear time
  std::string enter_nodes();

  struct Delete {
    void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  };
  std::string source_;
  std::unique_ptr<TSTree, Delete> tree_;
  std::string refusal_;
  std::map<std::string_view, Node> classes_;
  std::map<std::string_view, std::vector<Node>>
      by_type_; ///< the named ones, in the order of the file
};

} // namespace model_validator::fixes
