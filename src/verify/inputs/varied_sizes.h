#pragma once

#include <model_validator/verify/inputs.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace model_validator::verify {

/// Sizes that inputs have in some samples and not in others: `x.0=1,2,7`, the dimension 0 of the
/// input `x`. Dimensions that the file gives the same symbol change together.
class VariedSizes {
public:
  /// @param texts  `x.0=1,2,7`, `x.0,y.0=1,2,7`, or a symbol of the file, `s77=1,2,7`
  /// @throws Error (`bad-input-spec`; `unknown-input` where no input has such a dimension)
  VariedSizes(const std::vector<InputNeed>& needs, const std::vector<std::string>& texts);

  /// How many combinations there are, at least one.
  std::size_t count() const noexcept { return count_; }
  /// The shape of an input in one of them.
  Shape fit(const std::string& input, Shape shape, std::size_t combination) const;

private:
  struct Dimension {
    std::string input;
    std::size_t number = 0;
  };
  struct Choice {
    std::vector<Dimension> dimensions;
    std::vector<std::int64_t> sizes;
  };
  static Choice read(const std::vector<InputNeed>& needs, const std::string& text);

  std::vector<Choice> choices_;
  std::size_t count_ = 1;
};

} // namespace model_validator::verify
