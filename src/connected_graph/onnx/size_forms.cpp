#include "connected_graph/onnx/size_forms.h"

#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Node = ::onnx::NodeProto;
using Numbers = std::vector<std::int64_t>;
using shapes::Shape;

/// Beyond it no setting means anything; the product of two, and a few of these together, fit.
constexpr std::int64_t max_setting = std::int64_t{1} << 30;

std::int64_t bounded(std::int64_t number) { return std::clamp(number, -max_setting, max_setting); }

Numbers numbers_in(const Node& node, std::string_view name) {
  const auto* found = attribute_named(node, name);
  if (found == nullptr) return {};
  Numbers numbers(found->ints().begin(), found->ints().end());
  std::ranges::transform(numbers, numbers.begin(), bounded);
  return numbers;
}

/// Nothing where it is free.
std::optional<std::int64_t> number_of(const shapes::Size& size) {
  const auto number = size.number();
  return number ? std::optional(bounded(*number)) : std::nullopt;
}

std::string word_of(const Node& node, std::string_view name) {
  const auto* found = attribute_named(node, name);
  return found == nullptr ? std::string() : found->s();
}

std::int64_t at(const Numbers& list, std::size_t i, std::int64_t usual) {
  return i < list.size() ? list[i] : usual;
}

bool is_free(const Shape& shape) {
  return !std::ranges::all_of(shape, [](const auto& size) { return size.is_number(); });
}

class SizeForms {
public:
  SizeForms(const ::onnx::GraphProto& graph, const Scope& scope, FormList& forms)
      : graph_(graph), scope_(scope), forms_(forms) {}

  void look_at(const Node& node) {
    if (!is_default_domain(node.domain())) return;
    const std::string& type = node.op_type();
    if (type == "MaxPool" || type == "AveragePool") look_at_pool(node);
    if (type == "MaxPool") look_at_places(node);
    if (type == "ConvTranspose") look_at_transposed(node);
    if (type == "PRelu") look_at_slope(node);
    if (type == "Resize") look_at_resized(node);
  }

private:
  const Shape* shape_of(const std::string& name) const {
    const Binding* found = name.empty() ? nullptr : scope_.find(name);
    return found != nullptr && found->sizes.shape ? &*found->sizes.shape : nullptr;
  }

  const Shape* shape_of_input(const Node& node, int input) const {
    return input < node.input_size() ? shape_of(node.input(input)) : nullptr;
  }

  const Shape* shape_of_output(const Node& node, int output) const {
    return output < node.output_size() ? shape_of(node.output(output)) : nullptr;
  }

  /// Rounding up, its last window begins beyond the input and what pads it: ONNX leaves that out.
  void look_at_pool(const Node& pool) {
    const Shape* given = shape_of_input(pool, 0);
    if (integer_named(pool, "ceil_mode", 0) == 0 || given == nullptr) return;
    const Numbers kernel = numbers_in(pool, "kernel_shape"), pads = numbers_in(pool, "pads");
    const Numbers strides = numbers_in(pool, "strides"), dilations = numbers_in(pool, "dilations");
    for (std::size_t i = 0; i < kernel.size() && i + 2 < given->size(); ++i) {
      const auto size = number_of((*given)[i + 2]);
      const std::int64_t stride = at(strides, i, 1), before = at(pads, i, 0);
      if (!size || stride < 1) continue;
      const std::int64_t over = *size + before + at(pads, i + kernel.size(), 0) -
                                (kernel[i] - 1) * at(dilations, i, 1) - 1;
      const bool is_beyond = (over + stride - 1) / stride * stride >= *size + before;
      if (pool.op_type() == "MaxPool" && is_beyond)
        return forms_.add("pool-beyond", spoken(pool) + " rounds up to a window that begins "
                                                        "beyond its input");
      if (pool.op_type() == "AveragePool" && !is_beyond && over % stride != 0 &&
          integer_named(pool, "count_include_pad", 0) &&
          std::ranges::any_of(pads, [](std::int64_t pad) { return pad != 0; }))
        return forms_.add("pool-beyond-pads", spoken(pool) + " counts what pads its input, and its "
                                                             "last window reaches beyond");
    }
  }

  bool is_read(const std::string& name) {
    if (read_.empty()) {
      for (const auto& output : graph_.output()) read_.insert(output.name());
      for (const Node& node : graph_.node()) {
        const std::vector<std::string> names = names_read(node); // those of its subgraphs, too
        read_.insert(names.begin(), names.end());
      }
    }
    return read_.contains(name);
  }

  /// Places that are counted by columns, of images that are not square.
  void look_at_places(const Node& pool) {
    if (integer_named(pool, "storage_order", 0) != 1 || pool.output_size() < 2) return;
    const Shape* places = is_read(pool.output(1)) ? shape_of(pool.output(1)) : nullptr;
    if (places == nullptr || places->size() < 4) return;
    const Shape image(places->begin() + 2, places->end());
    if (!is_free(image) && !std::equal(image.begin(), image.end(), image.rbegin()))
      forms_.add("pool-places-turned",
                 spoken(pool) + " counts places by columns of an image that is not square");
  }

  struct Deconvolution {
    Numbers kernel, strides, dilations, added, wanted;
    bool keeps_size = false;

    /// Whether what is left out is left out at both ends alike, where it is even.
    bool is_halved() const { return keeps_size && !wanted.empty(); }

    /// What is left out along an axis of an image. Its size matters only where another is wanted.
    std::optional<std::int64_t> left_out(std::size_t axis,
                                         std::optional<std::int64_t> image) const {
      const std::int64_t stride = at(strides, axis, 1);
      const std::int64_t beyond =
          (kernel[axis] - 1) * at(dilations, axis, 1) + 1 + at(added, axis, 0) - stride;
      if (wanted.empty()) return beyond;
      if (!image || !added.empty()) return std::nullopt; // runtimes differ about both together
      return *image * stride + beyond - wanted[wanted.size() - kernel.size() + axis];
    }
  };

  std::optional<Deconvolution> deconvolution(const Node& node) const {
    Deconvolution made{
        numbers_in(node, "kernel_shape"), numbers_in(node, "strides"),
        numbers_in(node, "dilations"),    numbers_in(node, "output_padding"),
        numbers_in(node, "output_shape"), word_of(node, "auto_pad").starts_with("SAME")};
    const Shape* weight = shape_of_input(node, 1);
    if (made.kernel.empty() && weight != nullptr && weight->size() > 2 && !is_free(*weight))
      for (auto size = weight->begin() + 2; size != weight->end(); ++size)
        made.kernel.push_back(*number_of(*size));
    const bool is_known = !made.kernel.empty() &&
                          (made.wanted.empty() || made.wanted.size() >= made.kernel.size()) &&
                          (made.keeps_size || !made.wanted.empty());
    return is_known ? std::optional(made) : std::nullopt;
  }

  /// What does not fit into the size that it is to yield is left out at both ends, which a runtime
  /// may work out before the sizes of the image are known.
  void look_at_transposed(const Node& node) {
    const Shape* given = shape_of_input(node, 0);
    const auto made = deconvolution(node);
    if (given == nullptr || !made || !is_free(*given)) return;
    if (given->size() != made->kernel.size() + 2) return;
    bool is_open = false;
    for (std::size_t i = 0; i < made->kernel.size(); ++i) {
      const auto left = made->left_out(i, number_of((*given)[i + 2]));
      is_open = is_open || !left;
      if (left.value_or(0) > 0 && !(made->is_halved() && *left % 2 == 0))
        return forms_.add("deconvolution-cut", spoken(node) + " leaves out a part of what it "
                                                              "computes, of sizes that are free");
    }
    if (is_open)
      forms_.add("deconvolution-cut-open", spoken(node) + " yields a size that is given, whatever "
                                                          "its input is");
  }

  /// A list of slopes that fits the channels as well as the last axis.
  void look_at_slope(const Node& node) {
    const Shape *given = shape_of_input(node, 0), *slope = shape_of_input(node, 1);
    if (given == nullptr || slope == nullptr || slope->size() != 1 || given->size() < 3) return;
    const auto& slopes = slope->front();
    if (!slopes.is(1) && slopes.is_number() && slopes == (*given)[1] && slopes == given->back())
      forms_.add("slope-by-channel",
                 spoken(node) +
                     " has a slope for each index of its last axis, and as many channels");
  }

  /// Which axes are resized, and how: `resized-1-2-3-of-4-linear`. Images alone are not mentioned,
  /// nor is what a size that nobody knows may decide.
  void look_at_resized(const Node& node) {
    const Shape *given = shape_of_input(node, 0), *made = shape_of_output(node, 0);
    if (given == nullptr || made == nullptr || given->size() != made->size()) return;
    std::string axes;
    bool beyond_image = false;
    for (std::size_t i = 0; i < given->size(); ++i) {
      const shapes::Size from = (*given)[i], to = (*made)[i];
      if (!from.known() || !to.known()) return;
      if (from == to) continue;
      if (from.is_number() != to.is_number()) return; // a run may give it that size
      axes += "-" + std::to_string(i);
      beyond_image = beyond_image || i < 2;
    }
    if (!beyond_image) return;
    const std::string mode = word_of(node, "mode");
    forms_.add("resized" + axes + "-of-" + std::to_string(given->size()) + "-" +
                   (mode.empty() ? "nearest" : mode),
               spoken(node) + " resizes more than an image");
  }

  const ::onnx::GraphProto& graph_;
  const Scope& scope_;
  FormList& forms_;
  std::unordered_set<std::string> read_; ///< names, once they are asked for
};

} // namespace

void add_size_forms(const ::onnx::GraphProto& graph, const Scope& scope, FormList& forms) {
  SizeForms each(graph, scope, forms);
  for (const Node& node : graph.node()) each.look_at(node);
}

} // namespace model_validator::onnx_format
