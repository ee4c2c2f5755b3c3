#include "partition/graph_alone.h"

#include "connected_graph/format_table.h"

#include <model_validator/error.h>

namespace model_validator::partition {
namespace {

/// A model of a format whose subgraphs cannot be written.
class GraphAlone final : public Divisible {
public:
  GraphAlone(const std::filesystem::path& file, const OpenOptions& options)
      : graph_(read_graph(file, options.read)) {}

  const ConnectedGraph& graph() const override { return graph_; }
  const Constraints& constraints() const override { return constraints_; }

  Manifest write_subgraphs(const Plan&, const std::filesystem::path&) const override {
    throw Error(ErrorKind::cannot_divide, graph_.origin.path,
                "subgraphs of a " + graph_.origin.format + " file cannot be written",
                "leave --emit out, or divide the TorchScript or ONNX file of the model");
  }

private:
  ConnectedGraph graph_;
  Constraints constraints_;
};

} // namespace

void refuse_inputs(const std::filesystem::path& file, const OpenOptions& options) {
  if (options.inputs.specs.empty() && options.inputs.files.empty()) return;
  throw Error(ErrorKind::usage, file.string(),
              "inputs are given, but shapes cannot be worked out for a file of this format",
              "leave --input out: the shapes that the file itself states are used");
}

std::unique_ptr<Divisible> open_graph_alone(const std::filesystem::path& file,
                                            const OpenOptions& options) {
  refuse_inputs(file, options);
  return std::make_unique<GraphAlone>(file, options);
}

std::unique_ptr<Divisible> open_divisible(const std::filesystem::path& file,
                                          const OpenOptions& options) {
  return format_of(file).divide(file, options);
}

} // namespace model_validator::partition
