#include "connected_graph/shapes/size.h"

#include <algorithm>
#include <limits>

// What an equation says of single axes.

namespace model_validator::shapes {

/// Whether it grows with each size that it depends on, so that only few of them keep it at a
/// number.
bool Sizes::grows(Size size) const {
  if (!size.known() || size.is_number()) return size.known();
  const Expression& terms = expressions_[size.form_ - Size::first_expression];
  return std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
    return term.factor > 0 || term.atoms.empty() ? grows(term) : false;
  });
}

bool Sizes::grows(const Term& term) const {
  return std::all_of(term.atoms.begin(), term.atoms.end(), [&](AtomId id) {
    const Atom& atom = atoms_[id];
    switch (atom.kind) {
    case AtomKind::symbol: return true;
    case AtomKind::quotient:
    case AtomKind::truncated: return atom.b.is_number() && grows(atom.a);
    case AtomKind::minimum: return false;
    case AtomKind::maximum:
    case AtomKind::broadcast: return grows(atom.a) && grows(atom.b);
    }
    return false;
  });
}

/// `factor * atoms + rest == 0`
Sizes::Solution Sizes::solve_one_term(const Term& term, std::int64_t rest) {
  Solution solution;
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  if (rest == least) return solution;
  if (rest % term.factor != 0) return {Solution::Kind::never, {}, 0};
  solution.number = -rest / term.factor;
  solution.symbols = symbols_in(size_of({{term.atoms, 1}}));
  const bool alone = term.atoms.size() == 1;
  if (alone && atoms_[term.atoms[0]].kind == AtomKind::symbol) {
    solution.kind = solution.number < 0 ? Solution::Kind::never : Solution::Kind::number;
    return solution;
  }
  const bool few = solution.number > 0 && grows(term);
  solution.kind = few ? Solution::Kind::few : Solution::Kind::open;
  return solution;
}

/// Without the names that are in every term: `b*t - 5*b` is `t - 5` for all sizes but none at all.
Size Sizes::without_common_names(Size size) {
  if (!size.known() || size.is_number()) return size;
  Expression terms = expression_of(size);
  if (terms.size() < 2) return size;
  const std::vector<AtomId> first = terms[0].atoms;
  for (const AtomId id : first) {
    const auto place_in = [&](Term& term) {
      return std::find(term.atoms.begin(), term.atoms.end(), id);
    };
    const bool common = atoms_[id].kind == AtomKind::symbol &&
                        std::all_of(terms.begin(), terms.end(),
                                    [&](Term& t) { return place_in(t) != t.atoms.end(); });
    for (Term& term : terms)
      if (common) term.atoms.erase(place_in(term));
  }
  std::sort(terms.begin(), terms.end());
  return size_of(std::move(terms));
}

/// `24*b*s` and `28*b*s`: none but empty tensors make them equal.
bool Sizes::in_proportion(Size a, Size b) const {
  if (!a.known() || !b.known() || a.is_number() || b.is_number() || a == b) return false;
  const Expression& x = expressions_[a.form_ - Size::first_expression];
  const Expression& y = expressions_[b.form_ - Size::first_expression];
  return x.size() == 1 && y.size() == 1 && x[0].atoms == y[0].atoms;
}

/// A minimum of an expression and a number may be either of them: what is said holds of both.
Sizes::Solution Sizes::solve(Size a, Size b) {
  using Kind = Solution::Kind;
  if (in_proportion(a, b)) return {Kind::never, {}, 0};
  const Size distance = difference(a, b);
  Solution solution = solve_for_zero(without_limits(distance));
  auto limits = limits_in(distance);
  if (limits.empty() || solution.kind == Kind::always) return solution;
  std::sort(limits.begin(), limits.end());
  if (limits.front() != limits.back()) return {};
  Solution of_number = solve_for_zero(without_limits(distance, Limited::number));
  if (of_number.kind == Kind::never) return solution;
  if (of_number.kind == Kind::always || solution.kind != Kind::never) return {};
  return of_number;
}

/// Whether it is a difference of two names: `2*b - 2*h`.
bool Sizes::of_two_symbols(const Expression& terms) const {
  const auto alone = [&](const Term& term) {
    return term.atoms.size() == 1 && atoms_[term.atoms[0]].kind == AtomKind::symbol;
  };
  return terms.size() == 2 && terms[0].factor == -terms[1].factor && alone(terms[0]) &&
         alone(terms[1]);
}

/// What follows from `distance == 0`.
Sizes::Solution Sizes::solve_for_zero(Size size) {
  const Size distance = without_common_names(size);
  if (!distance.known()) return {};
  if (distance.is_number())
    return {distance.is(0) ? Solution::Kind::always : Solution::Kind::never, {}, 0};
  Expression terms = expression_of(distance);
  std::int64_t rest = 0;
  if (terms[0].atoms.empty()) {
    rest = terms[0].factor;
    terms.erase(terms.begin());
  }
  if (terms.size() == 1) return solve_one_term(terms[0], rest);
  if (rest == 0 && of_two_symbols(terms)) return {Solution::Kind::equal, symbols_in(distance), 0};
  const bool one_sign = std::all_of(terms.begin(), terms.end(), [&](const Term& term) {
    return (term.factor > 0) == (terms[0].factor > 0) && grows(term);
  });
  const bool bounded = one_sign && rest != 0 && (rest > 0) != (terms[0].factor > 0);
  if (!bounded) return {};
  return {Solution::Kind::few, symbols_in(distance), 0};
}

} // namespace model_validator::shapes
