#include "connected_graph/torchscript/code_references.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cctype>

namespace model_validator::torchscript {
namespace {

constexpr std::string_view root = "__torch__.";

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

std::string_view name_at(std::string_view code, std::size_t at) {
  const std::size_t start = at;
  while (at < code.size() && in_name(code[at])) ++at;
  return code.substr(start, at - start);
}

/// The name that a line without indentation defines; empty where it defines none.
std::string_view defined_in(std::string_view line) {
  for (const std::string_view keyword : {"class ", "def "})
    if (line.rfind(keyword, 0) == 0) return name_at(line, keyword.size());
  return {};
}

} // namespace

std::size_t CodeReferences::number_of(const std::string& name) {
  return numbers_.emplace(name, numbers_.size()).first->second;
}

void CodeReferences::add(const std::string& qualifier, std::string_view code) {
  std::size_t current = number_of(qualifier);
  while (!code.empty()) {
    const auto end = std::min(code.find('\n'), code.size());
    const std::string_view line = code.substr(0, end);
    code.remove_prefix(std::min(end + 1, code.size()));
    if (const auto name = defined_in(line); !name.empty())
      current = number_of(qualifier + "." + std::string(name));
    for (auto at = line.find(root); at != std::string_view::npos; at = line.find(root, at + 1))
      edges_.emplace_back(current, number_of(std::string(name_at(line, at))));
  }
}

std::size_t CodeReferences::longest_chain() const {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const Graph graph(edges_.begin(), edges_.end(), numbers_.size());
  std::vector<std::size_t> component(numbers_.size());
  const auto index = boost::get(boost::vertex_index, graph);
  const std::size_t count =
      boost::strong_components(graph, boost::make_iterator_property_map(component.begin(), index));
  std::vector<std::size_t> size(count);
  for (const std::size_t number : component) ++size[number];
  auto edges = edges_;
  std::sort(edges.begin(), edges.end(),
            [&](const auto& a, const auto& b) { return component[a.first] < component[b.first]; });
  // Components are numbered after those that they name.
  std::vector<std::size_t> chain = size;
  for (const auto& [from, to] : edges)
    if (component[from] != component[to])
      chain[component[from]] =
          std::max(chain[component[from]], size[component[from]] + chain[component[to]]);
  return chain.empty() ? 0 : *std::max_element(chain.begin(), chain.end());
}

} // namespace model_validator::torchscript
