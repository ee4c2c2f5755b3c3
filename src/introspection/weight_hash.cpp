#include "introspection/byte_source.h"
#include "introspection/digest.h"
#include "introspection/weight_store.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace model_validator {
namespace {

constexpr std::uint64_t piece_bytes = std::uint64_t{16} << 20;
constexpr std::size_t window_bytes = std::size_t{256} << 10;

/// What is hashed at one go: a part of a tensor.
struct Piece {
  std::size_t tensor = 0;
  ByteSpan span;
};

/// Pieces that one thread reads one after the other.
using Task = std::vector<Piece>;

struct Plan {
  std::vector<Task> tasks;
  std::vector<std::size_t> first_piece; ///< of each task, among all pieces
  std::size_t pieces = 0;
};

std::vector<Piece> pieces_of(const StoredWeights& weights, std::size_t tensor) {
  std::vector<Piece> pieces;
  for (const ByteSpan& span : weights.spans)
    for (std::uint64_t done = 0; done < span.size; done += piece_bytes)
      pieces.push_back({tensor, {span.offset + done, std::min(piece_bytes, span.size - done)}});
  return pieces;
}

/// Small tensors share a task; a large one has many, unless it must be unpacked from its start.
Plan plan(const std::vector<StoredWeights>& weights) {
  Plan plan;
  std::uint64_t bytes = piece_bytes;
  for (std::size_t tensor = 0; tensor < weights.size(); ++tensor)
    for (const Piece& piece : pieces_of(weights[tensor], tensor)) {
      const bool goes_on = weights[tensor].compressed && piece.span.offset > 0;
      if (!goes_on && bytes + piece.span.size > piece_bytes) {
        plan.tasks.emplace_back();
        plan.first_piece.push_back(plan.pieces);
        bytes = 0;
      }
      plan.tasks.back().push_back(piece);
      bytes += piece.span.size;
      ++plan.pieces;
    }
  return plan;
}

std::string hash_piece(const StoredWeights& weights, const Piece& piece, ByteSource& source,
                       std::vector<char>& window) {
  Digest digest;
  source.seek(weights, piece.span.offset);
  for (std::uint64_t left = piece.span.size; left > 0;) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(left, window.size()));
    source.read(window.data(), count);
    digest.add(window.data(), count);
    left -= count;
  }
  return digest.text();
}

class Workers {
public:
  Workers(const std::vector<StoredWeights>& weights, const Plan& plan)
      : weights_(weights), plan_(plan), digests_(plan.pieces) {}

  std::vector<std::string> run(unsigned threads) {
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    const auto count = std::min<std::size_t>(threads, plan_.tasks.size());
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < count; ++i) others.emplace_back([this] { work(); });
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
    return std::move(digests_);
  }

private:
  void work() {
    try {
      ByteSource source;
      std::vector<char> window(window_bytes);
      for (std::size_t task = next_++; task < plan_.tasks.size(); task = next_++)
        for (std::size_t i = 0; i < plan_.tasks[task].size(); ++i) {
          const Piece& piece = plan_.tasks[task][i];
          digests_[plan_.first_piece[task] + i] =
              hash_piece(weights_[piece.tensor], piece, source, window);
        }
    } catch (...) {
      next_ = plan_.tasks.size();
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  const std::vector<StoredWeights>& weights_;
  const Plan& plan_;
  std::vector<std::string> digests_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

} // namespace

std::vector<std::string> hash_weights(const std::vector<StoredWeights>& weights, unsigned threads) {
  const Plan work = plan(weights);
  const std::vector<std::string> pieces = Workers(weights, work).run(threads);
  std::vector<Digest> tensors(weights.size());
  for (std::size_t task = 0; task < work.tasks.size(); ++task)
    for (std::size_t i = 0; i < work.tasks[task].size(); ++i)
      tensors[work.tasks[task][i].tensor].add(pieces[work.first_piece[task] + i]);
  std::vector<std::string> digests;
  for (std::size_t tensor = 0; tensor < weights.size(); ++tensor) {
    tensors[tensor].add(weights[tensor].bytes);
    digests.push_back(tensors[tensor].text());
  }
  return digests;
}

} // namespace model_validator
