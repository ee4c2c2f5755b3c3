#include "partition/torchscript/value_numbers.h"

namespace model_validator::partition {
namespace {

class Numbering {
public:
  explicit Numbering(const Program& program) : program_(program), units_(*program.units) {}

  ValueNumbers number() {
    const auto inputs = program_.flat.graph()->inputs();
    for (std::size_t i = 1; i < inputs.size(); ++i) add(inputs[i]); // behind the module itself
    result_.flow.input_count = result_.values.size();
    for (const Unit& unit : units_.all())
      for (torch::jit::Value* made : unit.node->outputs()) add(made);
    for (const Unit& unit : units_.all()) add_reads(unit);
    result_.flow.ops = program_.op_of_unit;
    for (torch::jit::Value* value : leaves(program_.result))
      result_.flow.results.push_back(add(value));
    return std::move(result_);
  }

private:
  ValueNumber add(torch::jit::Value* value) {
    const auto [entry, fresh] = result_.numbers.try_emplace(value, result_.values.size());
    if (fresh) {
      result_.values.push_back(value);
      result_.flow.makers.push_back(units_.maker(value));
    }
    return entry->second;
  }

  void add_reads(const Unit& unit) {
    auto& reads = result_.flow.reads.emplace_back();
    for (torch::jit::Value* read : unit.reads)
      if (read != program_.flat.graph()->inputs()[0]) reads.push_back(add(read));
  }

  const Program& program_;
  const Units& units_;
  ValueNumbers result_;
};

} // namespace

ValueNumbers number_values(const Program& program) { return Numbering(program).number(); }

} // namespace model_validator::partition
