#pragma once

#include "verify/compare/non_finite.h"

#include <cstddef>
#include <limits>
#include <vector>

namespace model_validator::verify {

/// Keeps the elements with the greatest keys; among equal keys those that come first.
class WorstElements {
public:
  /// @param least  only keys above it are kept
  explicit WorstElements(std::size_t most, double least = -std::numeric_limits<double>::infinity());

  /// No element whose key is not above it need be added: it would not be kept. Holds for elements
  /// that are added in rising order of position.
  double threshold() const;

  void add(double key, const PlacedElement& element);
  void merge(const WorstElements& other);

  /// By falling key, then rising position.
  std::vector<PlacedElement> sorted() const;

private:
  struct Entry {
    double key;
    PlacedElement element;
  };
  static bool before(const Entry& x, const Entry& y);
  void insert(const Entry& entry);

  std::size_t most_;
  double least_;
  std::vector<Entry> heap_; ///< the least of them in front
};

} // namespace model_validator::verify
