#pragma once

#include <string>
#include <vector>

namespace fuzz {

/// A type of TorchScript.
struct Type {
  enum class Kind {
    tensor,
    integer,
    real,
    boolean,
    text,
    none,
    list,
    tuple,
    dict,
    optional,
    object
  };
  Kind kind = Kind::tensor;
  std::vector<Type> parts; ///< of a collection; a dict's keys are texts
  std::string name;        ///< of a class

  friend bool operator==(const Type&, const Type&) = default;
};

inline Type list_of(Type element) { return {Type::Kind::list, {std::move(element)}, {}}; }

/// As code and pickles spell it.
inline std::string spelled(const Type& type) {
  const auto with_parts = [&type](const std::string& head) {
    std::string text;
    for (const Type& part : type.parts) text += (text.empty() ? "" : ", ") + spelled(part);
    return head + "[" + text + "]";
  };
  switch (type.kind) {
  case Type::Kind::tensor: return "Tensor";
  case Type::Kind::integer: return "int";
  case Type::Kind::real: return "float";
  case Type::Kind::boolean: return "bool";
  case Type::Kind::text: return "str";
  case Type::Kind::none: return "NoneType";
  case Type::Kind::list: return with_parts("List");
  case Type::Kind::tuple: return with_parts("Tuple");
  case Type::Kind::dict: return "Dict[str, " + spelled(type.parts[0]) + "]";
  case Type::Kind::optional: return with_parts("Optional");
  case Type::Kind::object: return type.name;
  }
  return {};
}

} // namespace fuzz
