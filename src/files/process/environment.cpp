#include "files/process/environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace model_validator::process {
namespace {

constexpr std::array<std::string_view, 9> kept_names{"PATH",
                                                     "HOME",
                                                     "LANG",
                                                     "LANGUAGE",
                                                     "TZ",
                                                     "TMPDIR",
                                                     "LD_LIBRARY_PATH",
                                                     "NVIDIA_TF32_OVERRIDE",
                                                     "NVIDIA_VISIBLE_DEVICES"};

/// Of the libraries that compute: LibTorch, ONNX Runtime, OpenVINO and what is beneath them, and
/// our own.
constexpr std::array<std::string_view, 17> kept_beginnings{
    "LC_",   "OMP_",   "GOMP_",           "KMP_",  "MKL_", "DNNL_",     "ONEDNN_",
    "ATEN_", "TORCH_", "PYTORCH_",        "CUDA_", "ORT_", "OPENVINO_", "TBB_",
    "ASAN_", "UBSAN_", "MODEL_VALIDATOR_"};

bool is_secret(std::string_view name) {
  constexpr std::array<std::string_view, 6> words{"TOKEN", "SECRET", "PASS", "KEY", "AUTH", "CRED"};
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return upper.find(word) != upper.npos; });
}

bool is_kept(std::string_view name) {
  if (is_secret(name)) return false;
  return std::ranges::find(kept_names, name) != kept_names.end() ||
         std::ranges::any_of(kept_beginnings, [&](std::string_view beginning) {
           return name.starts_with(beginning);
         });
}

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

} // namespace

void keep_harmless_environment() {
  std::vector<std::string> removed;
  for (char** variable = ::environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string name(name_of(*variable));
    if (is_kept(name)) continue;
    // Where the kernel, or whoever set it, has put it. A value stays a text.
    const std::size_t size = std::strlen(*variable);
    if (size > name.size()) ::explicit_bzero(*variable + name.size() + 1, size - name.size() - 1);
    removed.push_back(name);
  }
  for (const std::string& name : removed) ::unsetenv(name.c_str()); // NOLINT: one thread
}

} // namespace model_validator::process
