#include "connected_graph/shapes/size.h"

#include <algorithm>

// How expressions read, and what they amount to.

namespace model_validator::shapes {

std::string Sizes::name_of(SymbolId id) const {
  const FreeAxis& axis = axes_.at(id);
  return axis.name.empty() ? axis.input + ".shape[" + std::to_string(axis.axis) + "]" : axis.name;
}

std::string Sizes::text(const Atom& atom) const {
  const auto call = [&](const std::string& name) {
    return name + "(" + text(atom.a) + ", " + text(atom.b) + ")";
  };
  const auto operand = [&](Size size) {
    const std::string words = text(size);
    return words.find(' ') == std::string::npos ? words : "(" + words + ")";
  };
  switch (atom.kind) {
  case AtomKind::symbol: return name_of(static_cast<SymbolId>(atom.a.number_));
  case AtomKind::quotient: return "floor(" + operand(atom.a) + "/" + operand(atom.b) + ")";
  case AtomKind::truncated: return "trunc(" + operand(atom.a) + "/" + operand(atom.b) + ")";
  case AtomKind::minimum: return call("min");
  case AtomKind::maximum: return call("max");
  case AtomKind::broadcast: return call("broadcast");
  }
  return "?";
}

std::string Sizes::text_of_term(const Term& term) const {
  const auto factor = term.factor < 0 ? -static_cast<std::uint64_t>(term.factor)
                                      : static_cast<std::uint64_t>(term.factor);
  std::string words = factor == 1 && !term.atoms.empty() ? "" : std::to_string(factor);
  for (const AtomId id : term.atoms) words += (words.empty() ? "" : "*") + text(atoms_[id]);
  return words;
}

std::string Sizes::text(Size size) const {
  if (!size.known()) return "?";
  if (size.is_number()) return std::to_string(size.number_);
  Expression terms = expression_of(size);
  // The constant comes last, as people write it.
  if (terms[0].atoms.empty()) std::rotate(terms.begin(), terms.begin() + 1, terms.end());
  std::stable_partition(terms.begin(), terms.end(),
                        [](const Term& term) { return term.factor > 0; });
  std::string words;
  for (const Term& term : terms) {
    if (words.empty())
      words = term.factor < 0 ? "-" : "";
    else
      words += term.factor < 0 ? " - " : " + ";
    words += text_of_term(term);
  }
  return words;
}

std::optional<std::int64_t>
Sizes::value(const Atom& atom, const std::vector<std::optional<std::int64_t>>& of_symbols) const {
  if (atom.kind == AtomKind::symbol) {
    const auto id = static_cast<SymbolId>(atom.a.number_);
    return id < of_symbols.size() ? of_symbols[id] : std::nullopt;
  }
  const auto a = value(atom.a, of_symbols);
  const auto b = value(atom.b, of_symbols);
  if (!a || !b) return std::nullopt;
  switch (atom.kind) {
  case AtomKind::quotient:
  case AtomKind::truncated: {
    if (*b <= 0) return std::nullopt;
    const bool down = atom.kind == AtomKind::quotient && *a < 0 && *a % *b != 0;
    return *a / *b - (down ? 1 : 0);
  }
  case AtomKind::minimum: return std::min(*a, *b);
  case AtomKind::maximum: return std::max(*a, *b);
  default: return *a == 1 ? *b : *a;
  }
}

std::optional<std::int64_t>
Sizes::value(Size size, const std::vector<std::optional<std::int64_t>>& of_symbols) const {
  if (!size.known()) return std::nullopt;
  if (size.is_number()) return size.number_;
  std::int64_t total = 0;
  for (const Term& term : expression_of(size)) {
    std::int64_t part = term.factor;
    for (const AtomId id : term.atoms) {
      const auto each = value(atoms_[id], of_symbols);
      if (!each || __builtin_mul_overflow(part, *each, &part)) return std::nullopt;
    }
    if (__builtin_add_overflow(total, part, &total)) return std::nullopt;
  }
  return total;
}

} // namespace model_validator::shapes
