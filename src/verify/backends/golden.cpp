#include "verify/backends/builtin.h"
#include "verify/backends/flat_backend.h"
#include "verify/run/golden_folder.h"

#include <model_validator/error.h>

namespace model_validator::verify {
namespace {

class Golden final : public Backend {
public:
  std::string name() const override { return "golden"; }
  std::string summary() const override { return "results stored by `--save-golden`"; }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    const auto golden = read_golden(options.golden);
    std::size_t next = 0;
    const auto answer = [golden, next,
                         keep = options.keep_state](const NamedTensors& inputs) mutable {
      return golden.outputs_for(inputs, keep ? next++ : 0);
    };
    return from_flat(answer, input.input_names);
  }
};

} // namespace

std::shared_ptr<const Backend> golden_backend() { return std::make_shared<Golden>(); }

} // namespace model_validator::verify
