#include "fixes/python/python_tree.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>

extern "C" const TSLanguage* tree_sitter_python();

namespace model_validator::fixes {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A string literal, or as much of one as there is.
struct Literal {
  std::size_t inside = 0; ///< where its contents begin
  std::size_t end = 0;    ///< of the contents
  std::size_t next = 0;   ///< after the quotes that close it
};

/// @param begin  of the quotes that open it
Literal literal_at(std::string_view source, std::size_t begin) {
  const char quote = source[begin];
  const bool is_long = source.substr(begin).starts_with(std::string(3, quote));
  const std::string quotes(is_long ? 3 : 1, quote);
  std::size_t at = begin + quotes.size();
  const std::size_t inside = at;
  while (at < source.size() && !source.substr(at).starts_with(quotes)) {
    if (source[at] == '\n' && !is_long) return {inside, at, at};
    at += source[at] == '\\' ? 2 : 1;
  }
  at = std::min(at, source.size());
  return {inside, at, std::min(at + quotes.size(), source.size())};
}

void blank(std::string& source, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    if (source[i] != '\n') source[i] = ' ';
}

/// At least as many tokens as a parser can find in Python source: words, other characters, ends of
/// statements, and where blocks begin and end, which is on lines that begin further right than the
/// one before.
std::size_t tokens_at_most(std::string_view source) {
  std::size_t tokens = 0;
  std::size_t before = 0;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    source.remove_prefix(std::min(line.size() + 1, source.size()));
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const bool is_odd =
        begin < line.size() && std::isspace(static_cast<unsigned char>(line[begin])) != 0;
    tokens += begin > before || is_odd ? 3 : 1;
    before = begin;
    bool in_word = false;
    for (const char c : line.substr(begin)) {
      if (c != ' ' && !(is_word(c) && in_word)) ++tokens;
      in_word = is_word(c);
    }
  }
  return tokens;
}

/// Python source with blanks in place of what its comments and strings say, so that all else stays
/// where it is. Strings with expressions in them (`f"{x}"`) are left alone.
std::string without_prose(std::string source) {
  bool has_expressions = false; // a string that begins here would be one with expressions
  for (std::size_t at = 0; at < source.size();) {
    const char c = source[at];
    if (c == '#') {
      const std::size_t end = std::min(source.find('\n', at), source.size());
      blank(source, at + 1, end);
      at = end;
    } else if (c == '"' || c == '\'') {
      const Literal literal = literal_at(source, at);
      if (!has_expressions) blank(source, literal.inside, literal.end);
      at = literal.next;
    } else {
      ++at;
    }
    has_expressions = is_word(c) && (has_expressions || c == 'f' || c == 'F');
  }
  return source;
}

struct DeleteParser {
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

class Cursor {
public:
  explicit Cursor(TSNode node) : cursor_(ts_tree_cursor_new(node)) {}
  ~Cursor() { ts_tree_cursor_delete(&cursor_); }
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
  TSTreeCursor* get() { return &cursor_; }

private:
  TSTreeCursor cursor_;
};

constexpr std::uint64_t max_parse_time = 5'000'000; // microseconds
constexpr std::size_t deepest = 500;
constexpr const char* too_long = "its file is too long to be edited";
constexpr std::size_t max_nodes = 1'000'000;
constexpr std::size_t max_classes = 300;
/// Tree-sitter 0.20.7, which Debian 12 has, counts the parts of what it cannot parse in 16 bits.
constexpr std::size_t max_tokens = 60'000;

/// Null where it takes too long.
TSTree* parse(const std::string& source) {
  const std::unique_ptr<TSParser, DeleteParser> parser(ts_parser_new());
  if (!ts_parser_set_language(parser.get(), tree_sitter_python()))
    throw std::logic_error("the grammar of Python does not fit tree-sitter");
  ts_parser_set_timeout_micros(parser.get(), max_parse_time);
  return ts_parser_parse_string(parser.get(), nullptr, source.data(),
                                static_cast<std::uint32_t>(source.size()));
}

/// Moves to the node that follows in the text, into a node before behind it.
/// @returns by how much the depth has changed; none after the last node
std::optional<int> go_on(TSTreeCursor* cursor) {
  if (ts_tree_cursor_goto_first_child(cursor)) return 1;
  for (int up = 0;; --up) {
    if (ts_tree_cursor_goto_next_sibling(cursor)) return up;
    if (!ts_tree_cursor_goto_parent(cursor)) return std::nullopt;
  }
}

/// Whether a node is another, or is in it and begins and ends where it does.
bool is_in_as_long(const Node& node, Node other) {
  while (other && !(node == other)) {
    const auto parts = other.tokens();
    const auto counterpart =
        std::ranges::find_if(parts, [&](const Node& part) { return part.key() == other.key(); });
    other = counterpart == parts.end() ? Node() : *counterpart;
  }
  return static_cast<bool>(other);
}

} // namespace

const std::string& Node::source() const { return tree_->source(); }

std::string_view Node::type() const { return ts_node_type(node_); }

std::string_view Node::text() const {
  if (!*this) return {};
  return std::string_view(source()).substr(begin(), end() - begin());
}

Node Node::field(std::string_view name) const {
  if (!*this) return {};
  return {ts_node_child_by_field_name(node_, name.data(), static_cast<std::uint32_t>(name.size())),
          *tree_};
}

bool Node::counts() const { return ts_node_is_named(node_) && !is("comment"); }

std::vector<Node> Node::children() const {
  std::vector<Node> found = tokens();
  std::erase_if(found, [](const Node& child) { return !child.counts(); });
  return found;
}

/// A cursor moves from one child to the next; access by number counts from the start each time.
std::vector<Node> Node::tokens() const {
  std::vector<Node> found;
  if (!*this) return found;
  Cursor cursor(node_);
  for (bool more = ts_tree_cursor_goto_first_child(cursor.get()); more;
       more = ts_tree_cursor_goto_next_sibling(cursor.get()))
    found.emplace_back(ts_tree_cursor_current_node(cursor.get()), *tree_);
  return found;
}

std::vector<Node> Node::all(std::string_view type) const {
  return *this ? tree_->all_in(*this, type) : std::vector<Node>();
}

std::vector<Node> Node::identifiers(std::string_view name) const {
  std::vector<Node> found;
  const std::string_view code = text();
  for (auto at = code.find(name); !name.empty() && at != std::string_view::npos;
       at = code.find(name, at + name.size())) {
    const auto first = static_cast<std::uint32_t>(begin() + at);
    const auto last = static_cast<std::uint32_t>(first + name.size());
    const Node node(ts_node_named_descendant_for_byte_range(node_, first, last), *tree_);
    if (node.is("identifier") && node.text() == name) found.push_back(node);
  }
  return found;
}

std::vector<Node> Node::children_on(int line) const {
  std::vector<Node> found;
  Cursor cursor(node_);
  const TSPoint begin{static_cast<std::uint32_t>(line - 1), 0};
  for (bool more = ts_tree_cursor_goto_first_child_for_point(cursor.get(), begin) >= 0; more;
       more = ts_tree_cursor_goto_next_sibling(cursor.get())) {
    const Node child(ts_tree_cursor_current_node(cursor.get()), *tree_);
    if (child.first_line() > line) break;
    if (child.counts()) found.push_back(child);
  }
  return found;
}

Node Node::around(std::string_view type) const {
  Node node = parent();
  while (node && !node.is(type)) node = node.parent();
  return node;
}

Node undecorated(const Node& statement) {
  return statement.is("decorated_definition") ? statement.field("definition") : statement;
}

PythonTree::PythonTree(std::string source) : source_(std::move(source)) {
  const bool is_long = tokens_at_most(source_) > max_tokens;
  const std::string parsed = is_long ? without_prose(source_) : source_;
  if (is_long && tokens_at_most(parsed) > max_tokens)
    refusal_ = too_long;
  else if (tree_.reset(parse(parsed)); tree_)
    refusal_ = enter_nodes();
  else
    refusal_ = "its file takes too long to parse";
  if (!refusal_.empty()) {
    by_type_.clear();
    tree_.reset(parse({}));
  } else if (ts_node_has_error(ts_tree_root_node(tree_.get())))
    refusal_ = "its file does not parse as Python";
  for (const Node& statement : root().children())
    if (const Node type = undecorated(statement); type.is("class_definition"))
      classes_.emplace(type.field("name").text(), type);
}

std::string PythonTree::enter_nodes() {
  Cursor cursor(ts_tree_root_node(tree_.get()));
  std::size_t depth = 0;
  std::size_t nodes = 0;
  std::unordered_map<TSSymbol, std::vector<Node>*> of_symbol; // fewer texts to compare
  for (std::optional<int> step = 0; step; step = go_on(cursor.get())) {
    depth += static_cast<std::size_t>(*step);
    const TSNode node = ts_tree_cursor_current_node(cursor.get());
    if (ts_node_is_named(node)) {
      auto& entered = of_symbol[ts_node_symbol(node)];
      if (!entered) entered = &by_type_[ts_node_type(node)];
      entered->emplace_back(node, *this);
    }
    if (depth > deepest)
      return "its file nests expressions or blocks more than " + std::to_string(deepest) +
             " levels deep";
    if (++nodes > max_nodes) return too_long;
  }
  if (by_type_["class_definition"].size() > max_classes)
    return "its file defines too many classes to be edited";
  return {};
}

std::vector<Node> PythonTree::all_in(const Node& node, std::string_view type) const {
  const auto known = by_type_.find(type);
  if (known == by_type_.end()) return {};
  const std::vector<Node>& all = known->second;
  if (node == root()) return all;
  std::vector<Node> found;
  const auto begins_before = [](const Node& each, std::size_t at) { return each.begin() < at; };
  for (auto each = std::lower_bound(all.begin(), all.end(), node.begin(), begins_before);
       each != all.end() && each->begin() < node.end(); ++each)
    if (each->key() == node.key() ? is_in_as_long(*each, node) : node.contains(*each))
      found.push_back(*each);
  return found;
}

} // namespace model_validator::fixes
