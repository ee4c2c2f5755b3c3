#include "partition/rounds.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace model_validator::partition {
namespace {

/// The units of an op, by round and by node.
using UnitsOfRounds = std::vector<std::vector<UnitNumber>>;

class Splitting {
public:
  Splitting(GraphBuilder graph, const UnitNodes& units, const DataFlow& flow)
      : units_(units), flow_(flow), rounds_(graph.op_count()), ids_(graph.op_count()) {
    result_.graph = std::move(graph);
  }

  Rounds split() {
    find_rounds();
    std::vector<Instance> order;
    if (round_of_.empty()) {
      for (OpId op = 0; op < ids_.size(); ++op) ids_[op] = {op};
    } else {
      order = instances();
      old_ = result_.graph.take_ops();
      for (const Instance& instance : order) enter(instance);
    }
    enter_units();
    if (order.empty()) return std::move(result_);
    region_count_ = result_.graph.regions().size();
    for (const Instance& instance : order) connect(instance);
    for (const Instance& instance : order) enter_regions(instance);
    renumber();
    return std::move(result_);
  }

private:
  struct Instance {
    std::size_t when = 0; ///< its first unit; without any, that of the op before it
    OpId op = none;
    std::size_t round = 0;
  };

  void find_rounds() {
    std::vector<std::map<std::size_t, std::vector<UnitNumber>>> by_node(rounds_.size());
    for (UnitNumber unit = 0; unit < units_.size(); ++unit)
      for (const UnitNode& is : units_[unit]) by_node[is.op][is.node].push_back(unit);
    for (OpId op = 0; op < rounds_.size(); ++op) {
      rounds_[op] = rounds_of(by_node[op]);
      for (std::size_t round = 1; round < rounds_[op].size(); ++round)
        for (const UnitNumber unit : rounds_[op][round]) round_of_[{op, unit}] = round;
    }
  }

  /// One round if the nodes do not occur equally often.
  static UnitsOfRounds
  rounds_of(const std::map<std::size_t, std::vector<UnitNumber>>& units_of_nodes) {
    UnitsOfRounds rounds(1);
    if (units_of_nodes.empty()) return rounds;
    const std::size_t count = units_of_nodes.begin()->second.size();
    const bool equal = std::all_of(units_of_nodes.begin(), units_of_nodes.end(),
                                   [&](const auto& units) { return units.second.size() == count; });
    if (equal) rounds.resize(count);
    for (const auto& entry : units_of_nodes)
      for (std::size_t i = 0; i < entry.second.size(); ++i)
        rounds[equal ? i : 0].push_back(entry.second[i]);
    return are_apart(rounds) ? rounds : UnitsOfRounds{all_of(rounds)};
  }

  /// Whether no unit belongs to two rounds, as one that contains a loop does.
  static bool are_apart(const UnitsOfRounds& rounds) {
    std::map<UnitNumber, std::size_t> home;
    for (std::size_t round = 0; round < rounds.size(); ++round)
      for (const UnitNumber unit : rounds[round])
        if (home.try_emplace(unit, round).first->second != round) return false;
    return true;
  }

  static std::vector<UnitNumber> all_of(const UnitsOfRounds& rounds) {
    std::vector<UnitNumber> all;
    for (const auto& round : rounds) all.insert(all.end(), round.begin(), round.end());
    return all;
  }

  static UnitNumber first_of(const std::vector<UnitNumber>& units) {
    return *std::min_element(units.begin(), units.end());
  }

  /// In the order in which they run.
  std::vector<Instance> instances() const {
    std::vector<Instance> order;
    std::size_t before = 0;
    for (OpId op = 0; op < rounds_.size(); ++op) {
      const OpKind kind = result_.graph.op(op).kind;
      if (!rounds_[op].front().empty()) before = first_of(rounds_[op].front());
      for (std::size_t round = 0; round < rounds_[op].size(); ++round) {
        const auto& units = rounds_[op][round];
        const std::size_t when = units.empty() ? before : first_of(units);
        order.push_back({kind == OpKind::output  ? none
                         : kind == OpKind::input ? 0
                                                 : when,
                         op, round});
      }
    }
    std::stable_sort(order.begin(), order.end(), [](const Instance& a, const Instance& b) {
      return std::tuple(a.when, a.op, a.round) < std::tuple(b.when, b.op, b.round);
    });
    return order;
  }

  void enter(const Instance& instance) {
    Op op = (*old_)[instance.op];
    if (rounds_[instance.op].size() > 1) op.name += "[" + std::to_string(instance.round) + "]";
    const OpId id = result_.graph.add_op(std::move(op));
    ids_[instance.op].push_back(id);
    old_of_.push_back(instance.op);
  }

  std::size_t round_of(OpId op, UnitNumber unit) const {
    const auto found = round_of_.find({op, unit});
    return found == round_of_.end() ? 0 : found->second;
  }

  void enter_units() {
    result_.ops.resize(units_.size());
    for (UnitNumber unit = 0; unit < units_.size(); ++unit)
      for (const UnitNode& is : units_[unit]) {
        const OpId op = ids_[is.op][round_of(is.op, unit)];
        auto& ops = result_.ops[unit];
        if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
      }
  }

  void connect(const Instance& reader) {
    const OpId to = ids_[reader.op][reader.round];
    const std::map<OpId, OpId> sources = sources_of(reader);
    for (const auto edge : boost::make_iterator_range(boost::in_edges(reader.op, *old_))) {
      const OpId maker = boost::source(edge, *old_);
      const auto source = sources.find(maker);
      const OpId from = source == sources.end() ? round_before(maker, to) : source->second;
      Product product = (*old_)[edge];
      if (from != ids_[maker].front()) product.name = result_.graph.op(from).name;
      result_.graph.add_product(from, to, std::move(product));
    }
  }

  /// For each op that the first round reads, the one that makes the value in this round: for a
  /// loop-carried value, an op of the previous round.
  std::map<OpId, OpId> sources_of(const Instance& reader) const {
    std::map<OpId, OpId> sources;
    const auto& first = rounds_[reader.op].front();
    const auto& now = rounds_[reader.op][reader.round];
    for (std::size_t i = 0; i < first.size() && i < now.size(); ++i) {
      const auto& before = flow_.reads[first[i]];
      const auto& reads = flow_.reads[now[i]];
      for (std::size_t at = 0; before.size() == reads.size() && at < reads.size(); ++at) {
        const OpId was = maker_of(before[at]);
        const OpId is = maker_of(reads[at]);
        if (was != none && is != none) sources.try_emplace(old_of_[was], is);
      }
    }
    return sources;
  }

  /// The last round of the maker that has finished when the reader runs.
  OpId round_before(OpId maker, OpId reader) const {
    const std::vector<OpId>& ids = ids_[maker];
    const auto after = std::upper_bound(ids.begin(), ids.end(), reader);
    return after == ids.begin() ? ids.front() : *(after - 1);
  }

  OpId maker_of(ValueNumber value) const {
    const std::vector<OpId>& inputs = result_.graph.inputs();
    if (value < flow_.input_count) return value < inputs.size() ? inputs[value] : none;
    const UnitNumber unit = flow_.makers[value];
    return unit == none || result_.ops[unit].empty() ? none : result_.ops[unit].front();
  }

  /// The branches of an `if`, and loop bodies, are separate regions in each round.
  void enter_regions(const Instance& instance) {
    const auto& units = rounds_[instance.op][instance.round];
    RegionId& region = result_.graph.op(ids_[instance.op][instance.round]).region;
    if (!units.empty()) region = region_at(region, units.front());
  }

  RegionId region_at(RegionId id, UnitNumber unit) {
    if (id == none) return none;
    Region region = result_.graph.regions()[id];
    const std::size_t number = round_of(region.op, unit);
    const RegionId parent = region_at(region.parent, unit);
    if (number == 0 && parent == region.parent) return id;
    const auto [known, fresh] = regions_.try_emplace({id, parent, number}, none);
    if (fresh) {
      region.parent = parent;
      region.op = ids_[region.op][number];
      known->second = result_.graph.add_region(region);
    }
    return known->second;
  }

  /// Everything else that refers to an op refers to its first round.
  void renumber() {
    for (RegionId id = 0; id < region_count_; ++id)
      if (OpId& op = result_.graph.regions()[id].op; op != none) op = ids_[op].front();
    for (Module& module : result_.graph.modules())
      for (CallSite& site : module.call_sites)
        if (site.op != none) site.op = ids_[site.op].front();
  }

  const UnitNodes& units_;
  const DataFlow& flow_;
  std::vector<UnitsOfRounds> rounds_;                           ///< per op of the old graph
  std::map<std::pair<OpId, UnitNumber>, std::size_t> round_of_; ///< except the first
  std::vector<std::vector<OpId>> ids_; ///< per round of these ops, in the new graph
  std::vector<OpId> old_of_;           ///< the inverse
  std::map<std::tuple<RegionId, RegionId, std::size_t>, RegionId> regions_; ///< of later rounds
  std::size_t region_count_ = 0;                                            ///< of the old graph
  OnHeap<ConnectedGraph::Graph> old_;
  Rounds result_;
};

} // namespace

Rounds split_rounds(GraphBuilder graph, const UnitNodes& units, const DataFlow& flow) {
  return Splitting(std::move(graph), units, flow).split();
}

} // namespace model_validator::partition
