#include "connected_graph/shapes/functions.h"

#include <algorithm>

// Operators that take texts apart.

namespace model_validator::shapes::functions {

/// The parts of each text, and how many they are.
void split_texts(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr) return;
  at.set(1, *data);
  Shape parts = *data;
  parts.emplace_back();
  at.set(0, std::move(parts));
}

/// Some are left out.
void normalise_texts(Inference& at) {
  const Shape* data = at.shape(0);
  if (data == nullptr || data->empty()) return;
  Shape result = *data;
  result.back() = {};
  at.set(0, std::move(result));
}

/// A count for each of the sequences that it knows.
void count_sequences(Inference& at) {
  const Shape* data = at.shape(0);
  const auto places = at.integers("ngram_indexes");
  if (data == nullptr || data->empty() || !places || places->empty()) return;
  Shape result = *data;
  result.back() = Size::of(*std::max_element(places->begin(), places->end()) + 1);
  at.set(0, std::move(result));
}

} // namespace model_validator::shapes::functions
