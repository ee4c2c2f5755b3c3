#pragma once

#include "connected_graph/shapes/facts.h"
#include "connected_graph/shapes/node.h"

#include <optional>
#include <string>
#include <vector>

namespace model_validator::shapes {

/// A size, and where a sentence says that it is.
struct Place {
  Size size;
  std::size_t input = 0;
  std::size_t axis = 0;
  const char* words = nullptr; ///< says what it is, where it is no axis of an input
};

/// One node, while its shapes are worked out: what it is given, and what becomes of it.
class Inference {
public:
  Inference(const Node& given, Sizes& all_sizes, Facts& all_facts)
      : node(given), sizes(all_sizes), outputs(given.output_count), facts_(all_facts) {}

  const Node& node;
  Sizes& sizes;
  std::vector<Value> outputs;

  bool given(std::size_t input) const {
    return input < node.inputs.size() && node.inputs[input] != nullptr;
  }
  /// Null where it is left out, or its rank is unknown.
  const Shape* shape(std::size_t input) const {
    return given(input) ? node.inputs[input]->shape.get() : nullptr;
  }
  /// Its elements; null where they are not known.
  const Shape* elements(std::size_t input) const {
    return given(input) ? node.inputs[input]->elements.get() : nullptr;
  }
  /// What a list of sizes holds: unknown ones, if only their number is known.
  std::optional<Shape> listed(std::size_t input) const;
  /// The element of an input that has one; unknown where it has others.
  Size element(std::size_t input) const {
    const Shape* all = elements(input);
    return all != nullptr && all->size() == 1 ? all->front() : Size{};
  }
  /// The elements, if all are numbers.
  std::optional<std::vector<std::int64_t>> numbers(std::size_t input) const;
  bool has_rank(std::size_t input, std::size_t rank) const {
    return shape(input) != nullptr && shape(input)->size() == rank;
  }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    return node.attributes->integer(name).value_or(otherwise);
  }
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const {
    return node.attributes->integers(name);
  }
  bool flag(std::string_view name) const { return integer(name, 0) != 0; }
  /// The sizes that an attribute lists.
  std::optional<Shape> stated(std::string_view name) const;
  std::vector<std::size_t> all_inputs() const;

  Place axis(std::size_t input, std::size_t axis) const {
    return {shape(input)->at(axis), input, axis, nullptr};
  }

  void set(std::size_t output, Shape shape);
  void set(std::size_t output, std::shared_ptr<const Shape> shape);
  void set_elements(std::size_t output, Shape elements, bool real);
  /// Says that the run decides how many axes the first output has.
  void leave_rank_open(std::string kind, std::string sentence);
  /// The same, where a list of sizes is an input of the model without a length.
  void leave_rank_to_list(std::size_t input);
  /// Gives the first output the numbers of the first input.
  void keep_numbers();

  /// Of two sizes that must be equal, the one that says more.
  Size same(const Place& a, const Place& b, Fails fails);
  /// Of two sizes that must be equal, or one of which must be 1, what comes of it.
  Size broadcast(const Place& a, const Place& b, Fails fails);
  /// Broadcasts whole shapes; unknown where one of them is. `first` axes at the end are left out.
  std::optional<Shape> broadcast(const std::vector<std::size_t>& inputs, Fails fails,
                                 std::size_t left_out = 0);
  /// The second input must broadcast into the first, which keeps its shape.
  void broadcast_into(std::size_t from, std::size_t to, Fails fails);
  /// Says that the operands cannot fit.
  /// @param reason  as profiles call it
  void cannot_fit(std::string reason, std::string sentence, const std::vector<std::size_t>& inputs,
                  Fails fails);
  /// Says how many axes an input must have. False where it has another number of them.
  bool must_have_rank(std::size_t input, std::size_t rank, Fails fails);

  /// Says that a size must not be larger than a number.
  void limit(Size size, std::int64_t most);
  /// Says that an input must be a list, if it is something else.
  void must_be_list(std::size_t input, Fails fails);
  /// Says that an input must be one number, if it is known to be more.
  void must_be_one_number(std::size_t input, Fails fails);
  /// The axis with this number; says so where the first input has none like it.
  std::optional<std::size_t> own_axis(std::int64_t axis, Fails fails);
  /// When a runtime notices what depends on the numbers of an input: stored ones, as it loads.
  Fails noticed(std::size_t input) const {
    return given(input) && node.inputs[input]->source == Source::stored ? Fails::at_load
                                                                        : Fails::when_run;
  }

  /// `axis 1 of `x` is 64`
  std::string said(const Place& place) const;
  /// `` `x` ``, or what stands for an input without a name.
  std::string name_of(std::size_t input) const;
  /// `[n, 64]`
  std::string text(const Shape& shape) const;

private:
  void demand(const Place& a, const Place& b, Sizes::Solution solution, bool or_one);
  Size broadcast_unequal(const Place& a, const Place& b, Fails fails);
  std::string origin_of(std::size_t input) const;

  Facts& facts_;
};

/// An axis counted from the end where it is negative; nothing where there is none.
std::optional<std::size_t> axis_in(std::int64_t axis, std::size_t rank);

/// What becomes of the shapes of a node's inputs. Unknown where the operator is not known, or not
/// enough of the inputs.
std::vector<Value> infer(const Node& node, Sizes& sizes, Facts& facts);

} // namespace model_validator::shapes
