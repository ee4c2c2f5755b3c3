#include "introspection/weight_samples.h"

#include "connected_graph/file_nodes.h"
#include "connected_graph/stored_weights.h"
#include "introspection/byte_source.h"
#include "introspection/stored_numbers.h"
#include "introspection/weight_store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

namespace model_validator {
namespace {

/// Of a tensor: a batch norm's channels, and enough of a weight to tell how large it is.
constexpr std::uint64_t max_sampled_bytes = 16384;
constexpr std::uint64_t parts = 4;
constexpr std::uint64_t widest_number = 8; ///< in bytes

/// Parts of a tensor's bytes, which lie evenly over them; of packed ones, which are unpacked from
/// their start, the first.
std::vector<ByteSpan> sampled(const StoredWeights& weights, std::uint64_t size) {
  const std::uint64_t step =
      weights.compressed ? max_sampled_bytes / parts : size / parts / widest_number * widest_number;
  std::vector<ByteSpan> kept;
  std::uint64_t before = 0; // bytes of the spans that came before
  for (const ByteSpan& span : weights.spans) {
    while (kept.size() < parts && step * kept.size() - before < span.size) {
      const std::uint64_t start = step * kept.size() - before;
      kept.push_back({span.offset + start, std::min(max_sampled_bytes / parts, span.size - start)});
    }
    before += span.size;
  }
  return kept;
}

/// A tensor with all of its bytes where they are few; else with some, and without a shape.
StoredWeights cut_down(const StoredWeights& weights) {
  std::uint64_t size = weights.bytes.size();
  for (const ByteSpan& span : weights.spans) size += span.size;
  if (size <= max_sampled_bytes) return weights;
  return {.file = weights.file,
          .entry = weights.entry,
          .compressed = weights.compressed,
          .spans = sampled(weights, size),
          .bytes = weights.bytes.substr(0, max_sampled_bytes),
          .name = weights.name,
          .dtype = weights.dtype};
}

WeightSamples sample_weights(const std::vector<StoredWeights>& listed,
                             const std::vector<std::string>& names) {
  std::map<std::string_view, const StoredWeights*> by_name;
  for (const StoredWeights& weights : listed) by_name.emplace(weights.name, &weights);
  WeightSamples samples;
  ByteSource source;
  for (const std::string& name : names) {
    const auto found = by_name.find(name);
    samples.push_back(found == by_name.end() ? std::nullopt
                                             : numbers_of(cut_down(*found->second), source));
  }
  return samples;
}

} // namespace

WeightSampler sampler_of(const ConnectedGraph& graph, const std::filesystem::path& file) {
  if (graph.file_nodes)
    return [&listed = graph.file_nodes->weights](const std::vector<std::string>& names) {
      return sample_weights(listed, names);
    };
  return [file, listed = std::optional<std::vector<StoredWeights>>()](
             const std::vector<std::string>& names) mutable {
    if (!listed) listed = list_named_weights(file);
    return sample_weights(*listed, names);
  };
}

} // namespace model_validator
