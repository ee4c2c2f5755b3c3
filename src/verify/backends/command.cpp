#include "verify/backends/builtin.h"
#include "verify/backends/command_line.h"
#include "verify/backends/flat_backend.h"

namespace model_validator::verify {
namespace {

class Command final : public Backend {
public:
  std::string name() const override { return "command"; }
  std::string summary() const override {
    return "any program that reads inputs and writes outputs as .npz";
  }
  ModelFunction compile(const BackendInput& input, const std::vector<c10::IValue>&,
                        const BackendOptions& options) const override {
    expect_cpu(options, name());
    check_command(options.command);
    return from_flat([command = options.command](
                         const NamedTensors& inputs) { return run_command(command, inputs); },
                     input.input_names);
  }
};

} // namespace

std::shared_ptr<const Backend> command_backend() { return std::make_shared<Command>(); }

} // namespace model_validator::verify
