#include "introspection/weight_samples.h"

#include "introspection/stored_numbers.h"
#include "introspection/weight_store.h"

#include <algorithm>
#include <map>
#include <utility>

namespace model_validator {
namespace {

/// Of a tensor: a batch norm's channels, and enough of a weight to tell how large it is.
constexpr std::uint64_t max_sampled_bytes = 16384;
constexpr std::uint64_t parts = 4;
constexpr std::uint64_t widest_number = 8; ///< in bytes

/// The same tensor with a part of its bytes, in which nothing is known of rows.
StoredWeights cut_down(StoredWeights weights) {
  weights.shape.clear();
  weights.strides.clear();
  if (weights.bytes.size() > max_sampled_bytes) weights.bytes.resize(max_sampled_bytes);
  std::vector<ByteSpan> kept;
  for (const ByteSpan& span : weights.spans) {
    if (span.size <= max_sampled_bytes) {
      kept.push_back(span);
      continue;
    }
    const std::uint64_t step = span.size / parts / widest_number * widest_number;
    for (std::uint64_t part = 0; part < parts; ++part)
      kept.push_back({span.offset + part * step, max_sampled_bytes / parts});
  }
  if (kept.size() > parts) kept.resize(parts);
  weights.spans = std::move(kept);
  return weights;
}

} // namespace

WeightSamples sample_weights(const std::filesystem::path& file,
                             const std::vector<std::string>& names) {
  std::map<std::string, StoredWeights> listed;
  for (StoredWeights& weights : list_named_weights(file))
    listed.emplace(weights.name, std::move(weights));
  WeightSamples samples;
  for (const std::string& name : names) {
    const auto found = listed.find(name);
    samples.push_back(found == listed.end() ? std::nullopt : numbers_of(cut_down(found->second)));
  }
  return samples;
}

} // namespace model_validator
