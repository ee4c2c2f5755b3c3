#include "cli/runtime_choice.h"

#include "cli/console/option_adder.h"
#include "cli/console/shared_options.h"

#include <CLI/CLI.hpp>

#include <cmath>

namespace model_validator::cli {

verify::VerifyRequest RuntimeChoice::complete() const {
  verify::VerifyRequest completed = request;
  completed.timeout = std::chrono::milliseconds(std::llround(timeout * 1000));
  completed.inputs = inputs.complete();
  completed.optimise = !no_optimise;
  if (sandbox) completed.sandbox = process::to_string(*sandbox);
  return completed;
}

void add_model(CLI::App& app, RuntimeChoice& choice) {
  app.add_option("MODEL", choice.request.reference, "an ONNX file")->required()->type_name("");
}

void add_runtime(CLI::App& app, RuntimeChoice& choice) {
  OptionAdder runtime(app, "Runtime");
  runtime.option({"backend", "NAME",
                  "onnxruntime, openvino or tensorrt-rtx, which parses and builds alone; "
                  "`onnxruntime:CUDAExecutionProvider`, `openvino:GPU` name where it runs"},
                 choice.request.backend);
  runtime.option({"no-optimise", "", "every node as the file has it, where the runtime can"},
                 choice.no_optimise);
  runtime.option(
      {"command", "LINE",
       "a program that runs `{model}`, reads `{inputs}` and writes `{outputs}`, both .npz"},
      choice.request.command);
  add_inputs(app, choice.inputs);
  OptionAdder running(app, "Running");
  running.option({"timeout", "S", "seconds that each run may take", {}, Bounds{0.001, 1e6}},
                 choice.timeout);
  describe_sandbox(running, choice.sandbox);
}

} // namespace model_validator::cli
