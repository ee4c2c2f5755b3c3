#include "libraries/torch_libraries.h"

#include "libraries/torch_installation.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <charconv>
#include <dlfcn.h>
#include <fstream>

namespace model_validator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "torch-";

/// The number after the dot of `2.13`.
int minor_number(const std::string& version) {
  int number = 0;
  const char* begin = version.data() + version.find('.') + 1;
  std::from_chars(begin, version.data() + version.size(), number);
  return number;
}

/// Holds a folder `torch-2.13` for each version.
fs::path all_libraries() { return own_folder() / "model_validator"; }

fs::path libraries_for(const std::string& version) {
  return all_libraries() / (std::string(prefix) + version);
}

/// Where the LibTorch lies that the libraries were built with, if the installation noted it.
fs::path noted_folder(const std::string& version) {
  std::ifstream stream(libraries_for(version) / "libtorch_folder");
  std::string folder;
  std::getline(stream, folder);
  return folder;
}

/// Where torch is looked for by default: next to the Python package that this library is part of,
/// or where it was when the libraries were built.
std::vector<fs::path> usual_folders(const std::vector<std::string>& served) {
  std::vector<fs::path> folders{(own_folder() / "../../torch/lib").lexically_normal()};
  for (const std::string& version : served)
    if (const fs::path folder = noted_folder(version); !folder.empty()) folders.push_back(folder);
  return folders;
}

std::string install_hint(const std::vector<std::string>& served) {
  return "install one that fits: pip install 'torch==" + served.back() +
         ".*'; the extra `verify` alone does not bring it";
}

[[noreturn]] void refuse(const std::string& what, const std::string& file,
                         const std::vector<std::string>& served,
                         const std::vector<TorchInstallation>& found) {
  if (served.empty())
    throw Error(ErrorKind::no_libtorch, file,
                what + " needs torch, but this installation was built without it",
                "install torch, then model_validator again");
  const std::string torch = "torch " + boost::algorithm::join(served, ", ");
  if (found.empty())
    throw Error(ErrorKind::no_libtorch, file, what + " needs " + torch + ", which is not installed",
                install_hint(served));
  const std::string& version = found.front().version;
  throw Error(ErrorKind::no_libtorch, file,
              what + " is built for " + torch + ", but torch " +
                  (version.empty() ? "of an unknown version" : version) + " is installed",
              install_hint(served));
}

} // namespace

fs::path own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0) return {};
  return fs::absolute(info.dli_fname).parent_path();
}

bool is_torch_folder(const fs::path& folder) {
  return folder.filename().string().starts_with(prefix);
}

std::vector<std::string> served_torch_versions() {
  std::vector<std::string> versions;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(all_libraries(), failed))
    if (is_torch_folder(entry.path()))
      versions.push_back(entry.path().filename().string().substr(prefix.size()));
  std::sort(versions.begin(), versions.end(), [](const std::string& a, const std::string& b) {
    return minor_number(a) < minor_number(b);
  });
  return versions;
}

fs::path fitting_torch_libraries(const std::string& what, const std::string& file) {
  const auto served = served_torch_versions();
  const auto found = find_torch_installations(usual_folders(served));
  const auto fitting = std::find_if(found.begin(), found.end(), [&](const auto& torch) {
    return std::find(served.begin(), served.end(), minor_version(torch.version)) != served.end();
  });
  if (fitting == found.end()) refuse(what, file, served, found);
  if (const std::string wrong = load_torch(*fitting); !wrong.empty())
    throw Error(ErrorKind::no_libtorch, file, what + " cannot load LibTorch: " + wrong);
  return libraries_for(minor_version(fitting->version));
}

} // namespace model_validator
