#include "verify/command/file_weights.h"

#include "introspection/weight_difference.h"
#include "introspection/weight_scan.h"
#include "text/plural.h"
#include "text/separators.h"
#include "verify/run/module_nodes.h"

#include <model_validator/error.h>

#include <ATen/ATen.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace model_validator::verify {
namespace {

bool holds_nan(const c10::IValue& constant) {
  if (constant.isDouble()) return std::isnan(constant.toDouble());
  return constant.isTensor() && constant.toTensor().is_floating_point() &&
         constant.toTensor().isnan().any().item<bool>();
}

/// Whether the code itself has a NaN, which an exporter may turn into a tensor.
bool writes_nan(const torch::jit::Module& module) {
  bool found = false;
  visit_nodes(module, [&](const torch::jit::Node& node) {
    if (found || node.kind() != torch::jit::prim::Constant) return;
    const auto value = torch::jit::toIValue(node.output());
    found = value && holds_nan(*value);
  });
  return found;
}

std::string words_about(const std::vector<NonFiniteTensor>& tensors) {
  const auto& first = tensors.front();
  std::string words = "`" + (first.names.empty() ? "a tensor" : first.names.front()) +
                      "` of the candidate holds " + std::to_string(first.nan) + " NaN of " +
                      std::to_string(first.numbers) + " numbers";
  if (tensors.size() > 1) words += ", as do " + plural(tensors.size() - 1, "other tensor");
  return words + "; the reference holds none";
}

std::vector<ChangedWeights> changed_by_name(const std::filesystem::path& reference,
                                            const std::filesystem::path& candidate) {
  for (const auto& file : {reference, candidate})
    if (!std::filesystem::is_regular_file(file)) return {};
  std::vector<ChangedWeights> changed;
  try {
    changed = changed_weights(reference, candidate);
  } catch (const Error&) {
    return {}; // what cannot be read is reported by who runs it
  }
  const bool named_alike = std::ranges::all_of(
      changed, [](const ChangedWeights& each) { return each.name == each.other_name; });
  if (!named_alike) return {};
  std::erase_if(changed, [](const ChangedWeights& each) { return each.differing == 0; });
  return changed;
}

} // namespace

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

std::optional<Incident> nan_of_candidate_alone(const ModelFile& reference,
                                               const std::vector<NonFiniteTensor>& of_candidate) {
  if (!tensors_with_nan(reference).empty()) return std::nullopt;
  if (reference.is_torchscript() &&
      writes_nan(*declare_model(reference.path, reference.options).module))
    return std::nullopt;
  return Incident{IncidentKind::nan_weights, words_about(of_candidate),
                  "outputs need not show it, since some compilers turn NaN into a number: look at "
                  "how the candidate was made",
                  true};
}

std::string words_about_weights(const std::filesystem::path& reference,
                                const std::filesystem::path& candidate) {
  const std::vector<ChangedWeights> changed = changed_by_name(reference, candidate);
  if (changed.empty()) return {};
  const ChangedWeights& first = changed.front();
  const std::uint64_t numbers = std::accumulate(first.shape.begin(), first.shape.end(),
                                                std::uint64_t{1}, std::multiplies<>());
  std::string words = (first.name.empty() ? "a tensor without a name" : "`" + first.name + "`") +
                      " differs in " + with_separators(first.differing) + " of " +
                      with_separators(numbers) + (numbers == 1 ? " number" : " numbers");
  if (changed.size() > 1)
    words += ", and so " + std::string(changed.size() == 2 ? "does " : "do ") +
             plural(changed.size() - 1, "other tensor");
  return words;
}

} // namespace model_validator::verify
