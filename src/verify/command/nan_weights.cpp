#include "verify/command/nan_weights.h"

#include "introspection/weight_scan.h"
#include "text/plural.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <cmath>

namespace model_validator::verify {
namespace {

/// The tensors of a file that hold NaN; none where the file is not one whose weights are read.
std::vector<NonFiniteTensor> tensors_with_nan(const ModelFile& model) {
  std::vector<NonFiniteTensor> tensors;
  if (!std::filesystem::is_regular_file(model.path)) return tensors;
  try {
    tensors = scan_weights(model.path).non_finite;
  } catch (const Error&) {
    return {}; // a file that cannot be read here is reported when the model runs
  }
  std::erase_if(tensors, [](const NonFiniteTensor& tensor) { return tensor.nan == 0; });
  return tensors;
}

bool holds_nan(const c10::IValue& constant) {
  if (constant.isDouble()) return std::isnan(constant.toDouble());
  return constant.isTensor() && constant.toTensor().is_floating_point() &&
         constant.toTensor().isnan().any().item<bool>();
}

bool writes_nan(const torch::jit::Block& block) {
  for (const auto* node : block.nodes()) {
    if (node->kind() == torch::jit::prim::Constant)
      if (const auto value = torch::jit::toIValue(node->output()); value && holds_nan(*value))
        return true;
    for (const auto* inner : node->blocks())
      if (writes_nan(*inner)) return true;
  }
  return false;
}

/// Whether the code itself has a NaN, which an exporter may turn into a tensor.
bool writes_nan(const torch::jit::Module& module) {
  for (const auto& part : module.modules())
    for (const auto& method : part.get_methods())
      if (writes_nan(*method.graph()->block())) return true;
  return false;
}

std::string words_about(const std::vector<NonFiniteTensor>& tensors) {
  const auto& first = tensors.front();
  std::string words = "`" + (first.names.empty() ? "a tensor" : first.names.front()) +
                      "` of the candidate holds " + std::to_string(first.nan) + " NaN of " +
                      std::to_string(first.numbers) + " numbers";
  if (tensors.size() > 1) words += ", as do " + plural(tensors.size() - 1, "other tensor");
  return words + "; the reference holds none";
}

} // namespace

std::optional<Incident> nan_of_candidate_alone(const ModelFile& reference,
                                               const ModelFile& candidate) {
  const auto tensors = tensors_with_nan(candidate);
  if (tensors.empty() || !tensors_with_nan(reference).empty()) return std::nullopt;
  if (reference.is_torchscript() &&
      writes_nan(*declare_model(reference.path, reference.options).module))
    return std::nullopt;
  return Incident{IncidentKind::nan_weights, words_about(tensors),
                  "outputs need not show it, since some compilers turn NaN into a number: look at "
                  "how the candidate was made",
                  true};
}

} // namespace model_validator::verify
