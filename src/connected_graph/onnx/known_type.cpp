#include "connected_graph/onnx/known_type.h"

#include "connected_graph/onnx/tensor.h"

namespace model_validator::onnx_format {

KnownType declared_type(const ::onnx::TypeProto& type) {
  if (type.has_tensor_type()) return tensor_of(type.tensor_type().elem_type());
  if (type.has_sequence_type()) return sequence_of(declared_type(type.sequence_type().elem_type()));
  if (type.has_optional_type()) return optional_of(declared_type(type.optional_type().elem_type()));
  if (type.has_sparse_tensor_type())
    return {dtype_name(type.sparse_tensor_type().elem_type()), ValueKind::sparse};
  return {{}, type.has_map_type() ? ValueKind::map : ValueKind::unknown};
}

KnownType tensor_of(int element_type) { return {dtype_name(element_type), ValueKind::tensor}; }

bool fit_at_border(const KnownType& a, const KnownType& b) {
  const auto plain = [](const KnownType& type) {
    return type.kind == ValueKind::optional || type.kind == ValueKind::optional_sequence
               ? held_by(type)
               : type;
  };
  return !plain(a).differs_from(plain(b));
}

KnownType sequence_of(const KnownType& element) { return {element.dtype, ValueKind::sequence}; }

KnownType optional_of(const KnownType& held) {
  switch (held.kind) {
  case ValueKind::tensor: return {held.dtype, ValueKind::optional};
  case ValueKind::sequence: return {held.dtype, ValueKind::optional_sequence};
  default: return {held.dtype};
  }
}

KnownType held_by(const KnownType& holder) {
  switch (holder.kind) {
  case ValueKind::tensor:
  case ValueKind::optional:
  case ValueKind::sequence: return {holder.dtype, ValueKind::tensor};
  case ValueKind::optional_sequence: return {holder.dtype, ValueKind::sequence};
  default: return {holder.dtype};
  }
}

} // namespace model_validator::onnx_format
