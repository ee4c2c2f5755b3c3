#include "connected_graph/format_table.h"
#include "files/input_file.h"
#include "files/zip_archive.h"
#include "files/zip_end.h"
#include "formats/export_hints.h"
#include "formats/known_files.h"
#include "formats/saved_pickle.h"
#include "introspection/openvino_ir.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
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

/// What a zip holds, by the names in its directory.
/// @throws Error for every zip that is not a model
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

constexpr std::size_t max_fields = 100'000;
constexpr std::uint64_t max_ir_version = 1000;

enum WireType : std::uint64_t { varint = 0, bytes = 2 };
enum ModelField : std::uint64_t { ir_version = 1, model_version = 5, graph = 7, opset_import = 8 };

/// Steps over the outermost fields of a protobuf message in a file.
class FieldWalk {
public:
  explicit FieldWalk(const InputFile& file) : file_(file) {}

  bool at_end() const { return at_ == file_.size(); }
  std::uint64_t left() const { return file_.size() - at_; }
  void skip(std::uint64_t count) { at_ += count; }

  std::optional<std::uint64_t> number() {
    const std::string head = file_.read_at(at_, 10);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < head.size(); ++i) {
      const auto byte = static_cast<unsigned char>(head[i]);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << (7 * i);
      if (byte < 0x80) {
        at_ += i + 1;
        return value;
      }
    }
    return std::nullopt;
  }

private:
  const InputFile& file_;
  std::uint64_t at_ = 0;
};

bool is_model_field(std::uint64_t field, std::uint64_t wire_type) {
  if (field == ir_version || field == model_version) return wire_type == varint;
  const bool known =
      (field >= 2 && field <= 8) || field == 14 || field == 20 || field == 25 || field == 26;
  return known && wire_type == bytes;
}

[[noreturn]] void cut_off(const InputFile& file) {
  throw Error(ErrorKind::truncated_file, file.path().string(), "the ONNX file is cut off",
              "copy or download it again, or export the model again");
}

/// Whether the file is an ONNX ModelProto: its outermost fields are those of one, with a graph
/// among them. Fields are stepped over, not read.
/// @throws Error (`truncated-file`) for one whose last field is cut off
bool is_onnx(const InputFile& file) {
  FieldWalk walk(file);
  bool has_graph = false;
  bool has_version = false;
  for (std::size_t i = 0; i < max_fields && !walk.at_end(); ++i) {
    const auto tag = walk.number();
    if (!tag || !is_model_field(*tag >> 3U, *tag & 7U)) return false;
    const auto value = walk.number();
    if (!value) return false;
    const std::uint64_t field = *tag >> 3U;
    if (field == ir_version && *value > max_ir_version) return false;
    has_version |= field == ir_version || field == opset_import;
    has_graph |= field == graph;
    if ((*tag & 7U) != bytes) continue;
    if (*value > walk.left()) {
      if (has_graph && has_version) cut_off(file);
      return false;
    }
    walk.skip(*value);
  }
  return has_graph && has_version;
}

/// Whether the file is a Core ML model: its version, its description, and then what it is made of,
/// whose numbers begin at 200. (apple/coremltools, mlmodel/format/Model.proto)
bool is_core_ml(const InputFile& file) {
  constexpr std::uint64_t version_tag = 1U << 3U | varint, description_tag = 2U << 3U | bytes;
  constexpr std::uint64_t max_version = 100, first_type = 200;
  FieldWalk walk(file);
  if (walk.number() != version_tag || walk.number().value_or(max_version) >= max_version)
    return false;
  if (walk.number() != description_tag) return false;
  const auto description = walk.number();
  if (!description || *description >= walk.left()) return false;
  walk.skip(*description);
  const auto tag = walk.number();
  return tag && (*tag & 7U) == bytes && *tag >> 3U >= first_type;
}

constexpr std::size_t head_bytes = 512;

/// FlatBuffers have their mark behind the offset of what they hold.
std::optional<FileFormat> flat_buffer_format(std::string_view head) {
  constexpr std::size_t mark_at = 4, mark_size = 4;
  const auto mark = head.size() < mark_at ? "" : head.substr(mark_at, mark_size);
  if (mark == "TFL3") return FileFormat::litert;
  if (mark == "ET12") return FileFormat::executorch;
  return std::nullopt;
}

bool is_zip(std::string_view head) {
  return head.rfind("PK\x03\x04", 0) == 0 || head.rfind("PK\x05\x06", 0) == 0;
}

} // namespace

FileFormat recognise(const std::filesystem::path& path) {
  if (auto known = known_folder(path)) throw *known;
  const InputFile file(path);
  const std::string head = file.read_at(0, head_bytes);
  if (is_zip(head)) return zip_format(file);
  if (begins_openvino_ir(head)) return FileFormat::openvino_ir;
  if (const auto format = flat_buffer_format(head)) return *format;
  if (const KnownFile* known = known_file(head)) throw error_about(*known, path);
  if (is_bare_pickle(head)) refuse_bare_pickle(file);
  if (is_tar(head)) refuse_tar(file);
  if (!is_onnx(file)) {
    if (is_core_ml(file)) throw error_about(core_ml_file(), path);
    refuse_by_name(path);
    return FileFormat::unknown;
  }
  if (!zip_ends(bytes_of(file)).empty())
    throw Error(ErrorKind::several_models, path.string(),
                "the file is an ONNX model and a zip, which torch opens from its end",
                "do not trust this file; export the model again if it is yours");
  return FileFormat::onnx;
}

} // namespace model_validator
