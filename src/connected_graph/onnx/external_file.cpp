#include "connected_graph/onnx/external_file.h"

#include "files/real_path.h"

#include <model_validator/error.h>

#include <charconv>
#include <system_error>

namespace model_validator::onnx_format {
namespace {

namespace fs = std::filesystem;

std::string entry(const ::onnx::TensorProto& tensor, const std::string& key) {
  for (const auto& each : tensor.external_data())
    if (each.key() == key) return each.value();
  return {};
}

/// Where a file really is; empty if it does not exist.
fs::path existing(const fs::path& path) {
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed);
  return failed ? fs::path() : real;
}

} // namespace

ExternalFiles::ExternalFiles(fs::path model)
    : model_(std::move(model)), folder_(existing(model_.parent_path() / ".")),
      real_folder_(existing(model_).parent_path()) {}

/// The number in an entry; `otherwise` if there is no such entry.
std::uint64_t ExternalFiles::number(const ::onnx::TensorProto& tensor, const std::string& key,
                                    std::uint64_t otherwise) const {
  const std::string text = entry(tensor, key);
  std::uint64_t value = otherwise;
  if (text.empty()) return value;
  const char* end = text.data() + text.size();
  const auto [stopped, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || stopped != end)
    throw Error(ErrorKind::damaged_onnx, model_.string(),
                "the " + key + " of tensor `" + tensor.name() + "` in its file is not a number",
                "export the model again");
  return value;
}

/// A model may be a link in its folder, and its data another link next to it: model caches do so,
/// with both pointing into one store. A link that leads elsewhere is not followed.
fs::path ExternalFiles::find(const ::onnx::TensorProto& tensor, const std::string& location) const {
  const fs::path normal = fs::path(location).lexically_normal();
  const bool inside = !normal.empty() && !normal.is_absolute() && *normal.begin() != "..";
  const fs::path file = model_.parent_path() / normal;
  const fs::path real = inside ? existing(file) : fs::path();
  const bool elsewhere =
      !real.empty() && !is_within(real, folder_) && !is_within(real, real_folder_);
  if (!inside || elsewhere)
    throw Error(ErrorKind::missing_weights, model_.string(),
                "tensor `" + tensor.name() + "` lies outside the model's folder",
                "save the model again with its weights next to it");
  std::error_code failed;
  if (!fs::is_regular_file(real, failed))
    throw Error(ErrorKind::missing_weights, model_.string(),
                "the weights of the model are missing: " + file.string(),
                "put the weight file next to the model");
  return real;
}

ExternalPlace ExternalFiles::place_of(const ::onnx::TensorProto& tensor, std::uint64_t size) {
  const std::string location = entry(tensor, "location");
  auto known = known_.find(location);
  if (known == known_.end()) known = known_.emplace(location, find(tensor, location)).first;
  const std::uint64_t length = number(tensor, "length", size);
  // Runtimes take a length of 0 for none, and read what the dimensions say.
  return {known->second, number(tensor, "offset", 0), length == 0 ? size : length};
}

} // namespace model_validator::onnx_format
