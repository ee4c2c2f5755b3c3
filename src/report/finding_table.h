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
  /// Those about one thing, each by its number.
  struct Entry {
    std::vector<std::size_t> numbers; ///< ascending
    Severity max_severity = Severity::off;
  };
  /// The findings about several things. Entries are shared: many ops may have the same thousand.
  using Entries = std::set<const Entry*>;

  explicit FindingTable(const std::vector<Diagnostic>& findings);

  /// Those about an op: by its name, and for a call of a module those about the module.
  Entries of(const ConnectedGraph& graph, const Op& op) const;
  Entries of_module(const std::string& path) const;

  static Severity max_severity(const Entries& entries);
  /// How many findings there are, each counted once.
  static std::size_t count(const Entries& entries);
  /// `warning[GRA001] headline`, one per line, of the first twenty.
  std::string messages(const Entries& entries) const;
  /// How many of which rule: `reused-modules 8, missing-modules 3`; empty where there are none.
  std::string summary() const;

private:
  using Table = std::unordered_map<std::string, Entry>;

  void add(Entry& entry, std::size_t number) const;

  const std::vector<Diagnostic>& findings_;
  Table by_module_;
  Table by_op_;
  std::map<std::string, std::size_t> rules_;
};

} // namespace model_validator
