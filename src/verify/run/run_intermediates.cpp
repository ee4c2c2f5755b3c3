#include "verify/run/run_intermediates.h"

#include "verify/run/op_watcher.h"
#include "verify/run/retrace.h"

namespace model_validator::verify {
namespace {

std::string name_of(const std::string& op, std::size_t index, std::size_t count) {
  return count == 1 ? op : op + "." + std::to_string(index);
}

/// Overwrites what the operator made, so that all holders see the new values.
void replace(const at::Tensor& computed, const at::Tensor& replacement) {
  computed.copy_(computed.is_mkldnn() ? replacement.to(computed.scalar_type()).to_mkldnn()
                                      : replacement);
}

class Show {
public:
  explicit Show(const IntermediateRun& run) : run_(run) {}

  void operator()(const WatchedOp& op) {
    Intermediate shown{"", op.type, {}, {}};
    for (const auto producer : op.producers)
      shown.inputs.push_back(names_.at(producer.op).at(producer.index));
    auto& names = names_.emplace_back();
    for (std::size_t i = 0; i < op.results.size(); ++i) {
      shown.name = names.emplace_back(name_of(op.name, i, op.results.size()));
      shown.tensor = op.results[i];
      if (const auto found = run_.replaced.find(shown.name); found != run_.replaced.end())
        replace(shown.tensor, found->second);
      if (run_.visit && (!run_.wanted || run_.wanted(shown.name))) run_.visit(shown);
    }
  }

private:
  const IntermediateRun& run_;
  std::vector<std::vector<std::string>> names_; ///< of each operator's results
};

} // namespace

std::vector<at::Tensor> run_intermediates(const torch::jit::Module& module,
                                          const std::vector<c10::IValue>& inputs,
                                          const IntermediateRun& run) {
  OpWatcher watcher(Show{run});
  return flat_tensors(Interpreter(module).run(clone_inputs(inputs), &watcher));
}

} // namespace model_validator::verify
