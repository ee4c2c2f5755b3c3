#include "files/input_file.h"
#include "files/zip_end.h"
#include "formats/known_files.h"
#include "formats/onnx_format.h"
#include "formats/saved_pickle.h"
#include "formats/zip_format.h"

#include <model_validator/error.h>
#include <model_validator/graph_reader.h>

#include <string>
#include <string_view>

namespace model_validator {
namespace {

constexpr std::size_t head_bytes = 512;

bool is_zip(std::string_view head) {
  return head.rfind("PK\x03\x04", 0) == 0 || head.rfind("PK\x05\x06", 0) == 0;
}

} // namespace

FileFormat recognise(const std::filesystem::path& path) {
  const InputFile file(path);
  const std::string head = file.read_at(0, head_bytes);
  if (is_zip(head)) return zip_format(file);
  if (const KnownFile* known = known_file(head))
    throw Error(known->kind, path.string(), std::string(known->cause), std::string(known->hint));
  if (is_bare_pickle(head)) refuse_bare_pickle(file);
  if (is_tar(head)) refuse_tar(file);
  if (!is_onnx(file)) return FileFormat::unknown;
  if (!zip_ends(bytes_of(file)).empty())
    throw Error(ErrorKind::several_models, path.string(),
                "the file is an ONNX model and a zip, which torch opens from its end",
                "do not trust this file; export the model again if it is yours");
  return FileFormat::onnx;
}

} // namespace model_validator
