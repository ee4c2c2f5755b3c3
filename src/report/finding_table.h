#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/diagnostic.h>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace model_validator {

/// The findings of a graph by what they are about. Suppressed ones are left out.
class FindingTable {
public:
  using Numbers = std::set<std::size_t>;

  explicit FindingTable(const std::vector<Diagnostic>& findings);

  /// Those about an op: by its name, and for a call of a module those about the module.
  Numbers of(const ConnectedGraph& graph, const Op& op) const;
  Numbers of_module(const std::string& path) const;

  Severity gravest(const Numbers& numbers) const;
  /// `warning[GRA001] headline`, one a line.
  std::string messages(const Numbers& numbers) const;
  /// How many of which rule: `reused-modules 8, missing-modules 3`; empty where there are none.
  std::string summary() const;

private:
  using Table = std::unordered_map<std::string, Numbers>;

  const std::vector<Diagnostic>& findings_;
  Table by_module_;
  Table by_op_;
  std::map<std::string, std::size_t> rules_;
};

} // namespace model_validator
