#include "formats/zip_format.h"

#include "connected_graph/zip_archive.h"
#include "formats/saved_pickle.h"

#include <model_validator/error.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace model_validator {
namespace {

constexpr std::size_t pickle_start = std::size_t{8} << 20U;
constexpr const char* torchscript_hint =
    "export the model: `torch.jit.script(model).save(path)` or "
    "`torch.jit.trace(model, example).save(path)`";

template <typename Condition> bool any_name(const ZipArchive& zip, Condition&& holds) {
  return std::any_of(zip.entries().begin(), zip.entries().end(),
                     [&](const ZipEntry& entry) { return holds(zip.name_inside(entry)); });
}

bool has_folder(const ZipArchive& zip, std::string_view folder) {
  return any_name(zip, [folder](std::string_view name) { return name.rfind(folder, 0) == 0; });
}

bool has_suffix(const ZipArchive& zip, std::string_view suffix) {
  return any_name(zip, [suffix](std::string_view name) { return name.ends_with(suffix); });
}

bool has_file(const ZipArchive& zip, std::string_view name) {
  return std::any_of(zip.entries().begin(), zip.entries().end(),
                     [name](const ZipEntry& entry) { return entry.name == name; });
}

bool is_exported_program(const ZipArchive& zip) {
  return any_name(zip, [](std::string_view name) {
    return (name.rfind("models/", 0) == 0 && name.ends_with(".json")) ||
           name == "serialized_exported_program.json";
  });
}

[[noreturn]] void refuse(const ZipArchive& zip, const std::filesystem::path& file) {
  const auto not_torchscript = [&file](const std::string& cause, const std::string& hint) {
    throw Error(ErrorKind::not_torchscript, file.string(), cause, hint);
  };
  if (zip.entries().empty()) not_torchscript("an empty zip", torchscript_hint);
  if (zip.find("model.json") != nullptr && has_folder(zip, "code/"))
    not_torchscript("a TorchScript file from before torch 1.2",
                    "load it with torch 1.2 to 1.13 and save it again");
  if (zip.find("bytecode.pkl") != nullptr)
    not_torchscript("a PyTorch Mobile file without its TorchScript code", torchscript_hint);
  if (zip.find(".data/extern_modules") != nullptr || zip.find("extern_modules") != nullptr)
    not_torchscript("a torch.package archive, which only Python can read", torchscript_hint);
  if (has_suffix(zip, ".npy"))
    not_torchscript("a NumPy archive (.npz), not a model", torchscript_hint);
  if (has_file(zip, "model.weights.h5"))
    not_torchscript("a Keras model", "convert it to ONNX with tf2onnx");
  if (has_file(zip, "[Content_Types].xml") || has_file(zip, "META-INF/manifest.xml"))
    not_torchscript("an office document, not a model", "");
  if (has_file(zip, "META-INF/MANIFEST.MF")) not_torchscript("a Java archive, not a model", "");
  if (has_suffix(zip, ".dist-info/WHEEL")) not_torchscript("a Python wheel, not a model", "");
  if (has_suffix(zip, ".pt") || has_suffix(zip, ".pt2") || has_suffix(zip, ".onnx") ||
      has_suffix(zip, ".pth"))
    not_torchscript("a zip with model files in it, not a model itself",
                    "unpack it and give the model file inside");
  throw Error(ErrorKind::not_torchscript, file.string(),
              "a zip, but not one that TorchScript wrote", torchscript_hint);
}

} // namespace

FileFormat zip_format(const InputFile& file) {
  const ZipArchive zip(file);
  const ZipEntry* pickle = zip.find("data.pkl");
  if (pickle != nullptr && zip.find("constants.pkl") != nullptr) return FileFormat::torchscript;
  if (is_exported_program(zip)) return FileFormat::exported_program;
  if (has_folder(zip, "data/aotinductor/")) return FileFormat::aot_package;
  if (pickle != nullptr) refuse_saved_pickle(file.path(), zip.read_start(*pickle, pickle_start));
  refuse(zip, file.path());
}

} // namespace model_validator
