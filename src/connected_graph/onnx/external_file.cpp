#include "connected_graph/onnx/external_file.h"

#include <model_validator/error.h>

#include <charconv>
#include <string>

namespace model_validator::onnx_format {
namespace {

std::string entry(const ::onnx::TensorProto& tensor, const std::string& key) {
  for (const auto& each : tensor.external_data())
    if (each.key() == key) return each.value();
  return {};
}

/// The number in an entry; `otherwise` where there is no such entry.
std::uint64_t number(const ::onnx::TensorProto& tensor, const std::string& key,
                     std::uint64_t otherwise, const std::filesystem::path& model) {
  const std::string text = entry(tensor, key);
  std::uint64_t value = otherwise;
  if (text.empty()) return value;
  const char* end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stopped != end)
    throw Error("damaged-onnx", model.string(),
                "the " + key + " of tensor `" + tensor.name() + "` in its file is not a number",
                "export the model again");
  return value;
}

std::filesystem::path file_of(const ::onnx::TensorProto& tensor,
                              const std::filesystem::path& model) {
  const std::filesystem::path location = entry(tensor, "location");
  const std::filesystem::path normal = location.lexically_normal();
  if (location.empty() || location.is_absolute() || *normal.begin() == "..")
    throw Error("missing-weights", model.string(),
                "tensor `" + tensor.name() + "` lies outside the model's folder",
                "save the model again with its weights beside it");
  const std::filesystem::path file = model.parent_path() / normal;
  if (!std::filesystem::is_regular_file(file))
    throw Error("missing-weights", model.string(),
                "the weights of the model are missing: " + file.string(),
                "put the file of weights beside the model");
  return file;
}

} // namespace

ExternalPlace external_place(const ::onnx::TensorProto& tensor, const std::filesystem::path& model,
                             std::uint64_t size) {
  return {file_of(tensor, model), number(tensor, "offset", 0, model),
          number(tensor, "length", size, model)};
}

} // namespace model_validator::onnx_format
