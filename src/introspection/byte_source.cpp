#include "introspection/byte_source.h"

#include <model_validator/error.h>

#include <algorithm>
#include <vector>
#include <zip.h>

namespace model_validator {

void ByteSource::CloseArchive::operator()(zip* archive) const noexcept { zip_discard(archive); }
void ByteSource::CloseEntry::operator()(zip_file* entry) const noexcept { zip_fclose(entry); }

ByteSource::ByteSource() = default;
ByteSource::~ByteSource() = default;

void ByteSource::fail() const {
  const std::string path = entry_ ? archive_path_.string() : file_ ? file_->path().string() : "";
  throw Error(ErrorKind::truncated_file, path,
              "the file is cut off: the bytes of a tensor are missing",
              "copy or download it again, or export the model again");
}

void ByteSource::seek(const StoredWeights& weights, std::uint64_t offset) {
  if (weights.entry.empty()) {
    entry_.reset();
    if (!file_ || file_->path() != weights.file) file_.emplace(weights.file);
    position_ = offset;
  } else {
    open_entry(weights, offset);
  }
}

void ByteSource::open_entry(const StoredWeights& weights, std::uint64_t offset) {
  if (!archive_ || archive_path_ != weights.file) {
    entry_.reset();
    int code = ZIP_ER_OK;
    archive_.reset(zip_open(weights.file.c_str(), ZIP_RDONLY, &code));
    archive_path_ = weights.file;
    if (!archive_) fail();
  }
  // Raw bytes of what is not compressed: nothing to unpack, and no checksum to compute.
  const zip_flags_t flags = weights.compressed ? 0 : ZIP_FL_COMPRESSED;
  if (!entry_ || entry_name_ != weights.entry || position_ != offset) {
    entry_.reset(zip_fopen(archive_.get(), weights.entry.c_str(), flags));
    entry_name_ = weights.entry;
    position_ = 0;
    if (!entry_) fail();
  }
  if (weights.compressed) skip_to(offset);
  if (position_ == offset) return;
  if (zip_fseek(entry_.get(), static_cast<zip_int64_t>(offset), SEEK_SET) != 0) fail();
  position_ = offset;
}

/// Compressed bytes must be unpacked from their start.
void ByteSource::skip_to(std::uint64_t offset) {
  std::vector<char> ignored(std::size_t{64} << 10);
  while (position_ < offset)
    read(ignored.data(),
         static_cast<std::size_t>(std::min<std::uint64_t>(ignored.size(), offset - position_)));
}

void ByteSource::read(void* to, std::size_t count) {
  char* place = static_cast<char*>(to);
  while (count > 0) {
    const std::int64_t got =
        entry_ ? zip_fread(entry_.get(), place, count)
               : static_cast<std::int64_t>(file_->read_at(position_, place, count));
    if (got <= 0) fail();
    place += got;
    position_ += static_cast<std::uint64_t>(got);
    count -= static_cast<std::size_t>(got);
  }
}

} // namespace model_validator
