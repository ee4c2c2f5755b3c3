#include "formats/known_files.h"

#include "formats/export_hints.h"

#include <algorithm>
#include <array>
#include <cstddef>

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
constexpr KnownFile tflite{ErrorKind::unsupported_format, "a TensorFlow Lite model",
                           "convert it to ONNX with tf2onnx"};
constexpr KnownFile numpy{ErrorKind::unsupported_format, "a NumPy array, not a model", load_hint};
constexpr KnownFile gguf{ErrorKind::weights_only, "a GGUF file: weights without a graph",
                         load_hint};
constexpr KnownFile ggml{ErrorKind::weights_only, "a GGML file: weights without a graph",
                         load_hint};
constexpr KnownFile executorch{ErrorKind::unsupported_format, "an ExecuTorch program",
                               "give the exported program (.pt2) it was made from"};
constexpr KnownFile compressed{ErrorKind::compressed_file, "a compressed file, not a model",
                               unpack_hint};
constexpr KnownFile page{ErrorKind::unsupported_format, "a web page, not a model", download_hint};
constexpr KnownFile xml{
    ErrorKind::unsupported_format, "an XML file, not a model",
    "for an OpenVINO model, give the ONNX or TorchScript file it was made from"};
constexpr KnownFile machine_code{ErrorKind::unsupported_format,
                                 "a compiled program or library, not a model",
                                 "an operator library is given with --op-library"};
constexpr KnownFile picture{ErrorKind::unsupported_format, "a picture, not a model", ""};
constexpr KnownFile pdf{ErrorKind::unsupported_format, "a PDF document, not a model", ""};

constexpr std::array signatures{
    Signature{0, "version https://git-lfs.github.com/spec/"sv, lfs},
    Signature{0, "\x89HDF\r\n\x1a\n"sv, hdf5},
    Signature{4, "TFL3"sv, tflite},
    Signature{4, "ET12"sv, executorch},
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

/// Eight bytes of length, little endian, and a JSON object.
bool looks_like_safetensors(std::string_view head) {
  if (head.size() < 10 || head.substr(5, 3) != "\0\0\0"sv) return false;
  return head.substr(8, 2) == "{\""sv || head.substr(8, 2) == "{ "sv || head.substr(8, 2) == "{}"sv;
}

} // namespace

const KnownFile* known_file(std::string_view head) {
  const auto found = std::ranges::find_if(signatures, [head](const Signature& signature) {
    return head.size() >= signature.offset &&
           head.substr(signature.offset, signature.bytes.size()) == signature.bytes;
  });
  if (found != signatures.end()) return &found->file;
  if (looks_like_safetensors(head)) return &safetensors;
  return nullptr;
}

} // namespace model_validator
