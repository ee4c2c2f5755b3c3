#include "partition/subgraph_contents.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace model_validator::partition {
namespace {

class Contents {
public:
  Contents(const DataFlow& flow, const Plan& plan)
      : flow_(flow), subgraphs_(plan.partitions.size()), home_(flow.reads.size(), none) {
    std::unordered_map<OpId, std::size_t> host_op;
    for (std::size_t subgraph = 0; subgraph < plan.partitions.size(); ++subgraph)
      for (const OpId op : plan.partitions[subgraph].ops) host_op[op] = subgraph;
    for (UnitNumber unit = 0; unit < flow.ops.size(); ++unit)
      if (const auto home = host_op.find(flow.ops[unit]); home != host_op.end())
        place(unit, home->second);
    // A query returned to the caller has its own place: the first where it can be computed.
    for (const ValueNumber value : flow.results)
      if (const UnitNumber unit = flow.makers[value]; unit != none && home_[unit] == none)
        place(unit, first_place(unit));
  }

  std::vector<SubgraphContents> make() {
    for (std::size_t subgraph = 0; subgraph < subgraphs_.size(); ++subgraph) complete(subgraph);
    for (const ValueNumber value : flow_.results) give(value);
    for (const SubgraphContents& subgraph : subgraphs_)
      for (const ValueNumber value : subgraph.inputs) give(value);
    for (std::size_t subgraph = 0; subgraph < subgraphs_.size(); ++subgraph)
      subgraphs_[subgraph].outputs.assign(given_[subgraph].begin(), given_[subgraph].end());
    return std::move(subgraphs_);
  }

private:
  void place(UnitNumber unit, std::size_t subgraph) {
    home_[unit] = subgraph;
    subgraphs_[subgraph].units.push_back(unit);
  }

  /// The last of the subgraphs that compute what it needs.
  std::size_t first_place(UnitNumber first) const {
    std::size_t place = 0;
    std::unordered_set<UnitNumber> seen{first};
    std::vector<UnitNumber> pending{first};
    while (!pending.empty()) {
      const UnitNumber unit = pending.back();
      pending.pop_back();
      if (home_[unit] != none) {
        place = std::max(place, home_[unit]);
        continue;
      }
      for (const ValueNumber value : flow_.reads[unit])
        if (const UnitNumber maker = flow_.makers[value];
            maker != none && seen.insert(maker).second)
          pending.push_back(maker);
    }
    return place;
  }

  /// Adds the queries that are carried along, and finds what comes from outside.
  void complete(std::size_t number) {
    SubgraphContents& subgraph = subgraphs_[number];
    std::unordered_set<UnitNumber> carried;
    std::set<ValueNumber> taken;
    std::vector<UnitNumber> pending = subgraph.units;
    while (!pending.empty()) {
      const UnitNumber unit = pending.back();
      pending.pop_back();
      for (const ValueNumber value : flow_.reads[unit]) {
        const UnitNumber maker = flow_.makers[value];
        if (maker == none) {
          if (value < flow_.input_count) taken.insert(value);
        } else if (home_[maker] == none) {
          if (!carried.insert(maker).second) continue;
          subgraph.units.push_back(maker);
          pending.push_back(maker);
        } else if (home_[maker] != number) {
          taken.insert(value);
        }
      }
    }
    std::sort(subgraph.units.begin(), subgraph.units.end());
    subgraph.inputs.assign(taken.begin(), taken.end());
  }

  void give(ValueNumber value) {
    if (value < flow_.input_count) return;
    const UnitNumber maker = flow_.makers[value];
    given_[maker == none ? subgraphs_.size() - 1 : home_[maker]].insert(value);
  }

  const DataFlow& flow_;
  std::vector<SubgraphContents> subgraphs_;
  std::vector<std::size_t> home_; ///< per unit; `none` for queries that are carried along
  std::unordered_map<std::size_t, std::set<ValueNumber>> given_;
};

/// `subgraph_03_openvino.pt`: subgraphs sort in the order in which they run.
std::string file_name(std::size_t number, std::size_t count, const std::string& target,
                      const std::string& ending) {
  const std::size_t digits = std::max<std::size_t>(2, std::to_string(count - 1).size());
  std::string name = std::to_string(number);
  name.insert(0, digits - std::min(digits, name.size()), '0');
  name = "subgraph_" + name + "_";
  for (const char c : target)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' ? c : '_';
  return name + ending;
}

} // namespace

std::vector<SubgraphContents> contents_of_subgraphs(const DataFlow& flow, const Plan& plan) {
  return Contents(flow, plan).make();
}

Subgraph subgraph_of(const Plan& plan, std::size_t number, const std::string& ending) {
  const Partition& partition = plan.partitions[number];
  const std::string& target = plan.targets[partition.target];
  return {file_name(number, plan.partitions.size(), target, ending),
          target,
          partition.op_count,
          {},
          {}};
}

} // namespace model_validator::partition
