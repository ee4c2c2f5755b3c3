#include "connected_graph/exported_program/exported_weights.h"

#include "connected_graph/exported_program/arguments.h"
#include "connected_graph/exported_program/json_errors.h"
#include "connected_graph/exported_program/program_file.h"
#include "files/strided_spans.h"
#include "files/whole_number.h"

namespace model_validator {
namespace {

using namespace exported_program;

std::vector<std::uint64_t> numbers_of(const Json& list) {
  std::vector<std::uint64_t> numbers;
  for (const Json& number : list)
    numbers.push_back(whole_number(number, "as_int", std::uint64_t{0}));
  return numbers;
}

std::string dtype_of(const StoredTensor& tensor) {
  return tensor.meta.is_object() ? dtype_name(whole_number(tensor.meta, "dtype", 0))
                                 : std::string();
}

StridedLayout layout_of(const StoredTensor& tensor) {
  StridedLayout layout;
  layout.offset = tensor.offset;
  layout.sizes = numbers_of(tensor.meta.value("sizes", Json::array()));
  layout.strides = numbers_of(tensor.meta.value("strides", Json::array()));
  layout.strides.resize(layout.sizes.size());
  layout.element_bytes = byte_count({std::vector<std::int64_t>{1}, dtype_of(tensor)});
  return layout;
}

std::vector<StoredWeights> list(const std::filesystem::path& path) {
  const ProgramFile program(path);
  std::vector<StoredWeights> found;
  for (const auto& [name, tensor] : program.tensors) {
    StoredWeights weights;
    weights.name = name;
    weights.file = path;
    const ZipEntry* entry = program.zip.find(tensor.entry);
    if (!tensor.pickled && entry != nullptr && tensor.meta.is_object()) {
      weights.dtype = dtype_of(tensor);
      weights.entry = entry->name;
      weights.compressed = entry->compressed;
      const StridedLayout layout = layout_of(tensor);
      weights.shape = layout.sizes;
      weights.strides = layout.strides;
      weights.spans = strided_spans(layout);
      require_within(weights, entry->size);
    }
    found.push_back(std::move(weights));
  }
  for (const char* pickle : {"serialized_state_dict.pt", "serialized_constants.pt"})
    if (const ZipEntry* entry = program.zip.find(pickle); entry != nullptr && entry->size > 0)
      found.push_back({path, entry->name, entry->compressed, {}, {}, pickle, {}});
  return found;
}

} // namespace

std::vector<StoredWeights> list_exported_weights(const std::filesystem::path& path) {
  return with_json_errors(path, [&] { return list(path); });
}

} // namespace model_validator
