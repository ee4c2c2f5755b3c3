// How libFuzzer changes an input.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

/// Every third time, all decisions from one on are redrawn: what libFuzzer's own mutations insert
/// or remove changes the meaning of everything after it.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  if (random() % 3 != 0) return LLVMFuzzerMutate(data, size, most);
  const std::size_t start = size == 0 ? 0 : random() % size;
  const std::size_t end = std::min(most, start + (std::size_t{1} << random() % 12));
  for (std::size_t i = start; i < end; ++i) data[i] = static_cast<std::uint8_t>(random() >> 8U);
  return std::max<std::size_t>(end, 1);
}
