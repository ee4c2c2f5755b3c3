#include "verify/compare/pair_reader.h"

namespace model_validator::verify {

namespace {

std::int64_t real_size(DType dtype) {
  return static_cast<std::int64_t>(element_size(dtype)) / (is_complex(dtype) ? 2 : 1);
}

} // namespace

PairReader::PairReader(const TensorView& reference, const TensorView& candidate)
    : layout_(reference, candidate), a_(static_cast<const unsigned char*>(reference.data)),
      b_(static_cast<const unsigned char*>(candidate.data)), a_size_(real_size(reference.dtype)),
      b_size_(real_size(candidate.dtype)), load_a_(loader_of(reference.dtype)),
      load_b_(loader_of(candidate.dtype)),
      subtract_exactly_(exact_subtraction(reference.dtype, candidate.dtype)) {}

std::optional<RawPair> PairReader::straight_run(std::int64_t position, std::size_t count) const {
  std::optional<RawPair> pair;
  layout_.for_each_run(position, static_cast<std::int64_t>(count),
                       [&](std::int64_t a, std::int64_t a_stride, std::int64_t b,
                           std::int64_t b_stride, std::int64_t length) {
                         if (a_stride == 1 && b_stride == 1 &&
                             length == static_cast<std::int64_t>(count))
                           pair = RawPair{a_ + a * a_size_, b_ + b * b_size_, count};
                       });
  return pair;
}

bool PairReader::read(std::int64_t position, std::size_t count, Block& block) const {
  std::size_t filled = 0;
  layout_.for_each_run(position, static_cast<std::int64_t>(count),
                       [&](std::int64_t a, std::int64_t a_stride, std::int64_t b,
                           std::int64_t b_stride, std::int64_t length) {
                         const auto n = static_cast<std::size_t>(length);
                         load_a_(a_ + a * a_size_, a_stride, block.a + filled, n);
                         load_b_(b_ + b * b_size_, b_stride, block.b + filled, n);
                         if (subtract_exactly_ != nullptr)
                           subtract_exactly_(a_ + a * a_size_, a_stride, b_ + b * b_size_, b_stride,
                                             block.d + filled, n);
                         filled += n;
                       });
  return subtract_exactly_ != nullptr || subtract(block, count);
}

} // namespace model_validator::verify
