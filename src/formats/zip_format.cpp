#include "formats/zip_format.h"

#include "files/zip_archive.h"
#include "formats/export_hints.h"
#include "formats/saved_pickle.h"

#include <model_validator/error.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace model_validator {
namespace {

constexpr std::size_t pickle_start = std::size_t{8} << 20U;

template <typename Condition> bool any_name(const ZipArchive& zip, Condition&& holds) {
  return std::ranges::any_of(zip.entries(),
                             [&](const ZipEntry& entry) { return holds(zip.name_inside(entry)); });
}

bool has_folder(const ZipArchive& zip, std::string_view folder) {
  return any_name(zip, [folder](std::string_view name) { return name.rfind(folder, 0) == 0; });
}

bool has_suffix(const ZipArchive& zip, std::string_view suffix) {
  return any_name(zip, [suffix](std::string_view name) { return name.ends_with(suffix); });
}

bool has_file(const ZipArchive& zip, std::string_view name) {
  return std::ranges::any_of(zip.entries(),
                             [name](const ZipEntry& entry) { return entry.name == name; });
}

bool is_exported_program(const ZipArchive& zip) {
  return any_name(zip, [](std::string_view name) {
    return (name.rfind("models/", 0) == 0 && name.ends_with(".json")) ||
           name == "serialized_exported_program.json";
  });
}

bool is_early_torchscript(const ZipArchive& zip) {
  return zip.find("model.json") != nullptr && has_folder(zip, "code/");
}

bool is_torch_package(const ZipArchive& zip) {
  return zip.find(".data/extern_modules") != nullptr || zip.find("extern_modules") != nullptr;
}

bool is_office_document(const ZipArchive& zip) {
  return has_file(zip, "[Content_Types].xml") || has_file(zip, "META-INF/manifest.xml");
}

bool holds_model_files(const ZipArchive& zip) {
  return has_suffix(zip, ".pt") || has_suffix(zip, ".pt2") || has_suffix(zip, ".onnx") ||
         has_suffix(zip, ".pth");
}

/// What a zip is instead of a model, and what to do about it.
struct OtherZip {
  const char* description;
  const char* hint;
};

struct KnownZip {
  bool (*is_one)(const ZipArchive& zip);
  OtherZip what;
};

/// The first that a zip is; the last is what each is that none is before.
constexpr std::array known_zips = std::to_array<KnownZip>({
    {[](const ZipArchive& zip) { return zip.entries().empty(); }, {"an empty zip", export_hint}},
    {is_early_torchscript,
     {"a TorchScript file from before torch 1.2",
      "load it with torch 1.2 to 1.13 and save it again"}},
    {[](const ZipArchive& zip) { return zip.find("bytecode.pkl") != nullptr; },
     {"a PyTorch Mobile file without its TorchScript code", export_hint}},
    {is_torch_package, {"a torch.package archive, which only Python can read", export_hint}},
    {[](const ZipArchive& zip) {
       return has_file(zip, "dlc.metadata") || has_file(zip, "model.params");
     },
     {"a DLC file, compiled for a chip of Qualcomm's",
      "lint the model that it was compiled from, and compare the two: `model_validator verify "
      "MODEL --command './run.sh {inputs} {outputs}'`, with a program that runs it"}},
    {[](const ZipArchive& zip) { return has_suffix(zip, ".npy"); },
     {"a NumPy archive (.npz), not a model", export_hint}},
    {[](const ZipArchive& zip) { return has_file(zip, "model.weights.h5"); },
     {"a Keras model", "convert it to ONNX with tf2onnx"}},
    {is_office_document, {"an office document, not a model", ""}},
    {[](const ZipArchive& zip) { return has_file(zip, "META-INF/MANIFEST.MF"); },
     {"a Java archive, not a model", ""}},
    {[](const ZipArchive& zip) { return has_suffix(zip, ".dist-info/WHEEL"); },
     {"a Python wheel, not a model", ""}},
    {holds_model_files,
     {"a zip with model files in it, not a model itself",
      "unpack it and give the model file inside"}},
    {[](const ZipArchive&) { return true; },
     {"a zip, but not one that TorchScript wrote", export_hint}},
});

OtherZip recognise_other(const ZipArchive& zip) {
  return std::ranges::find_if(known_zips, [&](const KnownZip& each) { return each.is_one(zip); })
      ->what;
}

} // namespace

FileFormat zip_format(const InputFile& file) {
  const ZipArchive zip(file);
  const ZipEntry* pickle = zip.find("data.pkl");
  if (pickle != nullptr && zip.find("constants.pkl") != nullptr) {
    if (is_exported_program(zip))
      throw Error(ErrorKind::several_models, file.path().string(),
                  "the file holds a TorchScript model and an exported program",
                  "save each to its own file");
    return FileFormat::torchscript;
  }
  if (is_exported_program(zip)) {
    if (has_folder(zip, "data/aotinductor/") || has_folder(zip, "data/executorch/"))
      throw Error(ErrorKind::several_models, file.path().string(),
                  "the file holds compiled code beside its exported program",
                  "save the program to a file of its own with `torch.export.save`");
    return FileFormat::exported_program;
  }
  if (has_folder(zip, "data/aotinductor/")) return FileFormat::aot_package;
  if (pickle != nullptr) refuse_saved_pickle(file.path(), zip.read_start(*pickle, pickle_start));
  const OtherZip other = recognise_other(zip);
  throw Error(ErrorKind::not_torchscript, file.path().string(), other.description, other.hint);
}

} // namespace model_validator
