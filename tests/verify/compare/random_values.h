#pragma once

#include <cstddef>
#include <random>
#include <vector>

/// The same normally distributed numbers each time.
inline std::vector<float> normal_values(std::size_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> values(count);
  for (float& value : values) value = normal(random);
  return values;
}
