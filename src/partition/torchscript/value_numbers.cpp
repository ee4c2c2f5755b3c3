#include "partition/torchscript/value_numbers.h"

namespace model_validator::partition {
namespace {

class Numbering {
public:
  Numbering(Graph& graph, const Units& units) : graph_(graph), units_(units) {}

  ValueNumbers number(const Returned& result) {
    const auto inputs = graph_.inputs();
    for (std::size_t i = 1; i < inputs.size(); ++i) add(inputs[i]); // after the module itself
    result_.flow.input_count = result_.values.size();
    for (const Unit& unit : units_.all())
      for (Value* made : unit.node->outputs()) add(made);
    for (const Unit& unit : units_.all()) add_reads(unit);
    for (Value* value : leaves(result)) result_.flow.results.push_back(add(value));
    return std::move(result_);
  }

private:
  ValueNumber add(Value* value) {
    const auto [entry, fresh] = result_.numbers.try_emplace(value, result_.values.size());
    if (fresh) {
      result_.values.push_back(value);
      result_.flow.makers.push_back(units_.maker(value));
    }
    return entry->second;
  }

  void add_reads(const Unit& unit) {
    auto& reads = result_.flow.reads.emplace_back();
    for (Value* read : unit.reads)
      if (read != graph_.inputs()[0]) reads.push_back(add(read));
  }

  Graph& graph_;
  const Units& units_;
  ValueNumbers result_;
};

} // namespace

ValueNumbers number_values(const FlatModule& flat, const Units& units, const Returned& result) {
  return Numbering(*flat.graph, units).number(result);
}

} // namespace model_validator::partition
