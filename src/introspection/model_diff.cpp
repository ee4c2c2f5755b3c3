#include "introspection/model_diff.h"

#include "introspection/ir_text.h"
#include "introspection/weight_store.h"

#include <algorithm>

namespace model_validator {
namespace {

/// A node of a tree model holds a list with an element for each node of its trees.
std::string clipped(std::string text) {
  constexpr std::size_t longest = 400;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
  return text.substr(0, end) + " …";
}

ModelDifference::Place place_of(const ConnectedGraph& graph, OpId id) {
  ModelDifference::Place place;
  if (id == none) return place;
  const Op& op = graph.op(id);
  place.op = op.name;
  place.module = graph.module_path(op.module != none ? op.module : op.parent);
  place.source = graph.location(op.frame);
  place.text = clipped(ir_lines(graph, IrStyle::plain).at(id));
  return place;
}

std::size_t count_differences(const std::vector<std::string>& first,
                              const std::vector<std::string>& second) {
  const std::size_t common = std::min(first.size(), second.size());
  std::size_t count = std::max(first.size(), second.size()) - common;
  for (std::size_t i = 0; i < common; ++i) count += first[i] != second[i] ? 1 : 0;
  return count;
}

void compare_weights(ModelDifference& difference) {
  const auto first = list_weights(difference.first_path);
  const auto second = list_weights(difference.second_path);
  difference.weights = std::max(first.size(), second.size());
  difference.changed_weights = count_differences(hash_weights(first), hash_weights(second));
  if (difference.changed_weights == 0) // the same bytes, perhaps of other tensors
    difference.changed_weights = std::min(
        difference.weights, count_differences(places_of_weights(difference.first_path, first),
                                              places_of_weights(difference.second_path, second)));
  difference.verdict = difference.changed_weights == 0 ? ModelDifference::Verdict::same_fingerprint
                                                       : ModelDifference::Verdict::same_structure;
  if (difference.changed_weights > 0)
    difference.changed = changed_weights(difference.first_path, difference.second_path);
}

} // namespace

const char* to_string(ModelDifference::Verdict verdict) {
  switch (verdict) {
  case ModelDifference::Verdict::same_fingerprint: return "same-fingerprint";
  case ModelDifference::Verdict::same_structure: return "same-structure";
  case ModelDifference::Verdict::different_structure: return "different-structure";
  }
  return "unknown";
}

ModelDifference compare_models(const std::filesystem::path& first,
                               const std::filesystem::path& second, const ReadOptions& options) {
  const Model a(first, options);
  const Model b(second, options);
  ModelDifference difference;
  difference.first_path = first.string();
  difference.second_path = second.string();
  const auto structural = structural_difference(a.graph(), b.graph());
  if (!structural) {
    compare_weights(difference);
    return difference;
  }
  difference.verdict = ModelDifference::Verdict::different_structure;
  difference.what = structural->what;
  difference.same_format = a.graph().origin.format == b.graph().origin.format;
  difference.first = place_of(a.graph(), structural->first);
  difference.second = place_of(b.graph(), structural->second);
  return difference;
}

} // namespace model_validator
