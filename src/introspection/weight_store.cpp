#include "introspection/weight_store.h"

#include "connected_graph/format_table.h"

#include <algorithm>
#include <map>

namespace model_validator {

std::vector<StoredWeights> list_weights(const std::filesystem::path& file) {
  return format_of(file).list_weights(file);
}

std::vector<std::string> places_of_weights(const std::filesystem::path& file,
                                           const std::vector<StoredWeights>& weights) {
  std::map<std::string_view, std::size_t> numbers; // entries are named after their archive, too
  for (const StoredWeights& each : weights) numbers.emplace(each.entry, numbers.size());
  const auto listed = [](std::string text, const std::vector<std::uint64_t>& values) {
    for (const std::uint64_t value : values) text += std::to_string(value) + ",";
    return text;
  };
  std::vector<std::string> places;
  for (const StoredWeights& tensor : format_of(file).list_placed_weights(file)) {
    const auto entry = numbers.find(tensor.entry);
    std::string place = tensor.name + " " + tensor.dtype + listed(" [", tensor.shape) +
                        listed("] [", tensor.strides) + "] in " +
                        (entry == numbers.end() ? "nothing" : std::to_string(entry->second));
    for (const ByteSpan& span : tensor.spans)
      place += " " + std::to_string(span.offset) + "+" + std::to_string(span.size);
    places.push_back(std::move(place));
  }
  std::ranges::sort(places);
  return places;
}

std::vector<StoredWeights> list_named_weights(const std::filesystem::path& file) {
  return format_of(file).list_named_weights(file);
}

} // namespace model_validator
