#include "partition/unit_ops.h"

#include <algorithm>
#include <set>

namespace model_validator::partition {
namespace {

using GroupsOfUnits = std::vector<std::vector<std::size_t>>;

/// Per unit, the groups of two and more that it is in.
GroupsOfUnits groups_of_units(const std::vector<std::vector<UnitNumber>>& inseparable,
                              std::size_t units) {
  GroupsOfUnits groups(units);
  for (std::size_t group = 0; group < inseparable.size(); ++group)
    for (const UnitNumber unit : inseparable[group])
      if (inseparable[group].size() > 1) groups[unit].push_back(group);
  return groups;
}

class Matching {
public:
  Matching(const UnitRecords& records, const ConnectedGraph& graph, DataFlow& flow)
      : records_(records), graph_(graph), flow_(flow),
        groups_(groups_of_units(records.inseparable, size())), live_(size()), behind_(size()),
        readers_(size()) {}

  Constraints match() {
    find_live();
    enter_recorded();
    find_homes();
    bind();
    order();
    find_absent();
    return std::move(constraints_);
  }

private:
  std::size_t size() const { return records_.ops.size(); }

  /// Units that reach a result, or change a value that does, and so cannot be separated from it.
  void find_live() {
    std::vector<UnitNumber> pending;
    const auto need = [&](UnitNumber unit) {
      if (unit == none || live_[unit]) return;
      live_[unit] = true;
      pending.push_back(unit);
    };
    for (const ValueNumber value : flow_.results) need(flow_.makers[value]);
    std::vector<bool> done(records_.inseparable.size());
    while (!pending.empty()) {
      const UnitNumber unit = pending.back();
      pending.pop_back();
      for (const ValueNumber value : flow_.reads[unit]) need(flow_.makers[value]);
      for (const std::size_t group : groups_[unit])
        if (!done[group]) {
          done[group] = true;
          for (const UnitNumber other : records_.inseparable[group]) need(other);
        }
    }
  }

  void enter_recorded() {
    flow_.ops.assign(size(), none);
    for (UnitNumber unit = 0; unit < size(); ++unit) {
      if (!live_[unit]) continue;
      flow_.ops[unit] = recorded(unit);
      for (const ValueNumber value : flow_.reads[unit])
        if (const UnitNumber maker = flow_.makers[value]; maker != none)
          readers_[maker].push_back(unit);
    }
  }

  /// A query is carried along to its readers: one that changes a list needs another home.
  OpId recorded(UnitNumber unit) const {
    if (records_.ops[unit].empty()) return none;
    const OpId op = records_.ops[unit].front();
    return records_.repeatable[unit] || has_a_place(op) ? op : none;
  }

  bool has_a_place(OpId op) const { return op != none && graph_.op(op).kind != OpKind::query; }

  void find_homes() {
    std::vector<bool> bound(size(), false);
    for (UnitNumber unit = 0; unit < size(); ++unit) bound[unit] = !groups_[unit].empty();
    for (const auto& [first, second] : records_.order) bound[first] = bound[second] = true;
    OpId last = none;
    std::vector<OpId> last_of_group = first_ops();
    for (UnitNumber unit = 0; unit < size(); ++unit) {
      OpId& op = flow_.ops[unit];
      if (live_[unit] && op == none && (bound[unit] || !records_.repeatable[unit]))
        op = host_op(unit, last, groups_[unit], last_of_group);
      if (!has_a_place(op)) continue;
      last = op;
      for (const std::size_t group : groups_[unit]) last_of_group[group] = op;
    }
  }

  /// Per group, the first op that has a place of its own.
  std::vector<OpId> first_ops() const {
    std::vector<OpId> first(records_.inseparable.size(), none);
    for (UnitNumber unit = size(); unit-- > 0;)
      if (has_a_place(flow_.ops[unit]))
        for (const std::size_t group : groups_[unit]) first[group] = flow_.ops[unit];
    return first;
  }

  /// An op that the unit cannot leave anyway; else one that makes what it reads, or reads what it
  /// makes; else the one before or after.
  OpId host_op(UnitNumber unit, OpId last, const std::vector<std::size_t>& groups,
               const std::vector<OpId>& last_of_group) const {
    for (const std::size_t group : groups)
      if (last_of_group[group] != none) return last_of_group[group];
    for (const ValueNumber value : flow_.reads[unit])
      if (const UnitNumber maker = flow_.makers[value];
          maker != none && has_a_place(flow_.ops[maker]))
        return flow_.ops[maker];
    for (const UnitNumber reader : readers_[unit])
      if (has_a_place(flow_.ops[reader])) return flow_.ops[reader];
    if (last != none) return last;
    const auto next = std::find_if(flow_.ops.begin() + static_cast<std::ptrdiff_t>(unit),
                                   flow_.ops.end(), [&](OpId op) { return has_a_place(op); });
    return next == flow_.ops.end() ? none : *next;
  }

  void bind() {
    for (UnitNumber unit = 0; unit < size(); ++unit)
      if (live_[unit]) add_group(records_.ops[unit]);
    for (const auto& group : records_.inseparable) {
      std::vector<OpId> ops;
      for (const UnitNumber unit : group)
        if (flow_.ops[unit] != none) ops.push_back(flow_.ops[unit]);
      add_group(std::move(ops));
    }
  }

  void add_group(std::vector<OpId> ops) {
    std::sort(ops.begin(), ops.end());
    ops.erase(std::unique(ops.begin(), ops.end()), ops.end());
    if (ops.size() > 1) constraints_.inseparable.push_back(std::move(ops));
  }

  void order() {
    std::set<std::pair<OpId, OpId>> pairs;
    const auto add = [&](OpId first, OpId second) {
      if (first != none && second != none && first != second) pairs.emplace(first, second);
    };
    for (UnitNumber unit = 0; unit < size(); ++unit) {
      if (!live_[unit]) continue;
      std::set<OpId> makers = makers_of(unit);
      if (flow_.ops[unit] == none)
        behind_[unit].assign(makers.begin(), makers.end());
      else
        for (const OpId maker : makers) add(maker, flow_.ops[unit]);
    }
    for (const auto& [first, second] : records_.order) add(flow_.ops[first], flow_.ops[second]);
    constraints_.order.assign(pairs.begin(), pairs.end());
  }

  /// The ops that make what a unit reads, through units without an op.
  std::set<OpId> makers_of(UnitNumber unit) const {
    std::set<OpId> ops;
    for (const ValueNumber value : flow_.reads[unit]) {
      const UnitNumber maker = flow_.makers[value];
      if (maker == none) continue;
      if (flow_.ops[maker] != none)
        ops.insert(flow_.ops[maker]);
      else
        ops.insert(behind_[maker].begin(), behind_[maker].end());
    }
    return ops;
  }

  void find_absent() {
    std::vector<bool> present(graph_.op_count(), false);
    for (UnitNumber unit = 0; unit < size(); ++unit)
      if (live_[unit])
        for (const OpId op : records_.ops[unit]) present[op] = true;
    for (OpId op = 0; op < graph_.op_count(); ++op)
      if (!present[op]) constraints_.absent.push_back(op);
  }

  const UnitRecords& records_;
  const ConnectedGraph& graph_;
  DataFlow& flow_;
  GroupsOfUnits groups_;
  std::vector<bool> live_;                ///< per unit, whether a result depends on it
  std::vector<std::vector<OpId>> behind_; ///< per unit without an op: sources of its values
  std::vector<std::vector<UnitNumber>> readers_;
  Constraints constraints_;
};

} // namespace

Constraints match_units(const UnitRecords& records, const ConnectedGraph& graph, DataFlow& flow) {
  return Matching(records, graph, flow).match();
}

} // namespace model_validator::partition
