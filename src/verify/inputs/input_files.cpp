#include "verify/inputs/input_files.h"

#include "files/input_file.h"
#include "verify/inputs/npy.h"
#include "verify/inputs/npz.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

namespace fs = std::filesystem;

bool is_position(const std::string& name) {
  const auto digits = name.rfind("arr_", 0) == 0 ? name.substr(4) : name;
  return !digits.empty() &&
         std::ranges::all_of(digits, [](unsigned char c) { return std::isdigit(c) != 0; });
}

NamedValue named(const std::string& name, Value value) {
  return {is_position(name) ? "" : name, std::move(value)};
}

NamedValues from_npz(const fs::path& file) {
  NamedValues values;
  for (auto& [name, tensor] : read_npz(file)) values.push_back(named(name, Value{tensor}));
  return values;
}

Value from_npy(const fs::path& file) {
  const InputFile opened(file);
  const std::uint64_t size = npy_size(opened.read_at(0, npy_start), file.string());
  if (size > opened.size()) throw Error(ErrorKind::bad_npy, file.string(), "the array is cut off");
  auto bytes = std::make_shared<const std::string>(opened.read_at(0, size));
  return Value{read_npy(std::move(bytes), file.string())};
}

/// A saved list or tuple gives inputs by position, a dict by name.
bool spread(const Value& value, NamedValues& values) {
  if (const auto* sequence = std::get_if<Sequence>(&value.data)) {
    for (const auto& item : sequence->items) values.push_back({"", item});
    return true;
  }
  if (const auto* dict = std::get_if<Dict>(&value.data)) {
    for (const auto& [key, item] : dict->items) values.push_back({key, item});
    return true;
  }
  return false;
}

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::exists(path))
    throw Error(ErrorKind::not_found, path.string(), "there is no such input file",
                "check the path for a typo");
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path)) {
    const auto extension = entry.path().extension();
    if (extension == ".npz" || extension == ".npy" || extension == ".pt" || extension == ".pth")
      files.push_back(entry.path());
  }
  if (files.empty())
    throw Error(ErrorKind::no_inputs, path.string(), "the folder holds no .npz, .npy or .pt file");
  std::ranges::sort(files);
  return files;
}

} // namespace

std::vector<NamedValues> read_input_files(const std::vector<fs::path>& paths) {
  std::vector<NamedValues> samples;
  NamedValues together;
  for (const auto& path : paths)
    for (const auto& file : files_of(path)) {
      NamedValues values;
      if (file.extension() == ".npz")
        samples.push_back(from_npz(file));
      else if (file.extension() == ".npy")
        together.push_back(named(file.stem().string(), from_npy(file)));
      else if (auto value = read_saved_value(file); spread(value, values))
        samples.push_back(std::move(values));
      else
        together.push_back({fs::is_directory(path) ? file.stem().string() : "", value});
    }
  if (!together.empty()) samples.push_back(std::move(together));
  return samples;
}

} // namespace model_validator::verify
