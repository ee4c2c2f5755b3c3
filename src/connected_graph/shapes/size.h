#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace model_validator::shapes {

/// The size of an axis, or an integer computed of sizes: a number, an expression over the names of
/// free axes, or unknown. Two that are equal stand for the same number in every run; expressions
/// belong to the `Sizes` that made them.
class Size {
public:
  constexpr Size() = default;
  static constexpr Size of(std::int64_t number) { return {number, is_a_number}; }

  bool known() const noexcept { return form_ != unknown; }
  bool is_number() const noexcept { return form_ == is_a_number; }
  bool is(std::int64_t number) const noexcept { return is_number() && number_ == number; }
  std::optional<std::int64_t> number() const {
    return is_number() ? std::optional(number_) : std::nullopt;
  }
  friend auto operator<=>(const Size&, const Size&) = default;

private:
  friend class Sizes;
  static constexpr std::uint32_t unknown = 0, is_a_number = 1, first_expression = 2;
  constexpr Size(std::int64_t number, std::uint32_t form) : number_(number), form_(form) {}
  std::int64_t number_ = 0;
  std::uint32_t form_ = unknown;
};

/// An axis of an input of the model whose size the file leaves free.
struct FreeAxis {
  std::string input;
  std::size_t axis = 0;
  std::string name; ///< as the file declares it; empty where it gives none
};

/// Makes expressions and computes with them. They are sums of products with whole factors, over
/// names, quotients, minima and the like; equal ones are one. What grows beyond bounds is unknown.
class Sizes {
public:
  using SymbolId = std::size_t;

  /// The size of a free axis: one for all axes of one name.
  Size symbol(const FreeAxis& axis);

  Size sum(Size a, Size b);
  Size difference(Size a, Size b) { return sum(a, product(b, Size::of(-1))); }
  Size product(Size a, Size b);
  Size product(const std::vector<Size>& all);
  /// Rounded down.
  Size quotient(Size a, Size b);
  Size quotient_rounded_up(Size a, Size b);
  /// As C++ has it; unknown of a size that is not known, unless it divides evenly.
  Size remainder(Size a, Size b);
  /// Rounded towards zero, as integers are divided.
  Size truncated_quotient(Size a, Size b);
  Size minimum(Size a, Size b);
  Size maximum(Size a, Size b);
  /// What comes of two sizes that are equal, or one of which is 1.
  Size broadcast(Size a, Size b);
  /// The number that, times `b`, gives `a`; unknown where there is none for all sizes.
  Size exact_quotient(Size a, Size b);

  /// Whether it cannot be negative, whatever the sizes of the free axes.
  bool not_negative(Size size) const;
  /// Whether it is one name, and nothing else.
  bool is_symbol(Size size) const;
  /// What is taken for a minimum of an expression and a number.
  enum class Limited { expression, number };
  /// The same without such minima.
  Size without_limits(Size size, Limited taken = Limited::expression);
  /// Those minima in it: expression and number.
  std::vector<std::pair<Size, std::int64_t>> limits_in(Size size) const;

  /// The free axes that it was computed from.
  std::vector<SymbolId> symbols_in(Size size) const;
  const FreeAxis& axis_of(SymbolId id) const { return axes_.at(id); }
  std::size_t symbol_count() const noexcept { return axes_.size(); }
  std::string name_of(SymbolId id) const;
  /// `2*h + 1`; `?` where it is unknown
  std::string text(Size size) const;
  /// Its number for the given sizes of free axes, by symbol; nothing where one of them is missing.
  std::optional<std::int64_t>
  value(Size size, const std::vector<std::optional<std::int64_t>>& of_symbols) const;

  /// What follows from `a == b`.
  struct Solution {
    enum class Kind : std::uint8_t {
      open,   ///< nothing about single axes
      always, ///< it holds anyway
      never,  ///< no sizes make it true
      number, ///< an axis is a number
      few,    ///< axes have finitely many sizes
      equal,  ///< two axes are equal
    };
    Kind kind = Kind::open;
    std::vector<SymbolId> symbols;
    std::int64_t number = 0;
  };
  Solution solve(Size a, Size b);

private:
  enum class AtomKind : std::uint8_t { symbol, quotient, truncated, minimum, maximum, broadcast };
  using AtomId = std::uint32_t;
  struct Atom {
    AtomKind kind;
    Size a, b; ///< of a symbol, `a` is its number
    friend auto operator<=>(const Atom&, const Atom&) = default;
  };
  struct Term {
    std::vector<AtomId> atoms; ///< sorted; none for the constant
    std::int64_t factor = 0;
    friend auto operator<=>(const Term&, const Term&) = default;
  };
  using Expression = std::vector<Term>; ///< sorted, without zeros

  Expression expression_of(Size size) const;
  Size size_of(Expression expression);
  Size atom(AtomKind kind, Size a, Size b);
  std::size_t weight_of(const Expression& expression) const;
  static bool add_to(Expression& to, const Term& term);
  static std::optional<Term> divided(const Term& a, const Term& b);
  Size quotient_of_quotient(const Expression& a, std::int64_t b);
  std::optional<std::int64_t> least(Size size) const;
  std::optional<std::int64_t> least(const Term& term) const;
  std::optional<std::int64_t> least(const Atom& atom) const;
  void collect_symbols(Size size, std::vector<SymbolId>& to) const;
  std::string text(const Atom& atom) const;
  std::string text_of_term(const Term& term) const;
  std::optional<std::int64_t>
  value(const Atom& atom, const std::vector<std::optional<std::int64_t>>& of_symbols) const;
  Size without_common_names(Size size);
  bool grows(Size size) const;
  bool grows(const Term& term) const;
  Solution solve_one_term(const Term& term, std::int64_t rest);
  Solution solve_for_zero(Size distance);
  bool in_proportion(Size a, Size b) const;
  bool of_two_symbols(const Expression& terms) const;
  bool is_minimum_of(Size size, Size operand) const;

  std::vector<FreeAxis> axes_;
  std::map<std::string, Size> by_name_;
  std::vector<Atom> atoms_;
  std::vector<std::size_t> weights_; ///< by atom: names and numbers in it
  std::map<Atom, AtomId> atom_ids_;
  std::vector<Expression> expressions_;
  std::map<Expression, std::uint32_t> expression_ids_;
};

} // namespace model_validator::shapes
