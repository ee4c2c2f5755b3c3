#include "connected_graph/shapes/size.h"

#include <algorithm>
#include <limits>

namespace model_validator::shapes {
namespace {

constexpr std::size_t max_terms = 16;
constexpr std::size_t max_factors = 8;
constexpr std::size_t max_weight = 64; ///< names and numbers in an expression
constexpr std::size_t max_expressions = 20'000;

bool sum_of(std::int64_t a, std::int64_t b, std::int64_t& to) {
  return !__builtin_add_overflow(a, b, &to);
}
bool product_of(std::int64_t a, std::int64_t b, std::int64_t& to) {
  return !__builtin_mul_overflow(a, b, &to);
}

std::int64_t rounded_down(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}

} // namespace

Size Sizes::symbol(const FreeAxis& axis) {
  if (!axis.name.empty())
    if (const auto known = by_name_.find(axis.name); known != by_name_.end()) return known->second;
  const auto id = static_cast<std::int64_t>(axes_.size());
  axes_.push_back(axis);
  const Size size = atom(AtomKind::symbol, Size::of(id), {});
  if (!axis.name.empty()) by_name_.emplace(axis.name, size);
  return size;
}

Sizes::Expression Sizes::expression_of(Size size) const {
  if (!size.is_number()) return expressions_.at(size.form_ - Size::first_expression);
  return size.number_ == 0 ? Expression{} : Expression{{{}, size.number_}};
}

Size Sizes::size_of(Expression expression) {
  if (expression.empty()) return Size::of(0);
  if (expression.size() == 1 && expression[0].atoms.empty()) return Size::of(expression[0].factor);
  if (expression.size() > max_terms || weight_of(expression) > 2 * max_weight) return {};
  const auto known = expression_ids_.find(expression);
  if (known != expression_ids_.end()) return {0, known->second};
  if (expressions_.size() >= max_expressions) return {};
  const auto form = static_cast<std::uint32_t>(expressions_.size()) + Size::first_expression;
  expressions_.push_back(expression);
  expression_ids_.emplace(std::move(expression), form);
  return {0, form};
}

std::size_t Sizes::weight_of(const Expression& expression) const {
  std::size_t weight = 0;
  for (const Term& term : expression) {
    ++weight;
    for (const AtomId id : term.atoms) weight += weights_[id];
  }
  return weight;
}

Size Sizes::atom(AtomKind kind, Size a, Size b) {
  const bool symbol = kind == AtomKind::symbol;
  if (!symbol && (!a.known() || !b.known())) return {};
  std::size_t weight = 1;
  if (!symbol) weight += weight_of(expression_of(a)) + weight_of(expression_of(b));
  if (weight > max_weight) return {};
  const auto [place, is_new] =
      atom_ids_.emplace(Atom{kind, a, b}, static_cast<AtomId>(atoms_.size()));
  if (is_new) {
    atoms_.push_back({kind, a, b});
    weights_.push_back(weight);
  }
  return size_of({{{place->second}, 1}});
}

/// False where a number grows beyond what is computed with.
bool Sizes::add_to(Expression& to, const Term& term) {
  const auto place = std::lower_bound(
      to.begin(), to.end(), term, [](const Term& a, const Term& b) { return a.atoms < b.atoms; });
  if (place == to.end() || place->atoms != term.atoms) {
    to.insert(place, term);
    return true;
  }
  if (!sum_of(place->factor, term.factor, place->factor)) return false;
  if (place->factor == 0) to.erase(place);
  return true;
}

Size Sizes::sum(Size a, Size b) {
  if (!a.known() || !b.known()) return {};
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (a.is_number() && b.is_number()) {
    std::int64_t number = 0;
    return sum_of(a.number_, b.number_, number) ? Size::of(number) : Size{};
  }
  Expression result = expression_of(a);
  for (const Term& term : expression_of(b))
    if (!add_to(result, term)) return {};
  return size_of(std::move(result));
}

Size Sizes::product(Size a, Size b) {
  if (!a.known() || !b.known()) return {};
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.is_number() && b.is_number()) {
    std::int64_t number = 0;
    return product_of(a.number_, b.number_, number) ? Size::of(number) : Size{};
  }
  const Expression right = expression_of(b);
  Expression result;
  for (const Term& x : expression_of(a))
    for (const Term& y : right) {
      Term term;
      if (!product_of(x.factor, y.factor, term.factor)) return {};
      std::merge(x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
                 std::back_inserter(term.atoms));
      if (term.atoms.size() > max_factors || !add_to(result, term)) return {};
    }
  return size_of(std::move(result));
}

Size Sizes::product(const std::vector<Size>& all) {
  Size result = Size::of(1);
  for (const Size each : all) result = product(result, each);
  return result;
}

std::optional<Sizes::Term> Sizes::divided(const Term& a, const Term& b) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  if (a.factor == least || a.factor % b.factor != 0 ||
      !std::includes(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end()))
    return std::nullopt;
  Term result{{}, a.factor / b.factor};
  std::set_difference(a.atoms.begin(), a.atoms.end(), b.atoms.begin(), b.atoms.end(),
                      std::back_inserter(result.atoms));
  return result;
}

Size Sizes::exact_quotient(Size a, Size b) {
  if (!a.known() || !b.known() || b.is(0)) return {};
  if (b.is(1)) return a;
  if (b.is(-1)) return product(a, b);
  if (a == b) return Size::of(1);
  if (a.is_number() && b.is_number())
    return a.number_ % b.number_ == 0 ? Size::of(a.number_ / b.number_) : Size{};
  const Expression divisor = expression_of(b);
  Size rest = a;
  Size result = Size::of(0);
  for (std::size_t steps = 0; !rest.is(0); ++steps) {
    if (steps > max_terms || !rest.known()) return {};
    const auto term = divided(expression_of(rest).back(), divisor.back());
    if (!term) return {};
    const Size part = size_of({*term});
    result = sum(result, part);
    rest = difference(rest, product(part, b));
  }
  return result;
}

/// `floor((floor(x / n) + c) / b)` is `floor((x + c*n) / (n*b))`.
Size Sizes::quotient_of_quotient(const Expression& a, std::int64_t b) {
  const bool constant = a.size() == 2 && a[0].atoms.empty();
  const Term& term = a.back();
  if ((a.size() != 1 && !constant) || term.factor != 1 || term.atoms.size() != 1) return {};
  const Atom inner = atoms_[term.atoms[0]];
  if (inner.kind != AtomKind::quotient || !inner.b.is_number() || inner.b.number_ <= 0) return {};
  const Size added = product(Size::of(constant ? a[0].factor : 0), inner.b);
  return quotient(sum(inner.a, added), product(inner.b, Size::of(b)));
}

Size Sizes::quotient(Size a, Size b) {
  if (!a.known() || !b.known() || b.is(0)) return {};
  if (b.is(-1)) return product(a, b);
  if (a.is_number() && b.is_number()) return Size::of(rounded_down(a.number_, b.number_));
  if (const Size exact = exact_quotient(a, b); exact.known()) return exact;
  if (!b.is_number() || b.number_ < 0) return atom(AtomKind::quotient, a, b);
  Expression rest;
  Expression whole;
  for (const Term& term : expression_of(a)) {
    Term kept = term;
    Term taken = term;
    taken.factor = rounded_down(term.factor, b.number_);
    kept.factor = term.factor - taken.factor * b.number_;
    if (taken.factor != 0) whole.push_back(taken);
    if (kept.factor != 0) rest.push_back(kept);
  }
  const Size left = size_of(rest);
  if (left.is_number())
    return sum(size_of(std::move(whole)), Size::of(rounded_down(left.number_, b.number_)));
  Size part = quotient_of_quotient(rest, b.number_);
  if (!part.known()) part = atom(AtomKind::quotient, left, b);
  return sum(size_of(std::move(whole)), part);
}

Size Sizes::quotient_rounded_up(Size a, Size b) {
  return quotient(sum(a, difference(b, Size::of(1))), b);
}

Size Sizes::truncated_quotient(Size a, Size b) {
  if (!a.known() || !b.known() || b.is(0)) return {};
  if (b.is(-1)) return product(a, b);
  if (a.is_number() && b.is_number()) return Size::of(a.number_ / b.number_);
  if (const Size exact = exact_quotient(a, b); exact.known()) return exact;
  if (not_negative(a) && not_negative(b)) return quotient(a, b);
  return atom(AtomKind::truncated, a, b);
}

Size Sizes::remainder(Size a, Size b) {
  if (b.is(-1) || exact_quotient(a, b).known()) return a.known() ? Size::of(0) : Size{};
  if (!a.is_number() || !b.is_number() || b.is(0)) return {};
  return Size::of(a.number_ % b.number_);
}

/// Whether it is a minimum of something else and the operand.
bool Sizes::is_minimum_of(Size size, Size operand) const {
  if (size.is_number()) return false;
  const Expression& all = expressions_[size.form_ - Size::first_expression];
  if (all.size() != 1 || all[0].factor != 1 || all[0].atoms.size() != 1) return false;
  const Atom& atom = atoms_[all[0].atoms[0]];
  return atom.kind == AtomKind::minimum && (atom.a == operand || atom.b == operand);
}

Size Sizes::minimum(Size a, Size b) {
  if (!a.known() || !b.known()) return {};
  if (is_minimum_of(a, b)) return a;
  if (is_minimum_of(b, a)) return b;
  const Size distance = difference(a, b);
  if (!distance.known()) return {};
  if (not_negative(distance)) return b;
  if (not_negative(difference(b, a))) return a;
  return a < b ? atom(AtomKind::minimum, a, b) : atom(AtomKind::minimum, b, a);
}

Size Sizes::maximum(Size a, Size b) {
  if (!a.known() || !b.known()) return {};
  const Size distance = difference(a, b);
  if (!distance.known()) return {};
  if (not_negative(distance)) return a;
  if (not_negative(difference(b, a))) return b;
  return a < b ? atom(AtomKind::maximum, a, b) : atom(AtomKind::maximum, b, a);
}

Size Sizes::broadcast(Size a, Size b) {
  if (a == b || b.is(1)) return a;
  if (a.is(1)) return b;
  if (a.is_number()) return a;
  if (b.is_number()) return b;
  return a < b ? atom(AtomKind::broadcast, a, b) : atom(AtomKind::broadcast, b, a);
}

/// What it is at least, for any sizes of the free axes; nothing where that is not known.
std::optional<std::int64_t> Sizes::least(const Atom& atom) const {
  if (atom.kind == AtomKind::symbol || atom.kind == AtomKind::broadcast) return 0;
  const auto a = least(atom.a), b = least(atom.b);
  if (atom.kind == AtomKind::maximum) return std::max(a, b); // nothing is less than any number
  if (!a || !b) return std::nullopt;
  switch (atom.kind) {
  case AtomKind::minimum: return std::min(*a, *b);
  case AtomKind::quotient:
  case AtomKind::truncated:
    if (atom.b.is_number() && *b > 0)
      return atom.kind == AtomKind::quotient ? rounded_down(*a, *b) : *a / *b;
    return *a >= 0 && *b >= 0 ? std::optional<std::int64_t>(0) : std::nullopt;
  default: return std::nullopt;
  }
}

std::optional<std::int64_t> Sizes::least(const Term& term) const {
  std::int64_t product = term.factor;
  for (const AtomId id : term.atoms) {
    const auto each = least(atoms_[id]);
    const bool grows = term.factor >= 0 && each && (*each >= 0 || term.atoms.size() == 1);
    if (!grows || !product_of(product, *each, product)) return std::nullopt;
  }
  return product;
}

std::optional<std::int64_t> Sizes::least(Size size) const {
  if (!size.known()) return std::nullopt;
  if (size.is_number()) return size.number_;
  std::int64_t sum = 0;
  for (const Term& term : expressions_[size.form_ - Size::first_expression]) {
    const auto each = least(term);
    if (!each || !sum_of(sum, *each, sum)) return std::nullopt;
  }
  return sum;
}

bool Sizes::not_negative(Size size) const { return least(size).value_or(-1) >= 0; }

bool Sizes::is_symbol(Size size) const {
  if (!size.known() || size.is_number()) return false;
  const Expression& all = expressions_[size.form_ - Size::first_expression];
  return all.size() == 1 && all[0].factor == 1 && all[0].atoms.size() == 1 &&
         atoms_[all[0].atoms[0]].kind == AtomKind::symbol;
}

Size Sizes::without_limits(Size size, Limited taken) {
  if (!size.known() || size.is_number()) return size;
  Size result = Size::of(0);
  for (const Term& term : expression_of(size)) {
    Size part = Size::of(term.factor);
    for (const AtomId id : term.atoms) {
      const Atom each = atoms_[id];
      const bool limit =
          each.kind == AtomKind::minimum && (each.a.is_number() || each.b.is_number());
      const bool first = each.a.is_number() == (taken == Limited::number);
      part = product(part,
                     limit ? without_limits(first ? each.a : each.b, taken) : size_of({{{id}, 1}}));
    }
    result = sum(result, part);
  }
  return result;
}

std::vector<std::pair<Size, std::int64_t>> Sizes::limits_in(Size size) const {
  std::vector<std::pair<Size, std::int64_t>> limits;
  if (!size.known() || size.is_number()) return limits;
  for (const Term& term : expression_of(size))
    for (const AtomId id : term.atoms)
      if (const Atom& each = atoms_[id]; each.kind == AtomKind::minimum) {
        if (each.a.is_number()) limits.emplace_back(each.b, each.a.number_);
        if (each.b.is_number()) limits.emplace_back(each.a, each.b.number_);
      }
  return limits;
}

void Sizes::collect_symbols(Size size, std::vector<SymbolId>& to) const {
  if (!size.known() || size.is_number()) return;
  for (const Term& term : expression_of(size))
    for (const AtomId id : term.atoms) {
      const Atom& each = atoms_[id];
      if (each.kind == AtomKind::symbol) {
        to.push_back(static_cast<SymbolId>(each.a.number_));
      } else {
        collect_symbols(each.a, to);
        collect_symbols(each.b, to);
      }
    }
}

std::vector<Sizes::SymbolId> Sizes::symbols_in(Size size) const {
  std::vector<SymbolId> symbols;
  collect_symbols(size, symbols);
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

} // namespace model_validator::shapes
