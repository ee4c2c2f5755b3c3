#include "connected_graph/torchscript/file/code_references.h"

#include "connected_graph/torchscript/file/code_characters.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>

namespace model_validator::torchscript {
namespace {

constexpr std::string_view torch_root = "__torch__";

bool is_blank(char c) { return c != '\n' && std::isspace(static_cast<unsigned char>(c)) != 0; }

std::size_t after_blanks(std::string_view code, std::size_t at) {
  while (at < code.size() && is_blank(code[at])) ++at;
  return at;
}

/// Skips what may be between the parts of a name: blanks, and in brackets or after a backslash a
/// line end, possibly after a comment.
std::size_t after_layout(std::string_view code, std::size_t at) {
  while (at < code.size()) {
    if (code[at] == '#')
      at = std::min(code.find('\n', at), code.size());
    else if (code[at] == '\n' || code[at] == '\\' || is_blank(code[at]))
      ++at;
    else
      break;
  }
  return at;
}

std::string_view word_at(std::string_view code, std::size_t at) {
  const std::size_t start = at;
  while (at < code.size() && in_word(code[at])) ++at;
  return code.substr(start, at - start);
}

/// `a.b.c`, in any layout.
std::string name_at(std::string_view code, std::size_t at) {
  std::string name;
  for (;;) {
    const std::string_view word = word_at(code, at);
    name += word;
    const std::size_t dot = after_layout(code, at + word.size());
    if (word.empty() || dot >= code.size() || code[dot] != '.') return name;
    name += '.';
    at = after_layout(code, dot + 1);
  }
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// Strongly connected components: definitions that name each other in turn, as one.
struct Components {
  std::vector<std::size_t> of; ///< per definition; numbered after those that they name
  std::size_t count = 0;
  Edges edges; ///< between them, in component order
};

Components components_of(std::size_t definitions, const Edges& edges) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const Graph graph(edges.begin(), edges.end(), definitions);
  Components components;
  components.of.resize(definitions);
  const auto index = boost::get(boost::vertex_index, graph);
  components.count = boost::strong_components(
      graph, boost::make_iterator_property_map(components.of.begin(), index));
  for (const auto& [from, to] : edges)
    if (components.of[from] != components.of[to])
      components.edges.emplace_back(components.of[from], components.of[to]);
  std::sort(components.edges.begin(), components.edges.end());
  return components;
}

std::size_t heaviest_chain(const Edges& edges, const std::vector<std::size_t>& weights) {
  const Components components = components_of(weights.size(), edges);
  std::vector<std::size_t> own(components.count);
  for (std::size_t i = 0; i < weights.size(); ++i) own[components.of[i]] += weights[i];
  std::vector<std::size_t> chain = own;
  for (const auto& [from, to] : components.edges)
    chain[from] = std::max(chain[from], own[from] + chain[to]);
  return chain.empty() ? 0 : *std::max_element(chain.begin(), chain.end());
}

} // namespace

std::size_t CodeReferences::number_of(const std::string& name) {
  const auto [entry, fresh] = numbers_.emplace(name, numbers_.size());
  if (fresh) functions_.push_back(1);
  return entry->second;
}

void CodeReferences::define(const std::string& name, bool class_begins) {
  current_ = number_of(name);
  definitions_.insert(name);
  declares_ = class_begins;
}

void CodeReferences::add_reference(const std::string& name) {
  referred_.insert(name);
  const std::size_t to = number_of(name);
  edges_.emplace_back(current_, to);
  if (declares_) held_.emplace_back(current_, to);
}

void CodeReferences::add(const std::string& qualifier, std::string_view code) {
  qualifiers_.insert(qualifier);
  current_ = number_of(qualifier);
  declares_ = false;
  const std::size_t margin = after_blanks(code, 0);
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    const std::size_t first = after_blanks(code, begin);
    const std::string_view word = word_at(code, first);
    if (word == "class" || (word == "def" && first - begin <= margin)) {
      const std::size_t name = after_layout(code, first + word.size());
      define(qualifier + "." + std::string(word_at(code, name)), word == "class");
    } else if (word == "def") {
      ++functions_[current_];
      declares_ = false;
    }
    if (word != "import")
      for (auto at = code.substr(0, end).find(torch_root, first); at != std::string_view::npos;
           at = code.substr(0, end).find(torch_root, at + torch_root.size()))
        if (at == 0 || !in_word(code[at - 1])) add_reference(name_at(code, at));
    begin = end + 1;
  }
}

/// A name that nothing defines is resolved to what contains it: the class of an enum's member, or
/// code whose definitions are not found.
CodeReferences::Edges CodeReferences::resolved_edges() const {
  std::vector<std::size_t> definition(numbers_.size());
  std::iota(definition.begin(), definition.end(), std::size_t{0});
  for (const std::string& name : referred_) {
    const auto holder = numbers_.find(name.substr(0, name.rfind('.')));
    if (!definitions_.contains(name) && holder != numbers_.end())
      definition[numbers_.at(name)] = holder->second;
  }
  Edges edges = edges_;
  for (auto& [from, to] : edges) to = definition[to];
  return edges;
}

std::size_t CodeReferences::max_chain_length() const {
  return heaviest_chain(resolved_edges(), std::vector<std::size_t>(numbers_.size(), 1));
}

std::size_t CodeReferences::max_compilation_depth() const {
  return heaviest_chain(resolved_edges(), functions_);
}

std::uint64_t CodeReferences::max_type_size() const {
  const Components components = components_of(numbers_.size(), held_);
  std::vector<std::uint64_t> size(components.count, 1);
  for (const auto& [from, to] : components.edges) size[from] = plus(size[from], size[to]);
  return size.empty() ? 0 : *std::max_element(size.begin(), size.end());
}

bool CodeReferences::names_namespaces() const {
  const auto is_namespace = [this](const std::string& name) {
    const auto beneath = qualifiers_.lower_bound(name + ".");
    return qualifiers_.contains(name) ||
           (beneath != qualifiers_.end() && beneath->starts_with(name + "."));
  };
  return std::any_of(referred_.begin(), referred_.end(), [&](const std::string& name) {
    return !definitions_.contains(name) && is_namespace(name);
  });
}

} // namespace model_validator::torchscript
