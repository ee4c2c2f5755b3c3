#include "fixes/python_tree.h"

#include <stdexcept>

extern "C" const TSLanguage* tree_sitter_python();

namespace model_validator::fixes {
namespace {

struct DeleteParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

TSTree* parse(const std::string& source) {
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), tree_sitter_python()))
    throw std::logic_error("the grammar of Python does not fit tree-sitter");
  return ts_parser_parse_string(parser.get(), nullptr, source.data(),
                                static_cast<std::uint32_t>(source.size()));
}

} // namespace

std::string_view Node::type() const { return ts_node_type(node_); }

std::string_view Node::text() const {
  return std::string_view(*source_).substr(begin(), end() - begin());
}

Node Node::field(std::string_view name) const {
  return {ts_node_child_by_field_name(node_, name.data(), static_cast<std::uint32_t>(name.size())),
          *source_};
}

std::vector<Node> Node::children() const {
  std::vector<Node> found;
  for (std::uint32_t i = 0; i < ts_node_named_child_count(node_); ++i) {
    const Node child(ts_node_named_child(node_, i), *source_);
    if (!child.is("comment")) found.push_back(child);
  }
  return found;
}

std::vector<Node> Node::tokens() const {
  std::vector<Node> found;
  for (std::uint32_t i = 0; i < ts_node_child_count(node_); ++i)
    found.emplace_back(ts_node_child(node_, i), *source_);
  return found;
}

Node Node::around(std::string_view type) const {
  Node node = parent();
  while (node && !node.is(type)) node = node.parent();
  return node;
}

PythonTree::PythonTree(std::string source) : source_(std::move(source)), tree_(parse(source_)) {}

} // namespace model_validator::fixes
