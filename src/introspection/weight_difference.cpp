#include "introspection/weight_difference.h"

#include "introspection/byte_source.h"
#include "introspection/weight_store.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/widened.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>

namespace model_validator {
namespace {

struct Extent {
  double difference = 0;
  double greatest = 0;
  std::uint64_t differing = 0;

  void see(double a, double b) {
    if (std::isfinite(a)) greatest = std::max(greatest, std::abs(a));
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    ++differing;
    const double apart = std::abs(a - b);
    difference =
        std::isnan(apart) ? std::numeric_limits<double>::infinity() : std::max(difference, apart);
  }
};

template <class Stored> double as_it_is(Stored stored) { return stored; }
double of_float16(std::uint16_t stored) { return widen_float16(stored); }
double of_bfloat16(std::uint16_t stored) { return widen_bfloat16(stored); }

template <class Stored, double (*value)(Stored) = as_it_is<Stored>>
void compare(std::span<const char> a, std::span<const char> b, Extent& extent) {
  for (std::size_t at = 0; at + sizeof(Stored) <= a.size(); at += sizeof(Stored)) {
    Stored one, other;
    std::memcpy(&one, a.data() + at, sizeof(Stored));
    std::memcpy(&other, b.data() + at, sizeof(Stored));
    extent.see(value(one), value(other));
  }
}

using Comparison = void (*)(std::span<const char>, std::span<const char>, Extent&);

/// Null where elements of the dtype are not compared.
Comparison comparison_of(std::string_view dtype) {
  struct Row {
    std::string_view dtype;
    Comparison comparison;
  };
  constexpr std::array<Row, 6> rows{{{"float32", compare<float>},
                                     {"float64", compare<double>},
                                     {"float16", compare<std::uint16_t, of_float16>},
                                     {"bfloat16", compare<std::uint16_t, of_bfloat16>},
                                     {"complex64", compare<float>},
                                     {"complex128", compare<double>}}};
  const Row* row = row_with(rows, &Row::dtype, dtype);
  return row == nullptr ? nullptr : row->comparison;
}

/// The bytes of a tensor, window by window, whatever parts of its file they are.
class TensorBytes {
public:
  TensorBytes(const StoredWeights& weights, ByteSource& source)
      : weights_(weights), source_(source), window_(window_bytes) {}

  /// The bytes that follow; empty at the end.
  std::span<const char> next() {
    if (!weights_.bytes.empty()) return next_in_memory();
    std::size_t filled = 0;
    while (filled < window_.size() && span_ < weights_.spans.size()) {
      const ByteSpan& span = weights_.spans[span_];
      if (done_ == 0) source_.seek(weights_, span.offset);
      const auto count = static_cast<std::size_t>(
          std::min<std::uint64_t>(span.size - done_, window_.size() - filled));
      source_.read(window_.data() + filled, count);
      filled += count;
      done_ += count;
      if (done_ < span.size) continue;
      ++span_;
      done_ = 0;
    }
    return {window_.data(), filled};
  }

private:
  static constexpr std::size_t window_bytes = std::size_t{256} << 10;

  std::span<const char> next_in_memory() {
    const std::size_t count = std::min(weights_.bytes.size() - done_, window_.size());
    const std::span<const char> part{weights_.bytes.data() + done_, count};
    done_ += count;
    return part;
  }

  const StoredWeights& weights_;
  ByteSource& source_;
  std::vector<char> window_;
  std::size_t span_ = 0;
  std::uint64_t done_ = 0; ///< of the span, or of what is in memory
};

/// The files that the tensors compared so far were read from, open still: opening one looks through
/// all that it holds.
struct Sources {
  ByteSource first;
  ByteSource second;
};

ChangedWeights measure(const StoredWeights& first, const StoredWeights& second, Sources& sources) {
  ChangedWeights changed{first.name, second.name, first.dtype, first.shape, {}};
  const Comparison comparison = comparison_of(first.dtype);
  if (comparison == nullptr || first.dtype != second.dtype) return changed;
  TensorBytes a(first, sources.first), b(second, sources.second);
  Extent extent;
  for (auto part = a.next(); !part.empty(); part = a.next()) {
    const auto other = b.next();
    if (other.size() != part.size()) return changed;
    comparison(part, other, extent);
  }
  changed.difference = extent.difference;
  changed.greatest = extent.greatest;
  changed.differing = extent.differing;
  return changed;
}

/// Of its greatest value; what was not compared comes last.
double share(const ChangedWeights& changed) {
  if (!changed.difference) return -1;
  return changed.greatest > 0 ? *changed.difference / changed.greatest
                              : std::numeric_limits<double>::infinity();
}

} // namespace

std::vector<ChangedWeights> changed_weights(const std::filesystem::path& first,
                                            const std::filesystem::path& second) {
  const auto a = list_named_weights(first);
  const auto b = list_named_weights(second);
  std::vector<ChangedWeights> changed;
  if (a.size() != b.size()) return changed;
  const auto hashes_of_a = hash_weights(a);
  const auto hashes_of_b = hash_weights(b);
  Sources sources;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (hashes_of_a[i] != hashes_of_b[i]) changed.push_back(measure(a[i], b[i], sources));
  std::ranges::stable_sort(
      changed, [](const auto& one, const auto& other) { return share(one) > share(other); });
  return changed;
}

} // namespace model_validator
