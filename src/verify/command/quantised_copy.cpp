#include "verify/command/quantised_copy.h"

#include "connected_graph/quantised_role.h"
#include "verify/command/confined_reading.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>
#include <model_validator/quantisation.h>

#include <ATen/ATen.h>
#include <boost/range/iterator_range.hpp>
#include <c10/core/GradMode.h>

namespace model_validator::verify {
namespace {

/// What a graph says of its quantised values.
struct QuantisedPart {
  std::uint64_t operations = 0;
  bool per_channel = false;
  bool has_wide_values = false;
};

template <class Archive> void describe(Archive& archive, QuantisedPart& part) {
  archive(part.operations, part.per_channel, part.has_wide_values);
}

bool has_many_scales(const Quantisation& quantisation) {
  if (quantisation.scale.values) return quantisation.scale.values->size() > 1;
  const auto& shape = quantisation.scale.type.shape;
  return shape && !shape->empty() && shape->front() != 1;
}

QuantisedPart quantised_part_of(const ModelFile& model) {
  QuantisedPart part;
  if (model.format == FileFormat::unknown || model.format == FileFormat::aot_package) return part;
  ReadOptions options = model.options;
  options.file_operators = false;
  const ConnectedGraph graph = read_graph(model.path, options);
  for (OpId id = 0; id < graph.op_count(); ++id) part.operations += is_quantised(graph.op(id));
  for (const Parameter& parameter : graph.parameters())
    if (parameter.quantisation && has_many_scales(*parameter.quantisation)) part.per_channel = true;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph.graph()))) {
    const auto& quantisation = graph.graph()[edge].quantisation;
    if (quantisation && quantisation->dtype.ends_with("int16")) part.has_wide_values = true;
  }
  return part;
}

} // namespace

std::optional<QuantisedCopy> find_quantised_copy(const ModelFile& reference,
                                                 const ModelFile& candidate,
                                                 const VerifyRequest& request) {
  if (reference.path == candidate.path || !std::filesystem::is_regular_file(candidate.path))
    return std::nullopt;
  const auto part_of = [&](const ModelFile& model) {
    try {
      return read_confined_value({model.path}, request, [&] { return quantised_part_of(model); });
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) throw;
      return QuantisedPart{}; // what cannot be read is reported when the model runs
    }
  };
  const QuantisedPart copy = part_of(candidate);
  if (copy.operations == 0 || copy.operations <= part_of(reference).operations) return std::nullopt;
  return QuantisedCopy{copy.per_channel, copy.has_wide_values};
}

void round_weights(torch::jit::Module& module, bool per_channel) {
  const c10::NoGradGuard no_gradients;
  for (const auto& weight : module.parameters()) {
    if (!weight.is_floating_point() || weight.dim() < 2 || weight.numel() == 0) continue;
    const auto rows = weight.to(at::kFloat).flatten(1);
    const auto largest = per_channel ? rows.abs().amax(1, true) : rows.abs().max().reshape({1, 1});
    const auto scale = (largest / 127).clamp_min(1e-30);
    weight.copy_(((rows / scale).round() * scale).reshape(weight.sizes()));
  }
}

} // namespace model_validator::verify
