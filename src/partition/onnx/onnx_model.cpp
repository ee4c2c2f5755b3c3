#include "partition/onnx/onnx_model.h"

#include "partition/onnx/onnx_program.h"
#include "partition/onnx/onnx_subgraphs.h"

#include <model_validator/error.h>

namespace model_validator::partition {
namespace {

class OnnxModel final : public PartitionableModel {
public:
  explicit OnnxModel(std::unique_ptr<OnnxProgram> program) : program_(std::move(program)) {}

  const ConnectedGraph& graph() const override { return program_->graph; }
  const Constraints& constraints() const override { return program_->constraints; }
  Manifest write_subgraphs(const Plan& plan, const std::filesystem::path& folder) const override {
    return write_onnx_subgraphs(*program_, plan, folder);
  }

private:
  std::unique_ptr<OnnxProgram> program_;
};

void refuse_inputs(const std::filesystem::path& file, const OpenOptions& options) {
  if (!options.inputs.given()) return;
  throw Error(ErrorKind::usage, file.string(),
              "inputs are given, but shapes cannot be worked out for a file of this format",
              "leave --input out: the shapes that the file itself states are used");
}

} // namespace

std::unique_ptr<PartitionableModel> open_onnx_model(const std::filesystem::path& file,
                                                    const OpenOptions& options) {
  refuse_inputs(file, options);
  return std::make_unique<OnnxModel>(read_onnx_program(file, options.read));
}

} // namespace model_validator::partition
