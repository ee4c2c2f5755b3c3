#pragma once

#include <model_validator/verify/value.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// The range of random values.
struct ValueRange {
  double low = 0;
  double high = 1;
};

/// Reads `0..255`. @throws Error (`bad-input-spec`)
ValueRange parse_range(std::string_view text);

/// One input as `--input` describes it.
struct InputSpec {
  std::string name; ///< empty: the next input without a name
  Shape shape;
  std::optional<DType> dtype;         ///< none: what the model declares, else float32
  std::optional<ValueRange> range;    ///< none: standard normal, 0 … 9 for integers, coin tosses
  std::optional<std::string> literal; ///< a number or word instead of a tensor: `n=3`
};

/// Reads `name=1x3x224x224:float32:0..255`. Name, dtype and range may be left out; a scalar tensor
/// has the shape `scalar`; a plain number is written `name=3` where the model declares `name` an
/// `int`, or a tensor without dimensions.
/// @throws Error (`bad-input-spec`)
InputSpec parse_input_spec(std::string_view text);

/// Where inputs come from.
struct InputOptions {
  std::vector<std::string> specs;           ///< `--input`
  std::vector<std::filesystem::path> files; ///< `--inputs`: .npz, .npy, saved tensors, a folder
  std::uint64_t seed = 0;
  std::optional<ValueRange> range; ///< for every specification without its own
  std::size_t samples = 1;         ///< of random values; files have their own
  /// `--sizes`, `x.0=1,2,7` or `batch=2,sequence=8`: as many samples for each size, or combination
  /// of sizes.
  std::vector<std::string> sizes;
  /// Names in files that stand for inputs of other names; those that stand for an empty name are
  /// passed over.
  std::map<std::string, std::string> other_names = {};

  bool given() const noexcept { return !specs.empty() || !files.empty() || !sizes.empty(); }
};

/// What the values of an input stand for.
enum class InputRole : std::uint8_t {
  unknown,
  rows,           ///< numbers of rows of a table, such as tokens
  positions,      ///< where in its sequence each element is
  padding_mask,   ///< 1 where there is an element, 0 where there is padding
  added_mask,     ///< 0 where there is an element, else the lowest number
  cache,          ///< keys or values of the elements before
  last_positions, ///< of each sequence, the number of its elements less one
  total_length,   ///< the number of elements with those before
  lengths,        ///< of each sequence, the number of its elements
  has_past,       ///< whether the cache counts
  image,
  sound
};
/// In words: `row numbers`. Nothing for `unknown`.
const char* to_string(InputRole role);

/// A number that a size is held to. A dimension counts from the end where it is negative; none:
/// that of any input may be meant.
struct SizeBound {
  std::optional<std::int64_t> dimension;
  std::int64_t size = 0;
  friend bool operator==(const SizeBound&, const SizeBound&) = default;
};

/// What an input is taken for.
struct InputMeaning {
  InputRole role = InputRole::unknown;
  std::int64_t rows = 0; ///< of the table that it gathers from; 0 where none was found
  bool counted = false;  ///< of a mask: only how many ones it has matters, so that padding is last
  bool ring = false;     ///< of a cache: it is as long as its window, whatever it holds
  bool hides = false;    ///< of a mask of padding: its ones are the padding
  std::optional<ValueRange> calibrated = {}; ///< what a quantised copy has steps for
  std::vector<double> bounds = {};   ///< values on whose two sides the graph does something else
  std::vector<SizeBound> sizes = {}; ///< what the graph holds sizes to
  bool may_be_nan = false;           ///< NaN has a meaning: the graph asks for it
  bool may_be_infinite = false;      ///< likewise
  bool cut_off = false; ///< values beyond the bounds are brought within them before they are used
  bool hashed = false;  ///< whole numbers are computed with until they may not fit 32 bits
  bool boxes = false;   ///< corners of boxes, of which those that overlap are dropped
  bool activated_boxes = false; ///< what a sigmoid, or the like, makes such corners of
  bool decides = false;         ///< which branch of the graph runs depends on its values
  bool magnitudes = false;      ///< something inside depends on how large its values are
  std::string why;              ///< on what this rests
};

/// An input that a model needs.
struct InputNeed {
  enum class Kind : std::uint8_t { tensor, number, other };
  std::string name;
  std::string type; ///< as the model writes it: `Tensor`, `Optional[Tensor]`, `int`
  Kind kind = Kind::tensor;
  bool required = true;
  std::optional<DType> dtype; ///< where the file says so
  std::optional<Shape> shape; ///< where the file says so; -1 for a free size
  /// What the file calls its sizes, `s77` or `past + sequence`; empty for those that it fixes.
  /// Sizes of one name are equal.
  std::vector<std::string> symbols = {};
  InputMeaning meaning = {};
  /// Of the weights of a model that does not say what it takes: floating-point inputs are likely
  /// the same.
  std::optional<DType> dtype_of_weights = {};
};

/// One value for each need, in order; `None` for an optional input that is not given.
using Sample = std::vector<Value>;

/// Matches what the model needs with what the user gives.
/// @throws Error (`missing-input`) naming every missing input, (`unknown-input`) naming those that
/// the model does not have
std::vector<Sample> make_samples(const std::vector<InputNeed>& needs, const InputOptions& options);

/// A tensor of random values. The same seed gives the same values everywhere.
Tensor random_tensor(DType dtype, const Shape& shape, std::uint64_t seed,
                     const std::optional<ValueRange>& range = {});

/// A tensor of given numbers, in row-major order.
Tensor tensor_of(DType dtype, const Shape& shape, const std::vector<double>& numbers);

} // namespace model_validator::verify
