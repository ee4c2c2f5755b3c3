#pragma once

#include "files/byte_span.h"
#include "files/input_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::onnx_format {

/// An ONNX file without the bytes of its tensors.
struct FilteredModel {
  /// A ModelProto in which the `raw_data` of a tensor lists, as little-endian 64-bit numbers,
  /// indices into `tensor_data` of the spans left out.
  std::string bytes;
  std::vector<ByteSpan> tensor_data;
  std::vector<std::uint32_t> fields; ///< of the TensorProto, that each of these was

  /// The fields whose spans a filtered tensor's `raw_data` lists.
  std::vector<std::uint32_t> fields_of(const std::string& raw_data) const;
};

/// Scans the file and skips the bytes of its tensors without reading them.
/// @throws Error (`damaged-onnx`, `too-large`)
FilteredModel without_tensor_data(const InputFile& file);

/// The spans that a filtered tensor's `raw_data` lists.
std::vector<ByteSpan> spans_of(const std::string& raw_data, const std::vector<ByteSpan>& all);

} // namespace model_validator::onnx_format
