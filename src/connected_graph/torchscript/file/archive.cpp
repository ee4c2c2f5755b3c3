#include "connected_graph/torchscript/file/archive.h"

#include "connected_graph/torchscript/file/mapping.h"
#include "files/one_view.h"

#include <model_validator/error.h>

#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>
#include <caffe2/serialize/read_adapter_interface.h>
#include <caffe2/serialize/versions.h>

#include <algorithm>
#include <charconv>

namespace model_validator::torchscript {
namespace {

using caffe2::serialize::PyTorchStreamReader;

// Of code, debug tables and pickles together, unpacked.
constexpr std::uint64_t max_text_size = std::uint64_t{1} << 30U;
// Repetitive code compresses about thirty to one.
constexpr std::uint64_t max_text_ratio = 200;
constexpr std::uint64_t free_text = std::uint64_t{16} << 20U;
// Smaller records are read: that costs less than a page of the mapping.
constexpr std::uint64_t min_mapped_size = std::uint64_t{16} << 10U;
constexpr std::uint64_t alignment = 16;

/// Hands the file's bytes to LibTorch. A file that shrinks in the meantime gives short reads, which
/// LibTorch reports.
class Adapter final : public caffe2::serialize::ReadAdapterInterface {
public:
  explicit Adapter(const InputFile& file) : file_(file) {}
  std::size_t size() const override { return file_.size(); }
  std::size_t read(std::uint64_t position, void* buffer, std::size_t count,
                   const char*) const override {
    return file_.read_at(position, buffer, count);
  }

private:
  const InputFile& file_;
};

bool is_weight(std::string_view name) {
  return name.rfind("data/", 0) == 0 || name.rfind("constants/", 0) == 0 ||
         name.rfind("tensors/", 0) == 0;
}

} // namespace

Archive::Archive(const std::filesystem::path& path) : file_(path), zip_(file_) {
  require_one_view(zip_, bytes_of(file_));
  require_bounded_text();
  require_known_version();
  reader_ = std::make_unique<PyTorchStreamReader>(std::make_shared<Adapter>(file_));
  require_same_view();
}

Archive::~Archive() = default;

void Archive::require_bounded_text() const {
  std::uint64_t unpacked = 0;
  std::uint64_t stored = 0;
  for (const ZipEntry& entry : zip_.entries()) {
    if (is_weight(zip_.name_inside(entry))) continue;
    unpacked += entry.size;
    stored += entry.stored_size;
  }
  if (unpacked > max_text_size)
    throw Error(
        ErrorKind::too_large, file_.path().string(),
        "code and tables unpack to " + std::to_string(unpacked) +
            " bytes, more than a model's description can sensibly take",
        "do not trust this file; if it is yours, keep large tensors in parameters or buffers, "
        "not in the code");
  if (unpacked > free_text && unpacked / max_text_ratio > stored)
    throw Error(ErrorKind::zip_bomb, file_.path().string(),
                "code and tables unpack to " + std::to_string(unpacked) + " bytes from " +
                    std::to_string(stored),
                "do not trust this file; export the model again if it is yours");
}

void Archive::require_known_version() {
  const ZipEntry* entry = zip_.find(".data/version");
  if (entry == nullptr) entry = zip_.find("version");
  if (entry == nullptr)
    throw Error(ErrorKind::not_torchscript, file_.path().string(),
                "the zip holds no format version",
                "save it again, `torch.jit.save(model, path)`, or better export the model: "
                "`torch.export.save(torch.export.export(model, inputs), \"model.pt2\")`");
  const std::string text = zip_.read_start(*entry, 20);
  std::uint64_t version = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (failure == std::errc() && version <= caffe2::serialize::kMaxSupportedFileFormatVersion)
    return;
  if (failure == std::errc::invalid_argument)
    throw Error(ErrorKind::damaged_file, file_.path().string(),
                "its format version is not a number",
                "copy or download it again, or export the model again");
  throw Error(ErrorKind::newer_format, file_.path().string(),
              "TorchScript file format " + text.substr(0, end - text.data()) +
                  " is newer than this LibTorch reads (up to " +
                  std::to_string(caffe2::serialize::kMaxSupportedFileFormatVersion) + ")",
              "use a model_validator built with a newer LibTorch, or export with an older torch");
}

// Two libraries read this zip. If they disagree on a size, a check made through one says nothing
// about what the other reads.
void Archive::require_same_view() {
  const auto records = reader_->getAllRecords();
  for (const std::string& record : records) {
    const ZipEntry* entry = zip_.find(record);
    if (entry == nullptr || reader_->getRecordSize(record) != entry->size)
      throw Error(ErrorKind::damaged_zip, file_.path().string(),
                  "the zip contradicts itself about `" + record + "`",
                  "copy or download it again, or export the model again");
  }
}

std::optional<std::uint64_t> Archive::size_of(const std::string& record) const {
  const ZipEntry* entry = zip_.find(record);
  if (entry == nullptr) return std::nullopt;
  return entry->size;
}

std::vector<std::string> Archive::records(std::string_view start) const {
  std::vector<std::string> names;
  for (const ZipEntry& entry : zip_.entries())
    if (const auto name = zip_.name_inside(entry); name.rfind(start, 0) == 0)
      names.emplace_back(name);
  return names;
}

std::string Archive::read(const std::string& record) {
  const auto [data, size] = reader_->getRecord(record);
  return {static_cast<const char*>(data.get()), size};
}

std::shared_ptr<torch::jit::DeserializationStorageContext>
Archive::storages(const std::string& folder, bool map_weights) {
  auto storages = std::make_shared<torch::jit::DeserializationStorageContext>();
  for (const ZipEntry& entry : zip_.entries()) {
    const std::string_view name = zip_.name_inside(entry);
    if (name.rfind(folder, 0) != 0 || name.size() == folder.size()) continue;
    const std::string key(name.substr(folder.size()));
    if (!storages->hasStorage(key)) storages->addStorage(key, storage_of(entry, map_weights));
  }
  return storages;
}

c10::Storage Archive::storage_of(const ZipEntry& entry, bool map_weights) {
  c10::DataPtr data;
  if (map_weights && entry.size >= min_mapped_size && !entry.compressed) data = mapped(entry);
  if (!data && entry.size > 0)
    data = std::get<0>(reader_->getRecord(std::string(zip_.name_inside(entry))));
  if (data && !entry.compressed)
    places_[data.get()] = reader_->getRecordOffset(std::string(zip_.name_inside(entry)));
  return {c10::Storage::use_byte_size_t(), entry.size, std::move(data), nullptr, false};
}

// Null if the mapping cannot serve it: LibTorch's own reader then says what is wrong with the
// record.
c10::DataPtr Archive::mapped(const ZipEntry& entry) {
  const std::uint64_t offset = reader_->getRecordOffset(std::string(zip_.name_inside(entry)));
  if (!mapping_) mapping_ = std::make_shared<Mapping>(file_);
  if (offset % alignment != 0 || !mapping_->holds(offset, entry.size)) return {};
  auto* owner = new std::shared_ptr<Mapping>(mapping_);
  const auto release = [](void* context) {
    delete static_cast<std::shared_ptr<Mapping>*>(context);
  };
  return {mapping_->at(offset), owner, release, c10::Device(c10::DeviceType::CPU)};
}

} // namespace model_validator::torchscript
