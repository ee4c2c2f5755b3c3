#include "verify/flat_program/program_weights.h"

#include "files/whole_number.h"
#include "verify/flat_program/program_arguments.h"

#include <model_validator/error.h>

#include <ATen/ops/empty.h>

#include <cstring>

namespace model_validator::verify {
namespace {

using exported_program::Json;

std::vector<std::int64_t> known_numbers(const Json& list) {
  std::vector<std::int64_t> numbers;
  for (const Json& number : list)
    numbers.push_back(whole_number<std::int64_t>(number.at("as_int")));
  return numbers;
}

/// One past the last element that a tensor reaches; none for numbers that overflow.
std::optional<std::uint64_t> elements_reached(const std::vector<std::int64_t>& sizes,
                                              const std::vector<std::int64_t>& strides,
                                              std::uint64_t offset) {
  std::uint64_t last = offset;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 0 || strides[i] < 0) return std::nullopt;
    if (sizes[i] == 0) return 0;
    std::uint64_t step = 0;
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(sizes[i] - 1),
                               static_cast<std::uint64_t>(strides[i]), &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  return last + 1;
}

} // namespace

at::Tensor ProgramWeights::read(const std::string& name) {
  const std::string path = program_.file.path().string();
  const auto found = program_.tensors.find(name);
  if (found == program_.tensors.end())
    throw Error(ErrorKind::not_runnable, path,
                "the program has no values for `" + name +
                    "` in the form that a current torch "
                    "writes",
                "load it in Python and save it again with a current torch");
  const exported_program::StoredTensor& stored = found->second;
  if (stored.pickled || !stored.meta.is_object())
    throw Error(ErrorKind::not_runnable, path,
                "`" + name + "` is stored as a pickled object, which only Python loads",
                "verify the ONNX file made of the program");
  const auto sizes = known_numbers(stored.meta.at("sizes"));
  auto strides = known_numbers(stored.meta.at("strides"));
  const auto dtype = scalar_type_of(whole_number<int>(stored.meta.at("dtype")));
  const auto reached = strides.size() == sizes.size()
                           ? elements_reached(sizes, strides, stored.offset)
                           : std::nullopt;
  const at::Tensor bytes =
      bytes_of(stored.entry, float_values_ || !dtype || !at::isFloatingType(*dtype));
  if (!dtype || !reached || *reached > bytes.nbytes() / c10::elementSize(*dtype))
    throw Error(ErrorKind::damaged_exported_program, path,
                "`" + name + "` lies outside the bytes that the file has for it",
                "export the model again");
  return at::empty({0}, at::TensorOptions().dtype(*dtype))
      .set_(bytes.storage(), static_cast<std::int64_t>(stored.offset), sizes, strides);
}

at::Tensor ProgramWeights::bytes_of(const std::string& entry, bool filled) {
  if (const auto found = bytes_.find({entry, filled}); found != bytes_.end()) return found->second;
  const ZipEntry* stored = program_.zip.find(entry);
  if (stored == nullptr)
    throw Error(ErrorKind::damaged_exported_program, program_.file.path().string(),
                "the file has no `" + entry + "`", "export the model again");
  const std::string text = filled ? program_.zip.read(*stored, stored->size) : "";
  const at::Tensor bytes = at::empty({static_cast<std::int64_t>(stored->size)}, at::kByte);
  if (!text.empty()) std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
  return bytes_.emplace(std::pair(entry, filled), bytes).first->second;
}

} // namespace model_validator::verify
