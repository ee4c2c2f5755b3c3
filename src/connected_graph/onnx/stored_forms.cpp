#include "connected_graph/onnx/stored_forms.h"

#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/tensor.h"

#include <model_validator/data/dtype.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace model_validator::onnx_format {
namespace {

using Tensor = ::onnx::TensorProto;

/// Nothing where there are more than any memory holds.
std::optional<std::uint64_t> element_count(const auto& dims) {
  std::uint64_t count = 1;
  for (const std::int64_t size : dims) {
    if (size < 0 ||
        (size > 0 && count > (std::uint64_t{1} << 40) / static_cast<std::uint64_t>(size)))
      return std::nullopt;
    count *= static_cast<std::uint64_t>(size);
  }
  return count;
}

Held exactly(int count) {
  return {static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(count), false};
}

/// How many numbers stand in the field that is for the dtype.
int count_in_own_field(const Tensor& tensor) {
  switch (tensor.data_type()) {
  case Tensor::FLOAT:
  case Tensor::COMPLEX64: return tensor.float_data_size();
  case Tensor::DOUBLE:
  case Tensor::COMPLEX128: return tensor.double_data_size();
  case Tensor::INT64: return tensor.int64_data_size();
  case Tensor::UINT32:
  case Tensor::UINT64: return tensor.uint64_data_size();
  case Tensor::STRING: return tensor.string_data_size();
  default: return tensor.int32_data_size();
  }
}

int count_in_fields(const Tensor& tensor) {
  return tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
         tensor.double_data_size() + tensor.uint64_data_size() + tensor.string_data_size();
}

constexpr std::uint32_t float_field = 4, raw_field = 9, double_field = 10;
constexpr std::uint64_t max_varint_bytes = 10;

Held held_apart(std::uint32_t field, std::uint64_t bytes) {
  if (field == raw_field) return {bytes, bytes, true};
  if (field == float_field) return {bytes / 4, bytes / 4, false};
  if (field == double_field) return {bytes / 8, bytes / 8, false};
  return {bytes / max_varint_bytes, bytes, false};
}

/// Of a complex number both parts are listed.
std::uint64_t numbers_listed(int dtype, std::uint64_t count) {
  const bool complex = dtype == Tensor::COMPLEX64 || dtype == Tensor::COMPLEX128;
  return complex ? count * 2 : count;
}

/// Per element; 0 for text and what is not known.
unsigned bits_of(const Tensor& tensor) {
  const auto dtype = dtype_numbered(&DTypeFacts::onnx, tensor.data_type());
  return dtype ? facts_of(*dtype).bits : 0;
}

/// Whether two or more numbers share an element of a list.
bool is_packed(unsigned bits) { return bits > 0 && bits < 8; }

std::string_view listed_kind(int dtype) {
  switch (dtype) {
  case Tensor::BFLOAT16: return "listed-bfloat16";
  case Tensor::FLOAT8E4M3FN:
  case Tensor::FLOAT8E4M3FNUZ:
  case Tensor::FLOAT8E5M2:
  case Tensor::FLOAT8E5M2FNUZ: return "listed-float8";
  default: return {};
  }
}

} // namespace

void StoredForms::read(const ::onnx::GraphProto& graph) {
  for (const auto& tensor : graph.initializer()) read(tensor, tensor.name());
  for (const auto& sparse : graph.sparse_initializer()) read(sparse);
}

void StoredForms::read(const ::onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_t())
      read(attribute.t(), node.output_size() > 0 ? node.output(0) : attribute.name());
    if (!attribute.has_sparse_tensor()) continue;
    read(attribute.sparse_tensor());
    if (is_default_domain(node.domain()) && node.op_type() == "Constant")
      forms_.add("sparse-constant", spoken(node) + " has a sparse value");
  }
}

void StoredForms::read(const ::onnx::SparseTensorProto& sparse) {
  read(sparse.values(), sparse.values().name());
  const auto count = element_count(sparse.dims());
  const auto at = numbers_of(sparse.indices(), source_.filtered, source_.file, 4096);
  if (at && sparse.indices().dims_size() > 0 && sparse.values().dims_size() == 1 &&
      sparse.indices().dims(0) != sparse.values().dims(0))
    forms_.add("sparse-index", "the sparse tensor `" + sparse.values().name() + "` has " +
                                   counted(sparse.values().dims(0), "number") + " and " +
                                   std::to_string(sparse.indices().dims(0)) + " places for them");
  if (!count || !at || sparse.indices().dims_size() != 1) return;
  const auto beyond = [&](double each) { return each < 0 || each >= static_cast<double>(*count); };
  if (std::ranges::any_of(*at, beyond))
    forms_.add("sparse-index", "the sparse tensor `" + sparse.values().name() +
                                   "` has an index beyond its dimensions");
}

void StoredForms::read(const Tensor& tensor, const std::string& name) {
  if (tensor.data_location() == Tensor::EXTERNAL) return;
  read_listed(tensor, name);
  if (tensor.data_type() == Tensor::UNDEFINED)
    forms_.add("bytes-dtype", "the stored tensor `" + name + "` has no dtype");
  else if (!Tensor::DataType_IsValid(tensor.data_type()))
    forms_.add("bytes-dtype", "the stored tensor `" + name + "` has the dtype " +
                                  std::to_string(tensor.data_type()) +
                                  ", which ONNX does not have");
  if (const auto count = element_count(tensor.dims())) compare(tensor, *count, name);
}

void StoredForms::read_listed(const Tensor& tensor, const std::string& name) {
  const std::string_view kind = listed_kind(tensor.data_type());
  if (kind.empty()) return;
  const auto fields = source_.filtered.fields_of(tensor.raw_data());
  const bool apart =
      std::ranges::any_of(fields, [](std::uint32_t each) { return each != raw_field; });
  const bool is_zero = std::ranges::all_of(tensor.int32_data(), [](int each) { return each == 0; });
  if (apart || !is_zero)
    forms_.add(std::string(kind), "the stored tensor `" + name + "` lists the bits of its " +
                                      dtype_name(tensor.data_type()) + " numbers as integers");
}

void StoredForms::compare(const Tensor& tensor, std::uint64_t count, const std::string& name) {
  const int inside = count_in_fields(tensor);
  if (inside > count_in_own_field(tensor))
    return forms_.add("bytes-field", "the stored tensor `" + name +
                                         "` has its numbers in a field for other dtypes");
  const unsigned bits = bits_of(tensor);
  const auto spans = spans_of(tensor.raw_data(), source_.filtered.tensor_data);
  if (spans.size() > 1 || (bits == 0 && tensor.data_type() != Tensor::STRING)) return;
  Held held;
  if (inside > 0)
    held = exactly(inside);
  else if (!spans.empty())
    held = held_apart(source_.filtered.fields_of(tensor.raw_data()).front(), spans[0].size);
  if (held.most > 0 && is_packed(bits) && !held.in_bytes) return;
  hold_against(held,
               held.in_bytes ? (count * bits + 7) / 8 : numbers_listed(tensor.data_type(), count),
               name);
}

void StoredForms::hold_against(const Held& held, std::uint64_t needed, const std::string& name) {
  if (held.least <= needed && needed <= held.most) return;
  const char* kind = held.most == 0       ? "bytes-none"
                     : held.most < needed ? "bytes-short"
                                          : "bytes-long";
  forms_.add(kind, "the stored tensor `" + name + "` holds " + std::to_string(held.most) +
                       (held.in_bytes ? " bytes" : " numbers") + ", and its dimensions say " +
                       std::to_string(needed));
}

} // namespace model_validator::onnx_format
