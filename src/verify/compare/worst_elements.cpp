#include "verify/compare/worst_elements.h"

#include <algorithm>

namespace model_validator::verify {

WorstElements::WorstElements(std::size_t most, double least) : most_(most), least_(least) {
  heap_.reserve(most + 1);
}

bool WorstElements::before(const Entry& x, const Entry& y) {
  return x.key != y.key ? x.key > y.key : x.element.position < y.element.position;
}

double WorstElements::threshold() const {
  if (most_ == 0) return std::numeric_limits<double>::infinity();
  return heap_.size() < most_ ? least_ : heap_.front().key;
}

void WorstElements::add(double key, const PlacedElement& element) {
  if (key > threshold()) insert({key, element});
}

void WorstElements::merge(const WorstElements& other) {
  for (const Entry& entry : other.heap_) insert(entry);
}

void WorstElements::insert(const Entry& entry) {
  heap_.push_back(entry);
  std::push_heap(heap_.begin(), heap_.end(), before);
  if (heap_.size() <= most_) return;
  std::pop_heap(heap_.begin(), heap_.end(), before);
  heap_.pop_back();
}

std::vector<PlacedElement> WorstElements::sorted() const {
  std::vector<Entry> entries = heap_;
  std::ranges::sort(entries, before);
  std::vector<PlacedElement> elements;
  elements.reserve(entries.size());
  for (const Entry& entry : entries) elements.push_back(entry.element);
  return elements;
}

} // namespace model_validator::verify
