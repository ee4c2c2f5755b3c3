#include "connected_graph/value_kind.h"

namespace model_validator {
namespace {

/// `sequence`, and what joins it to the dtype of its elements.
std::pair<const char*, const char*> words_of(ValueKind kind) {
  switch (kind) {
  case ValueKind::sequence: return {"sequence", " of "};
  case ValueKind::optional: return {"optional", " "};
  case ValueKind::optional_sequence: return {"optional sequence", " of "};
  case ValueKind::sparse: return {"sparse tensor", " of "};
  case ValueKind::map: return {"map", " to "};
  case ValueKind::tensor:
  case ValueKind::unknown: break;
  }
  return {"tensor", ""};
}

} // namespace

std::string in_words(ValueKind kind) {
  const std::string word = words_of(kind).first;
  return (word.front() == 'o' ? "an " : "a ") + word;
}

std::string type_in_words(ValueKind kind, const std::string& dtype) {
  const auto [word, joint] = words_of(kind);
  const bool plain = *joint == '\0';
  if (dtype.empty()) return word;
  return plain ? dtype : word + std::string(joint) + dtype;
}

} // namespace model_validator
