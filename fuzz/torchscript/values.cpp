#include "values.h"

#include "../pickle_writer.h"

namespace fuzz {
namespace {

using Kind = Type::Kind;

bool is_of(const Type& type, Kind kind) {
  return !type.parts.empty() && type.parts[0].kind == kind;
}

} // namespace

std::string Values::items(const Type& type, int depth) {
  std::string all;
  for (std::size_t i = 0, count = choices_.below(3); i < count; ++i) {
    if (type.kind == Kind::dict) all += pickled::text(choices_.name() + std::to_string(i));
    all += of(type.parts[0], depth - 1);
  }
  return all;
}

std::string Values::object(const std::string& name, int depth) {
  // A shared object is one under several names.
  if (const auto found = known_.find(name); found != known_.end() && choices_.one_in(2))
    return std::string("h") + static_cast<char>(found->second);
  const auto dot = name.rfind('.');
  std::string pickle = "c" + name.substr(0, dot) + "\n" + name.substr(dot + 1) + "\n)\x81";
  if (known_.size() < 200) {
    const auto number = static_cast<unsigned>(known_.size());
    known_.emplace(name, number);
    if (known_[name] == number) pickle += std::string("q") + static_cast<char>(number);
  }
  pickle += "}(";
  for (const Attribute& attribute : classes[name])
    pickle += pickled::text(attribute.name) + of(attribute.type, depth - 1);
  return pickle + "ub";
}

std::string Values::of(const Type& type, int depth) {
  if (choices_.one_in(256)) return "N";
  switch (type.kind) {
  case Kind::tensor: return pickled::tensor(choices_);
  case Kind::integer: return pickled::integer(choices_.integer());
  case Kind::real: return pickled::real(choices_.real());
  case Kind::boolean: return choices_.of({"\x89", "\x88"});
  case Kind::text: return pickled::text(choices_.name());
  case Kind::none: return "N";
  case Kind::optional: return choices_.one_in(2) ? of(type.parts[0], depth - 1) : "N";
  case Kind::tuple: {
    std::string parts;
    for (const Type& part : type.parts) parts += of(part, depth - 1);
    return "(" + parts + "t";
  }
  case Kind::list:
    if (is_of(type, Kind::integer))
      return "ctorch.jit._pickle\nbuild_intlist\n](" + items(type, depth) + "e\x85R";
    if (is_of(type, Kind::tensor))
      return "ctorch.jit._pickle\nbuild_tensorlist\n](" + items(type, depth) + "e\x85R";
    return "ctorch.jit._pickle\nrestore_type_tag\n(](" + items(type, depth) + "e" +
           pickled::text(spelled(type)) + "tR";
  case Kind::dict:
    return "ctorch.jit._pickle\nrestore_type_tag\n(}(" + items(type, depth) + "u" +
           pickled::text(spelled(type)) + "tR";
  case Kind::object: return object(type.name, depth);
  }
  return "N";
}

} // namespace fuzz
