#include "introspection/weight_ledger.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <system_error>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

struct Entry {
  ByteSpan span;
  const StoredWeights* weights = nullptr;
};

std::uint64_t end_of(const Entry& entry) { return entry.span.offset + entry.span.size; }

/// Nothing where the dtype does not say how large an element is.
std::optional<std::uint64_t> bytes_needed(const StoredWeights& weights) {
  const auto dtype = dtype_named(weights.dtype);
  const std::uint64_t bits = dtype ? facts_of(*dtype).bits : 0;
  if (bits == 0) return std::nullopt;
  std::uint64_t count = 1;
  for (const std::uint64_t size : weights.shape) count *= size; // bounded when it was listed
  return (count * bits + 7) / 8;
}

/// Writers begin a tensor at a multiple of some power of two, the largest that of pages on Windows.
bool aligns(std::uint64_t gap, std::uint64_t next) {
  constexpr std::uint64_t max_alignment = 64 * 1024;
  for (std::uint64_t alignment = 2; alignment <= max_alignment; alignment *= 2)
    if (gap < alignment) return next % alignment == 0;
  return false;
}

class LedgerOfFile {
public:
  LedgerOfFile(const fs::path& file, std::vector<Entry> entries, WeightLedger& ledger)
      : file_(file.filename().string()), entries_(std::move(entries)), ledger_(ledger) {
    std::error_code failed;
    bytes_ = fs::file_size(file, failed);
    std::ranges::stable_sort(entries_, {}, [](const Entry& each) { return each.span.offset; });
  }

  void enter() {
    for (const Entry& entry : entries_) compare(entry);
    ledger_.files.push_back({file_, bytes_, count_unread()});
  }

private:
  void compare(const Entry& entry) {
    const auto needed = bytes_needed(*entry.weights);
    if (!needed || *needed == entry.span.size) return;
    const auto kind =
        entry.span.size < *needed ? ByteFault::Kind::too_short : ByteFault::Kind::too_long;
    ledger_.faults.push_back({kind, entry.weights->name, {}, file_, entry.span.size, *needed});
  }

  /// Two names may stand for one tensor: then their places are the same.
  void note_overlap(const Entry& furthest, const Entry& entry) {
    const bool same = furthest.span.offset == entry.span.offset;
    if (same || entry.span.size == 0 || entry.span.offset >= end_of(furthest)) return;
    ledger_.faults.push_back({ByteFault::Kind::overlap, entry.weights->name, furthest.weights->name,
                              file_, std::min(end_of(furthest), end_of(entry)) - entry.span.offset,
                              entry.span.size});
  }

  std::uint64_t count_unread() {
    std::uint64_t unread = 0, read_to = 0;
    const Entry* furthest = nullptr;
    for (const Entry& entry : entries_) {
      if (furthest != nullptr) note_overlap(*furthest, entry);
      if (entry.span.offset > read_to && !aligns(entry.span.offset - read_to, entry.span.offset))
        unread += entry.span.offset - read_to;
      if (furthest == nullptr || end_of(entry) > read_to) furthest = &entry;
      read_to = std::max(read_to, end_of(entry));
    }
    if (bytes_ > read_to && !aligns(bytes_ - read_to, bytes_)) unread += bytes_ - read_to;
    return unread;
  }

  std::string file_;
  std::vector<Entry> entries_;
  WeightLedger& ledger_;
  std::uint64_t bytes_ = 0;
};

} // namespace

WeightLedger ledger_of(const std::vector<StoredWeights>& weights, const fs::path& model) {
  WeightLedger ledger;
  std::map<fs::path, std::vector<Entry>> files;
  for (const StoredWeights& each : weights)
    if (each.file != model && each.entry.empty() && each.spans.size() == 1)
      files[each.file].push_back({each.spans[0], &each});
  for (auto& [file, entries] : files) LedgerOfFile(file, std::move(entries), ledger).enter();
  return ledger;
}

} // namespace model_validator
