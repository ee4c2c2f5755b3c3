#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// One tensor of a model's file that holds numbers that are not finite.
struct NonFiniteTensor {
  std::vector<std::string> names; ///< `layer1.0.conv1.weight`; several if paths share the tensor
  std::string dtype;
  std::uint64_t numbers = 0; ///< a complex number counts as two
  std::uint64_t nan = 0;
  std::uint64_t infinite = 0;
};

/// What reading all weights of a model's file found.
struct WeightScan {
  std::vector<NonFiniteTensor> non_finite; ///< in file order
  std::vector<std::string> unread;         ///< tensors that the file stores in a form that is not
                                           ///< read: a pickle, an encoded array
};

/// Reads the weights of the model being checked, each once. @throws Error (`missing-weights`,
/// `truncated-file`, and those of the readers)
using WeightScanner = std::function<WeightScan()>;

/// A file that an ONNX model keeps tensors in, besides its own.
struct DataFile {
  std::string name; ///< as it is called in its folder
  std::uint64_t bytes = 0;
  std::uint64_t unread = 0; ///< bytes that no tensor takes, but for those that align the next
};

/// What the place of a tensor in a file of data has against its dimensions, or another's place.
struct ByteFault {
  enum class Kind : std::uint8_t {
    too_short, ///< fewer bytes are named than the dimensions need
    too_long,
    overlap, ///< with another tensor that lies elsewhere
  };
  Kind kind = Kind::too_short;
  std::string tensor;
  std::string other; ///< that it overlaps with
  std::string file;
  std::uint64_t named = 0;
  std::uint64_t needed = 0;
};

/// Which bytes of its files of data a model takes. No weights are read.
struct WeightLedger {
  std::vector<DataFile> files;
  std::vector<ByteFault> faults;
};
using LedgerKeeper = std::function<WeightLedger()>;

/// A tensor of weights to be measured.
struct WeightQuery {
  std::string name;     ///< in the file
  std::size_t axis = 0; ///< the dimension of what it yields: of the output channels
};

/// What eight bits, symmetric about zero, make of a tensor of weights. The ratios are those of
/// signal to quantisation noise (SQNR), in dB; none where they need not be known.
struct WeightRange {
  std::string dtype;
  std::uint64_t numbers = 0;
  std::uint64_t non_finite = 0; ///< there are then no ratios
  double largest = 0;           ///< magnitude
  std::size_t channels = 0;
  std::size_t dead = 0;              ///< channels that hold nothing but zeros, or next to nothing
  std::size_t lost = 0;              ///< others, of which one scale for all leaves only zeros
  std::optional<double> per_tensor;  ///< with one scale
  std::optional<double> per_channel; ///< with a scale for each channel
  std::optional<double> grouped;     ///< with a scale for every 128 numbers of a channel
};

/// Measures tensors of the model being checked. Ratios beyond `enough` are left out; a tensor that
/// the file does not have, or whose numbers are no floats, has no result.
/// @throws Error (`missing-weights`, `truncated-file`, and those of the readers)
using WeightMeter = std::function<std::vector<std::optional<WeightRange>>(
    const std::vector<WeightQuery>& queries, double enough)>;

/// Some of the numbers of tensors; none where they are not read.
using WeightSamples = std::vector<std::optional<std::vector<double>>>;

/// Reads some numbers of each of these tensors of the model being checked, few enough that even a
/// large model takes no time. @throws Error (`missing-weights`, `truncated-file`, and those of the
/// readers)
using WeightSampler = std::function<WeightSamples(const std::vector<std::string>& names)>;

} // namespace model_validator
