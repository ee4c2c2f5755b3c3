#include "formats/known_files.h"

#include "connected_graph/run_only_files.h"
#include "files/data_folder.h"
#include "formats/export_hints.h"

#include <boost/algorithm/string/replace.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

namespace model_validator {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t offset;
  std::string_view bytes;
  KnownFile file;
};

constexpr std::string_view unpack_hint = "unpack it and give the model file inside";
constexpr std::string_view download_hint =
    "download the file itself; a link to a page, or a login, leaves such files";

constexpr KnownFile lfs{ErrorKind::git_lfs_pointer,
                        "a Git LFS pointer is where the model should be",
                        "fetch the file itself: `git lfs pull`"};
constexpr KnownFile safetensors{ErrorKind::weights_only,
                                "a safetensors file: weights without a model", load_weights_hint};
constexpr KnownFile hdf5{ErrorKind::unsupported_format, "an HDF5 file, as Keras saves its models",
                         "convert it to ONNX with tf2onnx"};
constexpr std::string_view copy_hint = "it does not begin as one: copy or download it again";
constexpr KnownFile tflite{ErrorKind::unsupported_format, "a LiteRT (TensorFlow Lite) model",
                           copy_hint};
constexpr KnownFile numpy{ErrorKind::unsupported_format, "a NumPy array, not a model", load_hint};
constexpr KnownFile gguf{ErrorKind::weights_only, "a GGUF file: weights without a graph",
                         load_hint};
constexpr KnownFile ggml{ErrorKind::weights_only, "a GGML file: weights without a graph",
                         load_hint};
constexpr KnownFile executorch{ErrorKind::unsupported_format, "an ExecuTorch program", copy_hint};
constexpr KnownFile tensorrt{
    ErrorKind::compiled_code, "a TensorRT engine: compiled code, with no model left to look at",
    "give the ONNX file that it was built from; `model_validator verify MODEL --command 'python "
    "{commands}/run_tensorrt.py {file} {inputs} {outputs}'` compares the two"};
constexpr KnownFile coreml{
    ErrorKind::unsupported_format, "a Core ML model, which is run but not linted",
    "give the model that it was converted from; `model_validator verify MODEL --command 'python "
    "{commands}/run_coreml.py {file} {inputs} {outputs}'` compares the two"};
constexpr std::string_view command_hint =
    "give the model that it was compiled from; `model_validator verify MODEL --command './run.sh "
    "{inputs} {outputs}'` compares the two, with a program of yours that runs it: {commands} has "
    "such programs for other runtimes";
constexpr KnownFile rknn{ErrorKind::compiled_code,
                         "an RKNN model, compiled for a chip of Rockchip's", command_hint};
constexpr KnownFile hailo{ErrorKind::compiled_code, "an HEF file, compiled for a chip of Hailo's",
                          command_hint};
constexpr KnownFile ncnn{ErrorKind::unsupported_format, "a model of ncnn, which is not linted",
                         command_hint};
constexpr KnownFile onnxruntime_own{ErrorKind::unsupported_format,
                                    "a model in ONNX Runtime's own format (ORT)",
                                    "give the ONNX file that it was made from"};
constexpr KnownFile compressed{ErrorKind::compressed_file, "a compressed file, not a model",
                               unpack_hint};
constexpr KnownFile page{ErrorKind::unsupported_format, "a web page, not a model", download_hint};
constexpr KnownFile xml{ErrorKind::unsupported_format, "an XML file, not a model",
                        "an OpenVINO model is one whose first element is `net`"};
constexpr KnownFile machine_code{ErrorKind::unsupported_format,
                                 "a compiled program or library, not a model",
                                 "an operator library is given with --op-library"};
constexpr KnownFile picture{ErrorKind::unsupported_format, "a picture, not a model", ""};
constexpr KnownFile pdf{ErrorKind::unsupported_format, "a PDF document, not a model", ""};

constexpr std::array signatures{
    Signature{0, "version https://git-lfs.github.com/spec/"sv, lfs},
    Signature{0, "\x89HDF\r\n\x1a\n"sv, hdf5},
    Signature{4, "ORTM"sv, onnxruntime_own},
    Signature{0, "ftrt"sv, tensorrt},
    Signature{0, "ptrt"sv, tensorrt},
    Signature{0, "RKNN"sv, rknn},
    Signature{0, "CYPTRKNN"sv, rknn},
    Signature{0, "\x01HEF"sv, hailo},
    Signature{0, "7767517\n"sv, ncnn},
    Signature{0, "7767517\r\n"sv, ncnn},
    Signature{0, "\xdd\x85\x76\x00"sv, ncnn},
    Signature{0, "\x93NUMPY"sv, numpy},
    Signature{0, "GGUF"sv, gguf},
    Signature{0, "lmgg"sv, ggml},
    Signature{0, "tjgg"sv, ggml},
    Signature{0, "\x1f\x8b"sv, compressed},
    Signature{0,
              "\xfd"
              "7zXZ\0"sv,
              compressed},
    Signature{0, "BZh"sv, compressed},
    Signature{0, "7z\xbc\xaf\x27\x1c"sv, compressed},
    Signature{0, "\x28\xb5\x2f\xfd"sv, compressed},
    Signature{0, "Rar!\x1a\x07"sv, compressed},
    Signature{0, "<!DOCTYPE html"sv, page},
    Signature{0, "<!doctype html"sv, page},
    Signature{0, "<html"sv, page},
    Signature{0, "<?xml"sv, xml},
    Signature{0,
              "\x7f"
              "ELF"sv,
              machine_code},
    Signature{0, "MZ"sv, machine_code},
    Signature{0, "\x89PNG\r\n"sv, picture},
    Signature{0, "\xff\xd8\xff"sv, picture},
    Signature{0, "%PDF-"sv, pdf},
};

/// What is told by the name alone: formats without a mark of their own, for a file of which nothing
/// else is known.
struct Ending {
  std::string_view text;
  KnownFile file;
};

constexpr std::string_view by_name = "by its name ";
constexpr KnownFile tensorflow{ErrorKind::unsupported_format, "a TensorFlow graph",
                               "convert it to ONNX with tf2onnx"};
constexpr KnownFile paddle{ErrorKind::unsupported_format, "a PaddlePaddle model",
                           "convert it to ONNX with paddle2onnx"};
constexpr KnownFile openvino_blob{
    ErrorKind::compiled_code,
    "a model that OpenVINO compiled for a device: compiled code, with no model left to look at",
    "give the model that it was compiled from; `model_validator verify MODEL --command 'python "
    "{commands}/run_openvino.py {file} {inputs} {outputs}'` compares the two, on a machine with "
    "the device"};
constexpr KnownFile qualcomm{ErrorKind::compiled_code, "a model compiled for a chip of Qualcomm's",
                             command_hint};

constexpr std::array endings{
    Ending{".engine", tensorrt},
    Ending{".trt", tensorrt},
    Ending{".plan", tensorrt},
    Ending{".mlmodel", coreml},
    Ending{".rknn", rknn},
    Ending{".hef", hailo},
    Ending{".dlc", qualcomm},
    Ending{".blob", openvino_blob},
    Ending{".tflite", tflite},
    Ending{".pte", executorch},
    Ending{".param", ncnn},
    Ending{".mnn",
           {ErrorKind::unsupported_format, "a model of MNN, which is not linted", command_hint}},
    Ending{".om",
           {ErrorKind::compiled_code, "a model compiled for a chip of Ascend's", command_hint}},
    Ending{".bmodel",
           {ErrorKind::compiled_code, "a model compiled for a chip of Sophgo's", command_hint}},
    Ending{".cvimodel",
           {ErrorKind::compiled_code, "a model compiled for a chip of Sophgo's", command_hint}},
    Ending{".xmodel",
           {ErrorKind::compiled_code, "a model compiled by AMD's Vitis AI", command_hint}},
    Ending{".pb", tensorflow},
    Ending{".pdmodel", paddle},
    Ending{".pdiparams", paddle},
};

/// Eight bytes of length, little endian, and a JSON object.
bool looks_like_safetensors(std::string_view head) {
  if (head.size() < 10 || head.substr(5, 3) != "\0\0\0"sv) return false;
  return head.substr(8, 2) == "{\""sv || head.substr(8, 2) == "{ "sv || head.substr(8, 2) == "{}"sv;
}

/// Ultralytics writes what it knows of the model before the engine: four bytes of length, and JSON.
bool looks_like_engine_behind_text(std::string_view head) {
  return head.size() > 6 && head[3] == '\0' && head.substr(4, 2) == "{\""sv;
}

bool is_file(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::is_regular_file(path, failed);
}

/// The folder of the programs that `verify --command` runs, where they are on this machine.
std::string commands_folder() {
  const std::filesystem::path data = data_folder();
  return data.empty() ? "examples/commands" : (data / "commands").string();
}

std::string with_places(std::string_view hint, const std::filesystem::path& file) {
  std::string text(hint);
  boost::replace_all(text, "{commands}", commands_folder());
  boost::replace_all(text, "{file}", file.string());
  return text;
}

/// Several runtimes call a file of weights, or of everything, `.bin`: what lies beside it tells.
Error error_about_bin(const std::filesystem::path& path) {
  std::filesystem::path model = path;
  for (const char* ending : {".xml", ".param"})
    if (is_file(model.replace_extension(ending)))
      return {ErrorKind::weights_only, path.string(),
              "the weights of `" + model.filename().string() + "`, which lies beside it",
              "give `" + model.filename().string() + "`"};
  return {ErrorKind::unknown_format, path.string(),
          "this is not a model file of a known format: OpenVINO and ncnn store weights in a .bin, "
          "and Qualcomm's QNN whole compiled models",
          with_places(command_hint, path)};
}

} // namespace

Error error_about(const KnownFile& known, const std::filesystem::path& file) {
  return {known.kind, file.string(), std::string(known.cause), with_places(known.hint, file)};
}

const KnownFile* known_file(std::string_view head) {
  const auto found = std::ranges::find_if(signatures, [head](const Signature& signature) {
    return head.size() >= signature.offset &&
           head.substr(signature.offset, signature.bytes.size()) == signature.bytes;
  });
  if (found != signatures.end()) return &found->file;
  if (looks_like_safetensors(head)) return &safetensors;
  if (looks_like_engine_behind_text(head)) return &tensorrt;
  return nullptr;
}

const KnownFile& core_ml_file() { return coreml; }

bool is_run_only_by_name(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".xml" || std::ranges::find(endings, ending, &Ending::text) != endings.end();
}

void refuse_by_name(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".bin") throw error_about_bin(path);
  const auto found = std::ranges::find(endings, ending, &Ending::text);
  if (found == endings.end()) return;
  Error error = error_about(found->file, path);
  throw Error(error.kind(), path.string(), std::string(by_name) + error.what(), error.hint());
}

std::optional<Error> known_folder(const std::filesystem::path& folder) {
  const bool is_package = is_file(folder / "Manifest.json") &&
                          std::filesystem::is_directory(folder / "Data/com.apple.CoreML");
  if (is_package || is_file(folder / "coremldata.bin")) return error_about(coreml, folder);
  if (is_file(folder / "saved_model.pb")) return error_about(tensorflow, folder);
  return std::nullopt;
}

} // namespace model_validator
