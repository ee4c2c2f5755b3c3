#include "connected_graph/shapes/functions.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace model_validator::shapes::functions {
namespace {

struct Factors {
  std::size_t a = 0, b = 1;
  bool transposed_a = false, transposed_b = false;
};

/// The axes before the last two; nothing where they do not broadcast.
std::optional<Shape> batch_of_product(Inference& at, const Factors& factors) {
  const Shape& a = *at.shape(factors.a);
  const Shape& b = *at.shape(factors.b);
  if (a.size() > 1 && b.size() > 1) return at.broadcast({factors.a, factors.b}, Fails::at_load, 2);
  const Shape& larger = a.size() > 1 ? a : b;
  return larger.size() > 1 ? Shape(larger.begin(), larger.end() - 2) : Shape{};
}

/// The product of the last two axes; those before them broadcast.
void multiply(Inference& at, const Factors& factors) {
  const Shape* a = at.shape(factors.a);
  const Shape* b = at.shape(factors.b);
  if (a == nullptr || b == nullptr) return;
  for (const std::size_t input : {factors.a, factors.b})
    if (at.shape(input)->empty())
      return at.cannot_fit("scalar", at.name_of(input) + " is a scalar", {factors.a, factors.b},
                           Fails::at_load);
  const std::size_t last_a = a->size() - 1;
  const std::size_t last_b = b->size() - 1;
  const bool matrix_a = last_a > 0;
  const bool matrix_b = last_b > 0;
  const std::size_t inner_a = matrix_a && factors.transposed_a ? last_a - 1 : last_a;
  const std::size_t inner_b = matrix_b && !factors.transposed_b ? last_b - 1 : last_b;
  at.same(at.axis(factors.a, inner_a), at.axis(factors.b, inner_b), Fails::at_load);
  const auto batch = batch_of_product(at, factors);
  if (!batch) return;
  Shape result = *batch;
  if (matrix_a) result.push_back(a->at(inner_a == last_a ? last_a - 1 : last_a));
  if (matrix_b) result.push_back(b->at(inner_b == last_b ? last_b - 1 : last_b));
  at.set(0, std::move(result));
}

/// `a` times `b` plus `c`, all matrices.
void multiply_and_add(Inference& at, const Factors& factors, std::size_t c) {
  if (!at.must_have_rank(factors.a, 2, Fails::at_load) ||
      !at.must_have_rank(factors.b, 2, Fails::at_load))
    return;
  at.set(0, Shape(2));
  multiply(at, factors);
  if (at.outputs.empty() || at.shape(c) == nullptr) return;
  const Shape& result = *at.outputs[0].shape;
  const Shape& added = *at.shape(c);
  if (added.size() > result.size())
    return at.cannot_fit("more-axes", at.name_of(c) + " has more than two axes", {c},
                         Fails::when_run);
  for (std::size_t i = 0; i < added.size(); ++i)
    if (const std::size_t axis = result.size() - added.size() + i; !added[i].is(1))
      at.same(at.axis(c, i),
              {result[axis], axis == 0 ? factors.a : factors.b, 0,
               axis == 0 ? "the number of rows of the product"
                         : "the number of columns of the product"},
              Fails::when_run);
}

/// The letters of `ij,jk->ik`, and for each axis of an ellipsis a character that is no letter.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

constexpr std::string_view ellipsis = "...";

/// Characters for so many axes, counted from the last, as they broadcast.
std::string axes_of_ellipsis(std::size_t count) {
  std::string axes;
  for (std::size_t i = count; i > 0; --i) axes += static_cast<char>(i);
  return axes;
}

/// What an equation without an arrow yields: what it names once, by the alphabet.
std::string implied_result(const std::string& operands, bool has_ellipsis) {
  std::string letters;
  for (const char letter : operands)
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0 &&
        std::count(operands.begin(), operands.end(), letter) == 1)
      letters += letter;
  std::sort(letters.begin(), letters.end());
  return (has_ellipsis ? std::string(ellipsis) : "") + letters;
}

/// Puts characters in the place of each ellipsis, which stands for as many axes everywhere. False
/// where it is not known for how many.
bool spell_out(Inference& at, Equation& equation) {
  constexpr std::size_t most = 30;
  std::optional<std::size_t> axes;
  for (std::size_t i = 0; i < equation.operands.size(); ++i) {
    std::string& letters = equation.operands[i];
    const auto place = letters.find(ellipsis);
    if (place == std::string::npos) continue;
    if (at.shape(i) == nullptr || at.shape(i)->size() > most) return false;
    const std::size_t named = letters.size() - ellipsis.size();
    const std::size_t own = at.shape(i)->size() - std::min(at.shape(i)->size(), named);
    letters.replace(place, ellipsis.size(), axes_of_ellipsis(own));
    if (axes.value_or(own) != own) {
      at.cannot_fit("ellipsis",
                    "`...` stands for " + std::to_string(*axes) + " axes, and in " + at.name_of(i) +
                        " for " + std::to_string(own),
                    {0, i}, Fails::at_load);
      return false;
    }
    axes = own;
  }
  if (const auto place = equation.result.find(ellipsis); place != std::string::npos)
    equation.result.replace(place, ellipsis.size(), axes_of_ellipsis(axes.value_or(0)));
  return true;
}

Equation parsed(std::string text) {
  std::erase(text, ' ');
  Equation equation;
  const auto arrow = text.find("->");
  const bool has_ellipsis = text.find(ellipsis) != std::string::npos;
  equation.result =
      arrow == std::string::npos ? implied_result(text, has_ellipsis) : text.substr(arrow + 2);
  std::string operand;
  for (const char letter : text.substr(0, arrow) + ',') {
    if (letter != ',') {
      operand += letter;
      continue;
    }
    equation.operands.push_back(std::move(operand));
    operand.clear();
  }
  return equation;
}

/// Whether an equation is for as many inputs as there are, and yields what they have.
bool equation_fits(Inference& at, const Equation& equation) {
  if (equation.operands.size() != at.node.inputs.size()) {
    at.cannot_fit("operands",
                  "the equation is for " + std::to_string(equation.operands.size()) +
                      " operands, and there are " + std::to_string(at.node.inputs.size()),
                  {0}, Fails::at_load);
    return false;
  }
  for (const char letter : equation.result) {
    const auto names = [letter](const std::string& operand) {
      return operand.find(letter) != std::string::npos;
    };
    if (letter == '.' || std::ranges::any_of(equation.operands, names)) continue;
    at.cannot_fit("letter", std::string("no operand has the axis `") + letter + "` of the result",
                  {0}, Fails::at_load);
    return false;
  }
  return true;
}

} // namespace

void matmul(Inference& at) { multiply(at, {}); }

void quantised_matmul(Inference& at) { multiply(at, {0, 3, false, false}); }

void fused_matmul(Inference& at) {
  if (at.flag("transBatchA") || at.flag("transBatchB")) return;
  multiply(at, {0, 1, at.flag("transA"), at.flag("transB")});
}

void gemm(Inference& at) {
  constexpr int first_with_numpy_rules = 7;
  const Factors factors{0, 1, at.flag("transA"), at.flag("transB")};
  const bool adds = at.node.opset >= first_with_numpy_rules || !at.node.domain.empty();
  multiply_and_add(at, factors, adds ? 2 : at.node.inputs.size());
}

void quantised_gemm(Inference& at) {
  multiply_and_add(at, {0, 3, at.flag("transA"), at.flag("transB")}, 6);
}

/// Of `MatMulNBits`, a weight has for each column its blocks of packed numbers.
static void packed_weight_fits(Inference& at, std::int64_t inner, std::int64_t columns) {
  const std::int64_t block = at.integer("block_size", 0);
  if (at.node.type != "MatMulNBits" || !at.has_rank(1, 3) || block <= 0) return;
  const Size blocks = at.sizes.quotient_rounded_up(Size::of(inner), Size::of(block));
  at.same(at.axis(1, 0), {Size::of(columns), 1, 0, "attribute `N`"}, at.noticed(1));
  at.same(at.axis(1, 1), {blocks, 1, 1, "the number of blocks of `K` numbers"}, at.noticed(1));
}

void matmul_of_packed_bits(Inference& at) {
  const Shape* a = at.shape(0);
  if (a == nullptr || a->empty()) return;
  const auto inner = at.node.attributes->integer("K");
  const auto columns = at.node.attributes->integer("N");
  if (!inner || !columns) return;
  at.same(at.axis(0, a->size() - 1), {Size::of(*inner), 0, 0, "attribute `K`"}, Fails::when_run);
  packed_weight_fits(at, *inner, *columns);
  Shape result = *a;
  result.back() = Size::of(*columns);
  at.set(0, std::move(result));
}

void einsum(Inference& at) {
  const auto stated = at.node.attributes->text("equation");
  if (!stated) return;
  Equation equation = parsed(*stated);
  if (!equation_fits(at, equation) || !spell_out(at, equation)) return;
  std::map<char, Place> places;
  for (std::size_t i = 0; i < equation.operands.size(); ++i) {
    const std::string& letters = equation.operands[i];
    if (at.shape(i) == nullptr) continue;
    if (!at.must_have_rank(i, letters.size(), Fails::at_load)) return;
    for (std::size_t k = 0; k < letters.size(); ++k) {
      const auto [known, is_new] = places.emplace(letters[k], at.axis(i, k));
      if (is_new) continue;
      known->second.size = at.broadcast(known->second, at.axis(i, k), Fails::when_run);
    }
  }
  Shape result;
  for (const char letter : equation.result) {
    const auto place = places.find(letter);
    result.push_back(place == places.end() ? Size{} : place->second.size);
  }
  at.set(0, std::move(result));
}

void determinant(Inference& at) {
  const Shape* matrix = at.shape(0);
  if (matrix == nullptr || matrix->size() < 2) return;
  at.same(at.axis(0, matrix->size() - 2), at.axis(0, matrix->size() - 1), Fails::at_load);
  at.set(0, Shape(matrix->begin(), matrix->end() - 2));
}

} // namespace model_validator::shapes::functions
