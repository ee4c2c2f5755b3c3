#include "connected_graph/format_table.h"
#include "files/input_file.h"
#include "files/zip_end.h"
#include "formats/known_files.h"
#include "formats/saved_pickle.h"
#include "formats/zip_format.h"
#include "introspection/openvino_ir.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace model_validator {
namespace {

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
