#pragma once

#include "connected_graph/value_kind.h"

#include <onnx-ml.pb.h>
#include <string>

namespace model_validator::onnx_format {

/// The type of a value, but for its shape.
struct KnownType {
  std::string dtype; ///< of its elements; empty if it is not known
  ValueKind kind = ValueKind::unknown;
  std::string declared = {}; ///< what the file declares instead; empty unless that is another type

  std::string in_words() const { return type_in_words(kind, dtype); }

  /// Whether two values cannot be of one type.
  bool differs_from(const KnownType& other) const {
    if (has_other_kind(other)) return true;
    return !dtype.empty() && !other.dtype.empty() && dtype != other.dtype;
  }
  bool has_other_kind(const KnownType& other) const {
    return kind != ValueKind::unknown && other.kind != ValueKind::unknown && kind != other.kind;
  }

  /// What an operator yields wins over what is declared, as far as it is known.
  void yield(const KnownType& found) {
    if (differs_from(found)) declared = in_words();
    if (!found.dtype.empty() || has_other_kind(found)) dtype = found.dtype;
    if (found.kind != ValueKind::unknown) kind = found.kind;
  }
};

/// What the file declares.
KnownType declared_type(const ::onnx::TypeProto& type);

/// Of a tensor, by the number of its dtype.
KnownType tensor_of(int element_type);

/// What a body may be given, or yield, for another: an optional for what it holds.
bool fit_at_border(const KnownType& a, const KnownType& b);

KnownType sequence_of(const KnownType& element);
KnownType optional_of(const KnownType& held);
/// What a sequence or an optional holds. An optional may be given as the tensor itself.
KnownType held_by(const KnownType& holder);

} // namespace model_validator::onnx_format
