#include "connected_graph/torchscript/file/pickle_checks.h"
#include "files/input_file.h"
#include "files/zip_archive.h"
#include "verify/inputs/input_files.h"
#include "verify/inputs/packing.h"
#include "verify/run/failure.h"

#include <model_validator/error.h>
#include <model_validator/verify/verify.h>

#include <torch/csrc/jit/serialization/storage_context.h>
#include <torch/csrc/jit/serialization/unpickler.h>

#include <algorithm>
#include <cstring>
#include <memory>

namespace model_validator::verify {
namespace {

constexpr std::uint64_t max_pickle_size = std::uint64_t{64} << 20;
/// Tensors may repeat one element many times; this much is allowed in a small file.
constexpr std::uint64_t free_elements = std::uint64_t{1} << 26;
constexpr std::uint64_t max_repetition = 200;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& cause) {
  throw Error(ErrorKind::bad_tensor_file, file.string(), cause,
              "save a tensor, or a list, tuple or dict of tensors, with torch.save");
}

const InputFile& require_zip(const InputFile& file) {
  if (!file.read_at(0, 2).starts_with("PK"))
    refuse(file.path(), "the file holds no saved tensors: it is no zip, which torch.save writes "
                        "since torch 1.6");
  return file;
}

/// What `torch.save` wrote: a pickle, and a record for every storage.
class SavedFile {
public:
  explicit SavedFile(const std::filesystem::path& path) : file_(path), zip_(require_zip(file_)) {
    if (is_zip_bomb(zip_, file_))
      refuse(path, "its tensors unpack to more than so small a file can sensibly hold");
  }

  c10::IValue read() const {
    const ZipEntry* entry = zip_.find("data.pkl");
    if (entry == nullptr) refuse(file_.path(), "the file holds no saved tensors");
    const ZipEntry* order = zip_.find("byteorder");
    if (order != nullptr && zip_.read_start(*order, 3) == "big")
      refuse(file_.path(), "its tensors are big-endian");
    const std::string bytes = zip_.read(*entry, max_pickle_size);
    const auto size_of = [this](std::string_view key) { return size_of_storage(key); };
    torchscript::check_pickle(pickle::parse(bytes), size_of, file_.path().string());
    return unpickle(bytes);
  }

  std::uint64_t size() const noexcept { return file_.size(); }

private:
  const ZipEntry* storage(std::string_view key) const {
    return zip_.find("data/" + std::string(key));
  }

  std::optional<std::uint64_t> size_of_storage(std::string_view key) const {
    const ZipEntry* entry = storage(key);
    if (entry == nullptr) return std::nullopt;
    return entry->size;
  }

  at::DataPtr bytes_of_storage(const std::string& key) const {
    const ZipEntry* entry = storage(key);
    if (entry == nullptr) refuse(file_.path(), "the data of a tensor is missing");
    auto bytes = std::make_unique<std::string>(zip_.read(*entry, entry->size));
    char* data = bytes->data();
    const auto release = [](void* owner) { delete static_cast<std::string*>(owner); };
    return {data, bytes.release(), release, at::Device(at::kCPU)};
  }

  c10::IValue unpickle(const std::string& bytes) const {
    std::string_view rest = bytes;
    const auto read = [&rest](char* to, std::size_t count) {
      const std::size_t step = std::min(count, rest.size());
      std::memcpy(to, rest.data(), step);
      rest.remove_prefix(step);
      return step;
    };
    const auto record = [this](const std::string& key) { return bytes_of_storage(key); };
    // With it, a storage is read once, however many tensors share it.
    auto storages = std::make_shared<torch::jit::DeserializationStorageContext>();
    torch::jit::Unpickler unpickler(read, nullptr, nullptr, record, at::kCPU, false,
                                    torch::jit::Unpickler::defaultTypeParser, std::move(storages));
    return unpickler.parse_ivalue();
  }

  InputFile file_;
  ZipArchive zip_;
};

/// Every tensor may be copied as it is seen, element by element.
std::uint64_t elements_in(const Value& value) {
  if (const auto* tensor = std::get_if<Tensor>(&value.data))
    return static_cast<std::uint64_t>(element_count(tensor->view));
  constexpr std::uint64_t countless = std::uint64_t{1} << 62;
  std::uint64_t elements = 0;
  const auto add = [&](const Value& item) {
    elements = std::min(countless, elements + elements_in(item));
  };
  if (const auto* sequence = std::get_if<Sequence>(&value.data))
    for (const Value& item : sequence->items) add(item);
  if (const auto* dict = std::get_if<Dict>(&value.data))
    for (const auto& [key, item] : dict->items) add(item);
  return elements;
}

} // namespace

Value read_saved_value(const std::filesystem::path& path) {
  try {
    const SavedFile file(path);
    Value value = to_value(file.read());
    const std::uint64_t elements = elements_in(value);
    if (elements > free_elements && elements / max_repetition > file.size())
      refuse(path, "its tensors have " + std::to_string(elements) +
                       " elements, which so small a file cannot sensibly hold");
    return value;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& failure) {
    refuse(path, "the file holds no saved tensors: " + sentence_of(failure));
  }
}

} // namespace model_validator::verify
