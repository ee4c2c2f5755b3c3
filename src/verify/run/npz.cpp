#include "verify/run/npz.h"

#include "verify/run/npy.h"

#include <model_validator/error.h>

#include <boost/algorithm/string/predicate.hpp>

#include <memory>
#include <zip.h>

namespace model_validator::verify {
namespace {

constexpr std::uint64_t largest_array = std::uint64_t{1} << 36;

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

Archive open_archive(const std::string& file, int flags, const char* kind) {
  int code = 0;
  Archive archive(zip_open(file.c_str(), flags, &code));
  if (archive) return archive;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string cause = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw Error(kind, file, "the .npz file cannot be opened: " + cause);
}

std::shared_ptr<const std::string> read_entry(zip_t& archive, std::uint64_t index,
                                              const std::string& origin) {
  zip_stat_t entry;
  if (zip_stat_index(&archive, index, 0, &entry) != 0 || entry.size > largest_array)
    throw Error("bad-npz", origin, "an entry of the .npz file cannot be read");
  const std::unique_ptr<zip_file_t, Discard> file(zip_fopen_index(&archive, index, 0));
  auto bytes = std::make_shared<std::string>(entry.size, '\0');
  if (!file ||
      zip_fread(file.get(), bytes->data(), entry.size) != static_cast<zip_int64_t>(entry.size))
    throw Error("bad-npz", origin, "an entry of the .npz file cannot be read");
  return bytes;
}

} // namespace

NamedTensors read_npz(const std::filesystem::path& file) {
  const auto archive = open_archive(file.string(), ZIP_RDONLY, "bad-npz");
  NamedTensors tensors;
  const auto count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    std::string name = zip_get_name(archive.get(), static_cast<zip_uint64_t>(i), 0);
    if (!boost::ends_with(name, ".npy")) continue;
    const std::string origin = file.string() + ":" + name;
    name.resize(name.size() - 4);
    tensors.push_back(
        {name, read_npy(read_entry(*archive, static_cast<std::uint64_t>(i), origin), origin)});
  }
  return tensors;
}

void write_npz(const std::filesystem::path& file, const NamedTensors& tensors) {
  // Declared first: libzip reads the buffers when the archive is closed.
  std::vector<std::string> buffers;
  buffers.reserve(tensors.size());
  auto archive = open_archive(file.string(), ZIP_CREATE | ZIP_TRUNCATE, "cannot-write");
  for (const auto& [name, tensor] : tensors) {
    const auto& bytes = buffers.emplace_back(write_npy(tensor.view));
    auto* source = zip_source_buffer(archive.get(), bytes.data(), bytes.size(), 0);
    const auto index =
        zip_file_add(archive.get(), (name + ".npy").c_str(), source, ZIP_FL_OVERWRITE);
    if (index < 0) {
      zip_source_free(source);
      throw Error("cannot-write", file.string(), "the array `" + name + "` cannot be written");
    }
    zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
  }
  // libzip writes a temporary file and renames it.
  if (zip_close(archive.get()) != 0)
    throw Error("cannot-write", file.string(),
                std::string("the .npz file cannot be written: ") + zip_strerror(archive.get()));
  archive.release();
}

} // namespace model_validator::verify
