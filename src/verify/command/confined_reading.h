#pragma once

#include "files/process/byte_archive.h"
#include "verify/command/model_file.h"

#include <model_validator/verify/request.h>
#include <model_validator/weights.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

template <class Archive> void describe(Archive& archive, NonFiniteTensor& tensor) {
  archive(tensor.names, tensor.dtype, tensor.numbers, tensor.nan, tensor.infinite);
}

} // namespace model_validator

// Reading models without running them. A model may attack its reader, so each reader works in a
// process that can only compute, as in linting, and its result comes back as bytes.
namespace model_validator::verify {

/// @param max_memory  bytes, besides what is mapped of the files; none: as many as linting may take
/// @returns what `read` returned there
/// @throws Error: what it threw, or how the process ended
std::string read_confined(const std::vector<std::filesystem::path>& models,
                          const VerifyRequest& request, const std::function<std::string()>& read,
                          std::optional<std::uint64_t> max_memory = {});

/// @param read  its result is described to an archive by `describe`, or known to it
template <class Read>
auto read_confined_value(const std::vector<std::filesystem::path>& models,
                         const VerifyRequest& request, const Read& read,
                         std::optional<std::uint64_t> max_memory = {}) {
  const auto described = [&] {
    auto value = read();
    process::ByteWriter writer;
    writer(value);
    return writer.bytes();
  };
  const std::string bytes = read_confined(models, request, described, max_memory);
  decltype(read()) value{};
  process::ByteReader reader(bytes);
  reader(value);
  return value;
}

template <class Archive> void describe(Archive& archive, ValueRange& range) {
  archive(range.low, range.high);
}

template <class Archive> void describe(Archive& archive, SizeBound& bound) {
  archive(bound.dimension, bound.size);
}

template <class Archive> void describe(Archive& archive, InputMeaning& meaning) {
  archive(meaning.role, meaning.rows, meaning.counted, meaning.ring, meaning.hides,
          meaning.calibrated, meaning.bounds, meaning.sizes, meaning.may_be_nan,
          meaning.may_be_infinite, meaning.cut_off, meaning.hashed, meaning.boxes,
          meaning.activated_boxes, meaning.decides, meaning.magnitudes, meaning.why);
}

template <class Archive> void describe(Archive& archive, InputNeed& need) {
  archive(need.name, need.type, need.kind, need.required, need.dtype, need.dtype_of_weights,
          need.shape, need.symbols, need.meaning);
}

} // namespace model_validator::verify
