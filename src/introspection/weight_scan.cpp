#include "introspection/weight_scan.h"

#include "introspection/weight_reader.h"

#include <map>
#include <tuple>

namespace model_validator {
namespace {

/// The tensors to read, and the names of each.
struct Readable {
  std::vector<StoredWeights> tensors;
  std::vector<std::vector<std::string>> names;
};

Readable readable_of(std::vector<StoredWeights> listed, std::vector<std::string>& unread) {
  using Place = std::tuple<std::string, std::string, std::uint64_t, std::uint64_t, std::string>;
  Readable readable;
  std::map<Place, std::size_t> known;
  for (StoredWeights& weights : listed) {
    if (weights.dtype.empty()) unread.push_back(weights.name);
    if (!may_be_non_finite(weights.dtype)) continue;
    if (!weights.spans.empty()) {
      const Place place{weights.file.string(), weights.entry, weights.spans.front().offset,
                        weights.spans.back().offset + weights.spans.back().size, weights.dtype};
      const auto [found, is_new] = known.emplace(place, readable.tensors.size());
      if (!is_new) {
        readable.names[found->second].push_back(weights.name);
        continue;
      }
    }
    readable.names.push_back({weights.name});
    readable.tensors.push_back(std::move(weights));
  }
  return readable;
}

} // namespace

std::vector<NonFiniteCount> count_non_finite(const std::vector<StoredWeights>& tensors) {
  const WeightReader reader(tensors);
  std::vector<NonFiniteCount> of_pieces(reader.pieces().size());
  reader.run(0, [&](std::size_t piece, PieceBytes& bytes) {
    const std::string& dtype = tensors[reader.pieces()[piece].tensor].dtype;
    for (auto part = bytes.next(); !part.empty(); part = bytes.next())
      of_pieces[piece].add(count_non_finite(part, dtype));
  });
  std::vector<NonFiniteCount> counts;
  for (const StoredWeights& weights : tensors)
    counts.push_back(count_non_finite(weights.bytes, weights.dtype));
  for (std::size_t piece = 0; piece < of_pieces.size(); ++piece)
    counts[reader.pieces()[piece].tensor].add(of_pieces[piece]);
  return counts;
}

WeightScan scan_weights(const std::filesystem::path& file) {
  WeightScan scan;
  Readable readable = readable_of(list_named_weights(file), scan.unread);
  const std::vector<NonFiniteCount> counts = count_non_finite(readable.tensors);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i].nan + counts[i].infinite > 0)
      scan.non_finite.push_back({std::move(readable.names[i]), readable.tensors[i].dtype,
                                 counts[i].numbers, counts[i].nan, counts[i].infinite});
  return scan;
}

} // namespace model_validator
