#include "verify/inputs/npz.h"

#include "files/input_file.h"
#include "files/zip_archive.h"
#include "verify/inputs/npy.h"
#include "verify/inputs/packing.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/predicate.hpp>

#include <memory>
#include <zip.h>

namespace model_validator::verify {
namespace {

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

Archive new_archive(const std::string& file) {
  int code = 0;
  Archive archive(zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string cause = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw Error(ErrorKind::cannot_write, file, "the .npz file cannot be created: " + cause);
}

[[noreturn]] void refuse_npz(const std::string& file, const std::string& cause) {
  throw Error(ErrorKind::bad_npz, file, cause, "write it with numpy.savez");
}

NamedTensors read_arrays(const std::filesystem::path& path) {
  const InputFile file(path);
  const ZipArchive zip(file);
  if (is_zip_bomb(zip, file))
    refuse_npz(path.string(), "its arrays unpack to more than so small a file can sensibly hold");
  NamedTensors tensors;
  for (const ZipEntry& entry : zip.entries()) {
    if (!boost::ends_with(entry.name, ".npy")) continue;
    const std::string name = entry.name.substr(0, entry.name.size() - 4);
    auto bytes = std::make_shared<const std::string>(zip.read(entry, entry.size));
    tensors.push_back({name, read_npy(std::move(bytes), path.string() + ":" + entry.name)});
  }
  return tensors;
}

} // namespace

NamedTensors read_npz(const std::filesystem::path& file) {
  try {
    return read_arrays(file);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::bad_npy || error.kind() == ErrorKind::bad_npz) throw;
    refuse_npz(file.string(), std::string("the .npz file cannot be read: ") + error.what());
  }
}

void write_npz(const std::filesystem::path& file, const NamedTensors& tensors) {
  // Declared first: libzip reads the buffers when the archive is closed.
  std::vector<std::string> buffers;
  buffers.reserve(tensors.size());
  auto archive = new_archive(file.string());
  for (const auto& [name, tensor] : tensors) {
    const auto& bytes = buffers.emplace_back(write_npy(tensor.view));
    auto* source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const auto index =
        zip_file_add(archive.get(), (name + ".npy").c_str(), source, ZIP_FL_OVERWRITE);
    if (index < 0) {
      zip_source_free(source);
      throw Error(ErrorKind::cannot_write, file.string(),
                  "the array `" + name + "` cannot be written");
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  // libzip writes a temporary file and renames it.
  if (zip_close(archive.get()) != 0)
    throw Error(ErrorKind::cannot_write, file.string(),
                std::string("the .npz file cannot be written: ") + zip_strerror(archive.get()));
  archive.release();
}

} // namespace model_validator::verify
