#include "files/zip_archive.h"

#include <model_validator/error.h>

#include <algorithm>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <unistd.h>
#include <zip.h>

namespace model_validator {
namespace {

// Deflate cannot do better: 258 bytes for two bits.
constexpr std::uint64_t max_deflate_ratio = 1032;

struct CloseEntry {
  void operator()(zip_file_t* entry) const noexcept { zip_fclose(entry); }
};
using OpenEntry = std::unique_ptr<zip_file_t, CloseEntry>;

/// How many bytes there were for a text, up to its size; nothing where they cannot be unpacked.
std::optional<std::size_t> fill(zip_file_t* entry, std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const zip_int64_t step = zip_fread(entry, bytes.data() + done, bytes.size() - done);
    if (step < 0) return std::nullopt;
    if (step == 0) break;
    done += static_cast<std::size_t>(step);
  }
  return done;
}

[[noreturn]] void fail_to_open(const InputFile& file, int code) {
  // The directory of a zip is at its end: a file that starts like a zip and has none was cut off.
  if (code == ZIP_ER_NOZIP || code == ZIP_ER_EOF)
    throw Error(ErrorKind::truncated_file, file.path().string(),
                "the file is cut off: it starts as a zip, but its directory at the end is missing",
                "copy or download it again, or export the model again");
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string words = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw Error(ErrorKind::damaged_zip, file.path().string(),
              "the zip directory is damaged: " + words,
              "copy or download it again, or export the model again");
}

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

} // namespace

void ZipArchive::Close::operator()(zip* archive) const noexcept { zip_discard(archive); }

ZipArchive::ZipArchive(const InputFile& file) : path_(file.path().string()) {
  const int descriptor = ::fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    throw Error(ErrorKind::unreadable_file, path_, "too many files are open",
                "lint fewer files at once with `-j 1`, or raise `ulimit -n`");
  ::lseek(descriptor, 0, SEEK_SET);
  int code = ZIP_ER_OK;
  archive_.reset(zip_fdopen(descriptor, 0, &code));
  if (!archive_) {
    ::close(descriptor);
    fail_to_open(file, code);
  }
  list_entries();
  require_plausible(file.size());
}

ZipArchive::ZipArchive(const ZipArchive& around, const ZipEntry& entry) : path_(around.path_) {
  // Without its checksum, which would be that of all its weights.
  zip* outer = around.archive_.get();
  open_within(
      zip_source_zip(outer, outer, entry.index, ZIP_FL_UNCHANGED | ZIP_FL_COMPRESSED, 0, -1),
      entry);
}

ZipArchive::ZipArchive(const ZipArchive& around, const ZipEntry& entry, std::string_view bytes)
    : path_(around.path_) {
  open_within(zip_source_buffer_create(bytes.data(), bytes.size(), 0, nullptr), entry);
}

void ZipArchive::open_within(zip_source* source, const ZipEntry& entry) {
  if (source != nullptr) archive_.reset(zip_open_from_source(source, ZIP_RDONLY, nullptr));
  if (source != nullptr && !archive_) zip_source_free(source);
  if (!archive_)
    throw Error(ErrorKind::damaged_zip, path_, "`" + entry.name + "` is not a zip",
                "export the model again; do not trust this file if it is not yours");
  list_entries();
  require_plausible(entry.size);
}

ZipArchive::~ZipArchive() = default;

void ZipArchive::list_entries() {
  const auto count = static_cast<std::uint64_t>(
      std::max<zip_int64_t>(0, zip_get_num_entries(archive_.get(), ZIP_FL_UNCHANGED)));
  entries_.reserve(count);
  for (std::uint64_t index = 0; index < count; ++index) {
    zip_stat_t status;
    zip_stat_init(&status);
    if (zip_stat_index(archive_.get(), index, ZIP_FL_UNCHANGED, &status) != 0) continue;
    require_file(index, text_of(status.name), status.size);
    entries_.push_back(ZipEntry{.name = text_of(status.name),
                                .size = status.size,
                                .stored_size = status.comp_size,
                                .compressed = status.comp_method != ZIP_CM_STORE,
                                // torch.save, where `set_crc32_options(False)` saves the time.
                                .unchecked = status.comp_method == ZIP_CM_STORE && status.crc == 0,
                                .index = index});
  }
  if (entries_.empty()) return;
  const std::string& first = entries_.front().name;
  top_folder_ = first.substr(0, first.find('/') + 1);
  const auto outside = [&](const ZipEntry& entry) {
    return entry.name.compare(0, top_folder_.size(), top_folder_) != 0;
  };
  if (std::ranges::any_of(entries_, outside)) top_folder_.clear();
  for (std::size_t i = 0; i < entries_.size(); ++i) by_name_.emplace(entries_[i].name, i);
}

/// miniz, which torch reads zips with, hands on memory as it is where a folder has content.
void ZipArchive::require_file(std::uint64_t index, const std::string& name,
                              std::uint64_t size) const {
  constexpr zip_uint32_t folder = 0x10; // as DOS marks one
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive_.get(), index, ZIP_FL_UNCHANGED, &system, &attributes);
  const bool is_folder = (attributes & folder) != 0 || name.ends_with('/');
  if (is_folder && size > 0) fail("`" + name + "` is marked as a folder, but has content");
}

void ZipArchive::require_plausible(std::uint64_t file_size) const {
  const auto bomb = [this](const std::string& name) {
    throw Error(ErrorKind::zip_bomb, path_,
                "`" + name + "` inside the zip claims a size that the file cannot hold",
                "do not trust this file; export the model again if it is yours");
  };
  std::uint64_t sum = 0;
  for (const ZipEntry& entry : entries_) {
    if (entry.stored_size > file_size) bomb(entry.name);
    sum += entry.stored_size;
    if (sum > file_size) bomb(entry.name); // entries that share bytes
    if (!entry.compressed && entry.size != entry.stored_size) bomb(entry.name);
    if (entry.size / max_deflate_ratio > entry.stored_size) bomb(entry.name);
  }
}

std::string_view ZipArchive::name_inside(const ZipEntry& entry) const {
  return std::string_view(entry.name).substr(top_folder_.size());
}

const ZipEntry* ZipArchive::find(std::string_view name) const {
  const auto found = by_name_.find(top_folder_ + std::string(name));
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

std::string ZipArchive::read(const ZipEntry& entry, std::uint64_t limit) const {
  if (entry.size > limit)
    throw Error(
        ErrorKind::too_large, path_,
        "`" + entry.name + "` inside the zip unpacks to " + std::to_string(entry.size) +
            " bytes, more than a model's description can sensibly take",
        "do not trust this file; if it is yours, keep large tensors in parameters or buffers, "
        "not in the code");
  std::string bytes = read_start(entry, entry.size);
  if (bytes.size() != entry.size) fail("`" + entry.name + "` is shorter than the directory says");
  return bytes;
}

std::string ZipArchive::read_start(const ZipEntry& entry, std::size_t count) const {
  return read_at(entry, 0, count);
}

std::string ZipArchive::read_at(const ZipEntry& entry, std::uint64_t offset,
                                std::size_t count) const {
  if (offset > entry.size) return {};
  const OpenEntry open(zip_fopen_index(archive_.get(), entry.index, ZIP_FL_UNCHANGED));
  if (!open) fail("`" + entry.name + "`: " + zip_strerror(archive_.get()));
  if (offset > 0 && zip_fseek(open.get(), static_cast<zip_int64_t>(offset), SEEK_SET) != 0)
    fail("`" + entry.name + "` cannot be read in parts");
  std::string bytes(std::min<std::uint64_t>(count, entry.size - offset), '\0');
  const auto done = fill(open.get(), bytes);
  if (!done) fail("`" + entry.name + "` cannot be unpacked");
  // The checksum is compared when the end of the entry is reached.
  char beyond = 0;
  if (*done == entry.size && !entry.unchecked && zip_fread(open.get(), &beyond, 1) != 0)
    fail("`" + entry.name + "` does not match its checksum");
  bytes.resize(*done);
  return bytes;
}

void ZipArchive::fail(const std::string& what) const {
  throw Error(ErrorKind::damaged_zip, path_, "the zip is damaged: " + what,
              "copy or download it again, or export the model again");
}

} // namespace model_validator
