#include "introspection/weight_reader.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace model_validator {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20;
constexpr std::size_t window_bytes = std::size_t{256} << 10;

} // namespace

PieceBytes::PieceBytes(const StoredWeights& weights, const WeightPiece& piece, ByteSource& source,
                       std::span<char> window)
    : source_(source), window_(window), left_(piece.span.size) {
  source_.seek(weights, piece.span.offset);
}

std::span<const char> PieceBytes::next() {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left_, window_.size()));
  if (count > 0) source_.read(window_.data(), count);
  left_ -= count;
  return window_.first(count);
}

WeightReader::WeightReader(const std::vector<StoredWeights>& weights) : weights_(weights) {
  for (std::size_t tensor = 0; tensor < weights.size(); ++tensor)
    for (const ByteSpan& span : weights[tensor].spans)
      for (std::uint64_t done = 0; done < span.size; done += piece_bytes)
        pieces_.push_back({tensor, {span.offset + done, std::min(piece_bytes, span.size - done)}});
  plan();
}

/// Small tensors share a task; a large one has many, unless it must be unpacked from its start.
void WeightReader::plan() {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const WeightPiece& piece = pieces_[i];
    const bool continues =
        i > 0 && pieces_[i - 1].tensor == piece.tensor && weights_[piece.tensor].compressed;
    if (i == 0 || (!continues && bytes + piece.span.size > piece_bytes)) {
      tasks_.push_back({i, i});
      bytes = 0;
    }
    tasks_.back().end = i + 1;
    bytes += piece.span.size;
  }
}

class WeightReader::Threads {
public:
  Threads(const WeightReader& reader, const Work& work) : reader_(reader), work_(work) {}

  void run(unsigned threads) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(threads, reader_.tasks_.size());
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < count; ++i) others.emplace_back([this] { take_tasks(); });
      take_tasks();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

private:
  void take_tasks() {
    try {
      ByteSource source;
      std::vector<char> window(window_bytes);
      for (std::size_t task = next_++; task < reader_.tasks_.size(); task = next_++)
        for (std::size_t i = reader_.tasks_[task].first; i < reader_.tasks_[task].end; ++i) {
          const WeightPiece& piece = reader_.pieces_[i];
          PieceBytes bytes(reader_.weights_[piece.tensor], piece, source, window);
          work_(i, bytes);
        }
    } catch (...) {
      next_ = reader_.tasks_.size();
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  const WeightReader& reader_;
  const Work& work_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

void WeightReader::run(unsigned threads, const Work& work) const {
  Threads(*this, work).run(threads);
}

} // namespace model_validator
