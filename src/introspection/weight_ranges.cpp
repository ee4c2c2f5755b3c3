#include "introspection/weight_ranges.h"

#include "introspection/range_kernels.h"
#include "introspection/weight_reader.h"
#include "introspection/weight_scan.h"
#include "introspection/weight_store.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

namespace model_validator {
namespace {

constexpr float greatest_step = 127; ///< of int8
constexpr std::uint64_t group_size = 128;
constexpr std::size_t block_numbers = 4096;
/// A channel that is so much smaller than the tensor is as good as zero in float32.
constexpr float negligible = 1e-7F;
constexpr std::uint64_t endless = std::uint64_t{1} << 62U;

/// Which numbers of a tensor share a scale, as they lie one after the other: number i has the scale
/// (i ÷ run) mod count, or with columns (i ÷ (count · rows)) · count + i mod count.
struct Sharing {
  std::uint64_t run = endless;
  std::uint64_t count = 1;
  std::uint64_t rows = 0; ///< of columns; 0: runs

  std::uint64_t scales(std::uint64_t numbers) const {
    if (rows == 0) return std::min(count, (numbers + run - 1) / run);
    const std::uint64_t height = (numbers + count - 1) / count;
    return (height + rows - 1) / rows * count;
  }
};

/// The sum of `of(numbers, scales)` over the parts of a block whose numbers share one scale, or,
/// with columns, have one scale each.
/// @param scales  of the whole tensor
template <class Scale, class Of>
double sum_of_parts(const Sharing& sharing, std::uint64_t first, std::span<const float> block,
                    std::span<Scale> scales, Of of) {
  const std::uint64_t stride = sharing.rows == 0 ? sharing.run : sharing.count;
  double sum = 0;
  for (std::size_t done = 0; done < block.size();) {
    const std::uint64_t at = first + done;
    const auto size = static_cast<std::size_t>(
        std::min<std::uint64_t>(block.size() - done, stride - at % stride));
    const auto part = block.subspan(done, size);
    if (sharing.rows == 0)
      sum += of(part, scales[at / stride % sharing.count]);
    else
      sum += of(part, scales.subspan(at / stride / sharing.rows * stride + at % stride, size));
    done += size;
  }
  return sum;
}

/// A tensor to be measured, and what is known of it so far.
struct Measured {
  StoredWeights stored;
  std::size_t width = 0; ///< bytes of a number
  std::uint64_t numbers = 0;
  Sharing channels;
  std::optional<Sharing> groups;
  std::uint64_t positions = 1; ///< columns that belong to one channel
  double squares = 0;
  std::vector<float> largest; ///< by channel
};

/// Reads tensors block by block, and adds up a number for each.
class Blocks {
public:
  explicit Blocks(const std::vector<Measured*>& tensors) : tensors_(tensors) {
    for (const Measured* tensor : tensors) stored_.push_back(tensor->stored);
  }

  /// @param work  called as `work(tensor, first, numbers, state)` with the place of the first
  /// number
  ///              and with what `begin(tensor)` made for the piece, on several threads;
  ///              `end(tensor, state)` on one at a time
  template <class Begin, class Work, class End>
  std::vector<double> run(Begin begin, Work work, End end) const {
    const WeightReader reader(stored_);
    std::vector<double> of_pieces(reader.pieces().size());
    std::mutex mutex;
    reader.run(0, [&](std::size_t piece, PieceBytes& bytes) {
      const std::size_t id = reader.pieces()[piece].tensor;
      const Measured& tensor = *tensors_[id];
      auto state = begin(tensor);
      std::uint64_t at =
          (reader.pieces()[piece].span.offset - tensor.stored.spans.front().offset) / tensor.width;
      for (auto part = bytes.next(); !part.empty(); part = bytes.next())
        of_pieces[piece] += in_blocks(tensor, part, at, [&](auto first, auto numbers) {
          return work(tensor, first, numbers, state);
        });
      const std::lock_guard lock(mutex);
      end(id, state);
    });
    std::vector<double> sums(tensors_.size());
    for (std::size_t id = 0; id < tensors_.size(); ++id) {
      const Measured& tensor = *tensors_[id];
      auto state = begin(tensor);
      std::uint64_t at = 0;
      sums[id] = in_blocks(tensor, tensor.stored.bytes, at, [&](auto first, auto numbers) {
        return work(tensor, first, numbers, state);
      });
      end(id, state);
    }
    for (std::size_t piece = 0; piece < of_pieces.size(); ++piece)
      sums[reader.pieces()[piece].tensor] += of_pieces[piece];
    return sums;
  }

private:
  template <class Work>
  static double in_blocks(const Measured& tensor, std::span<const char> bytes, std::uint64_t& at,
                          Work work) {
    std::array<float, block_numbers> block{};
    double sum = 0;
    while (bytes.size() >= tensor.width) {
      const std::size_t count = std::min(block_numbers, bytes.size() / tensor.width);
      widen(bytes, tensor.stored.dtype, std::span(block).first(count));
      sum += work(at, std::span<const float>(block).first(count));
      bytes = bytes.subspan(count * tensor.width);
      at += count;
    }
    return sum;
  }

  const std::vector<Measured*>& tensors_;
  std::vector<StoredWeights> stored_;
};

using Maxima = std::vector<std::vector<float>>;

/// The greatest magnitude under each scale, and the sum of the squares.
template <class SharingOf>
std::pair<Maxima, std::vector<double>> maxima_of(const std::vector<Measured*>& tensors,
                                                 SharingOf sharing_of) {
  Maxima maxima;
  for (const Measured* tensor : tensors)
    maxima.emplace_back(sharing_of(*tensor).scales(tensor->numbers));
  auto sums = Blocks(tensors).run(
      [&](const Measured& tensor) {
        return std::vector<float>(sharing_of(tensor).scales(tensor.numbers));
      },
      [&](const Measured& tensor, std::uint64_t first, std::span<const float> numbers,
          std::vector<float>& largest) {
        return sum_of_parts(sharing_of(tensor), first, numbers, std::span(largest),
                            [](auto part, auto&& under) { return raise(part, under); });
      },
      [&](std::size_t id, const std::vector<float>& largest) {
        std::transform(largest.begin(), largest.end(), maxima[id].begin(), maxima[id].begin(),
                       [](float x, float y) { return std::max(x, y); });
      });
  return {std::move(maxima), std::move(sums)};
}

/// What rounding to int8 takes away, where each scale takes in the greatest magnitude under it.
template <class SharingOf>
std::vector<double> errors_of(const std::vector<Measured*>& tensors, SharingOf sharing_of,
                              Maxima maxima) {
  for (std::vector<float>& scales : maxima)
    for (float& scale : scales) scale /= greatest_step;
  std::map<const Measured*, const std::vector<float>*> scales_of;
  for (std::size_t id = 0; id < tensors.size(); ++id) scales_of[tensors[id]] = &maxima[id];
  return Blocks(tensors).run(
      [&](const Measured& tensor) { return scales_of.at(&tensor); },
      [&](const Measured& tensor, std::uint64_t first, std::span<const float> numbers,
          const std::vector<float>* scales) {
        return sum_of_parts(sharing_of(tensor), first, numbers, std::span(*scales),
                            [](auto part, auto&& under) { return squared_error(part, under); });
      },
      [](std::size_t, const std::vector<float>*) {});
}

std::uint64_t bytes_in(const StoredWeights& stored) {
  std::uint64_t bytes = stored.bytes.size();
  for (const ByteSpan& span : stored.spans) bytes += span.size;
  return bytes;
}

/// The tensor's channels as they lie in memory; one where its numbers lie apart.
void place_channels(Measured& tensor, std::size_t axis) {
  const auto& shape = tensor.stored.shape;
  const auto& strides = tensor.stored.strides;
  const std::uint64_t product =
      std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
  if (axis >= shape.size() || shape[axis] == 0 || product != tensor.numbers ||
      tensor.stored.spans.size() > 1)
    return;
  std::uint64_t inner = 1;
  if (!strides.empty())
    inner = std::max<std::uint64_t>(strides[axis], 1);
  else
    for (std::size_t i = axis + 1; i < shape.size(); ++i) inner *= shape[i];
  const bool outermost = inner * shape[axis] == tensor.numbers;
  if (outermost || inner >= group_size) {
    tensor.channels = {inner, shape[axis]};
    if (inner % group_size == 0) tensor.groups = Sharing{group_size, endless};
  } else {
    tensor.positions = inner;
    tensor.channels = {endless, inner * shape[axis], endless};
    if (inner == 1) tensor.groups = Sharing{endless, shape[axis], group_size};
  }
}

/// Columns of one channel get the greatest of their maxima.
void join_positions(Measured& tensor) {
  for (std::size_t i = 0; tensor.positions > 1 && i < tensor.largest.size();
       i += tensor.positions) {
    const auto begin = tensor.largest.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(tensor.positions);
    std::fill(begin, end, *std::max_element(begin, end));
  }
}

std::optional<Measured> found_tensor(const std::map<std::string, StoredWeights>& listed,
                                     const WeightQuery& query) {
  const auto found = listed.find(query.name);
  if (found == listed.end() || !may_be_widened(found->second.dtype)) return std::nullopt;
  Measured tensor;
  tensor.stored = found->second;
  tensor.width = facts_of(*dtype_named(tensor.stored.dtype)).bits / 8;
  tensor.numbers = bytes_in(tensor.stored) / tensor.width;
  if (tensor.numbers == 0) return std::nullopt;
  place_channels(tensor, query.axis);
  return tensor;
}

const Sharing& channels_of(const Measured& tensor) { return tensor.channels; }
const Sharing& groups_of(const Measured& tensor) { return *tensor.groups; }
const Sharing& all_of(const Measured& /*tensor*/) {
  static const Sharing one;
  return one;
}

/// What is asked about, with the sum of its squares and the maxima of its channels.
std::vector<std::optional<Measured>> measured(const std::filesystem::path& file,
                                              const std::vector<WeightQuery>& queries) {
  std::map<std::string, StoredWeights> listed;
  for (StoredWeights& weights : list_named_weights(file))
    listed.emplace(weights.name, std::move(weights));
  std::vector<std::optional<Measured>> tensors;
  std::vector<Measured*> found;
  for (const WeightQuery& query : queries) tensors.push_back(found_tensor(listed, query));
  for (auto& tensor : tensors)
    if (tensor) found.push_back(&*tensor);
  auto [maxima, squares] = maxima_of(found, channels_of);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i]->squares = squares[i];
    found[i]->largest = std::move(maxima[i]);
    join_positions(*found[i]);
  }
  return tensors;
}

float largest_of(const Measured& tensor) { return *std::ranges::max_element(tensor.largest); }

double decibels(double signal, double noise) { return 10 * std::log10(signal / noise); }

/// However the numbers are distributed, rounding takes away at most half a scale of each.
bool may_lose(const Measured& tensor, double enough) {
  const double scale = largest_of(tensor) / greatest_step;
  return !(decibels(tensor.squares, static_cast<double>(tensor.numbers) * scale * scale / 4) >=
           enough);
}

WeightRange described(const Measured& tensor) {
  WeightRange range;
  range.dtype = tensor.stored.dtype;
  range.numbers = tensor.numbers;
  range.largest = largest_of(tensor);
  range.channels = tensor.largest.size() / tensor.positions;
  const auto channels_up_to = [&](float most) {
    return static_cast<std::size_t>(
               std::ranges::count_if(tensor.largest, [&](float each) { return each <= most; })) /
           tensor.positions;
  };
  range.dead = channels_up_to(largest_of(tensor) * negligible);
  range.lost = channels_up_to(largest_of(tensor) / greatest_step / 2) - range.dead;
  if (!std::isfinite(tensor.squares)) {
    const NonFiniteCount count = count_non_finite(std::vector{tensor.stored}).front();
    range.non_finite = count.nan + count.infinite;
  }
  return range;
}

/// Fills in the ratios of tensors that may lose much.
void add_ratios(const std::vector<Measured*>& tensors, const std::vector<WeightRange*>& ranges,
                double enough) {
  Maxima whole, channels;
  for (const Measured* tensor : tensors) {
    whole.push_back({largest_of(*tensor)});
    channels.push_back(tensor->largest);
  }
  const auto by_tensor = errors_of(tensors, all_of, std::move(whole));
  const auto by_channel = errors_of(tensors, channels_of, std::move(channels));
  std::vector<Measured*> left;
  std::vector<WeightRange*> left_ranges;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    ranges[i]->per_tensor = decibels(tensors[i]->squares, by_tensor[i]);
    ranges[i]->per_channel = decibels(tensors[i]->squares, by_channel[i]);
    if (*ranges[i]->per_channel >= enough || !tensors[i]->groups) continue;
    left.push_back(tensors[i]);
    left_ranges.push_back(ranges[i]);
  }
  const auto by_group = errors_of(left, groups_of, maxima_of(left, groups_of).first);
  for (std::size_t i = 0; i < left.size(); ++i)
    left_ranges[i]->grouped = decibels(left[i]->squares, by_group[i]);
}

} // namespace

std::vector<std::optional<WeightRange>> measure_weights(const std::filesystem::path& file,
                                                        const std::vector<WeightQuery>& queries,
                                                        double enough) {
  std::vector<std::optional<Measured>> tensors = measured(file, queries);
  std::vector<std::optional<WeightRange>> ranges(queries.size());
  std::vector<Measured*> losing;
  std::vector<WeightRange*> losing_ranges;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (!tensors[i]) continue;
    ranges[i] = described(*tensors[i]);
    if (ranges[i]->non_finite > 0 || ranges[i]->largest <= 0 || !may_lose(*tensors[i], enough))
      continue;
    losing.push_back(&*tensors[i]);
    losing_ranges.push_back(&*ranges[i]);
  }
  add_ratios(losing, losing_ranges, enough);
  return ranges;
}

} // namespace model_validator
