#pragma once

#include "verify/inputs/sample_sizes.h"

#include <model_validator/verify/inputs.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Sizes that the user names: `x.0=1,2,7`, the dimension 0 of the input `x`, or by the file's own
/// names, `batch=2,sequence=8`. Several sizes of one dimension make several samples. Dimensions
/// that the file gives the same symbol change together.
class VariedSizes {
public:
  /// @param texts  `x.0=1,2,7`, `x.0,y.0=1,2,7`, a symbol of the file, `s77=1,2,7`, or the start of
  /// its name; several, as in `batch=2,sequence=8`
  /// @throws Error (`bad-input-spec`; `unknown-input` where no input has such a dimension)
  VariedSizes(const std::vector<InputNeed>& needs, const std::vector<std::string>& texts);

  /// How many combinations there are, at least one.
  std::size_t count() const noexcept { return count_; }
  /// Fixes the free sizes that are named.
  void fix(SampleSizes& sizes, std::size_t combination) const;
  /// The shape of an input in one of them.
  Shape fit(const std::string& input, Shape shape, std::size_t combination) const;

private:
  struct Dimension {
    std::string input;
    std::size_t number = 0;
  };
  struct Choice {
    std::vector<Dimension> dimensions;
    std::vector<std::string> names; ///< of free sizes
    std::vector<std::int64_t> sizes;
  };
  void read(const std::vector<InputNeed>& needs, const std::string& text);
  static void add_name(const std::vector<InputNeed>& needs, const std::string& part,
                       Choice& choice);

  std::vector<Choice> choices_;
  std::size_t count_ = 1;
};

} // namespace model_validator::verify
