#include "connected_graph/onnx/body_forms.h"

#include "connected_graph/onnx/attributes.h"
#include "connected_graph/onnx/domain.h"
#include "connected_graph/onnx/names_read.h"
#include "connected_graph/onnx/tensor.h"
#include "connected_graph/shapes/inference.h"

#include <model_validator/data/contains.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

namespace model_validator::onnx_format {
namespace {

using Graph = ::onnx::GraphProto;
using Node = ::onnx::NodeProto;

constexpr int first_with_plain_scan = 9;

bool has_type(const ::onnx::ValueInfoProto& value) {
  return value.type().has_tensor_type() && value.type().tensor_type().elem_type() != 0;
}

bool has_shape(const ::onnx::ValueInfoProto& value) {
  return value.type().has_tensor_type() && value.type().tensor_type().has_shape();
}

class Bodies {
public:
  Bodies(const Node& node, FormList& forms) : node_(node), forms_(forms) {}

  void read() {
    if (!is_default_domain(node_.domain())) return;
    if (node_.op_type() == "If") return read_if();
    if (node_.op_type() == "Loop") return read_loop();
    if (node_.op_type() == "Scan") read_scan();
    if (node_.op_type() == "SequenceMap") read_map();
  }

private:
  const ::onnx::AttributeProto* attribute(const char* name) const {
    return attribute_named(node_, name);
  }

  const Graph* body(const char* name) const {
    const auto* found = attribute(name);
    return found != nullptr && found->has_g() ? &found->g() : nullptr;
  }

  void add(const char* kind, const std::string& what) { forms_.add(kind, spoken(node_) + what); }

  /// @param kind  where there are too few; `-more` is added to it where there are too many
  void require(const std::string& kind, int found, int wanted, const char* what) {
    if (found == wanted) return;
    const std::string full = kind + (found > wanted ? "-more" : "");
    add(full.c_str(),
        " has a body of " + counted(found, what) + ", and needs " + std::to_string(wanted));
  }

  void read_if() {
    const Graph* arms[] = {body("then_branch"), body("else_branch")};
    for (const Graph* arm : arms) {
      if (arm == nullptr) return add("if-arm", " lacks one of its branches");
      if (arm->input_size() > 0) add("if-inputs", " has a branch with inputs");
      if (arm->output_size() == 0 && node_.output_size() > 0)
        add("if-empty", " has a branch without results");
    }
    if (std::ranges::any_of(node_.output(), &std::string::empty))
      add("if-result-left-out", " leaves out a result");
    const auto [fewest, most] = std::minmax({arms[0]->output_size(), arms[1]->output_size()});
    if (fewest != node_.output_size() || most != node_.output_size())
      add(node_.output_size() > fewest ? "if-results-more" : "if-count",
          " has " + counted(node_.output_size(), "result") + ", and branches that yield " +
              std::to_string(arms[0]->output_size()) + " and " +
              std::to_string(arms[1]->output_size()));
  }

  void require_distinct(const Graph& graph) {
    std::set<std::string> names;
    for (const auto& input : graph.input())
      if (!names.insert(input.name()).second)
        add("body-input-twice", " has a body with two inputs `" + input.name() + "`");
  }

  void look_for_inputs_yielded(const Graph& graph) {
    std::set<std::string_view> inputs;
    for (const auto& input : graph.input()) inputs.insert(input.name());
    for (const auto& output : graph.output())
      if (!output.name().empty() && inputs.contains(output.name()))
        add("loop-yields-input",
            " has a body that yields its input `" + output.name() + "` as it is");
  }

  /// Trip count and condition come before what is carried; the body takes an iteration number and
  /// a condition, and yields the condition first.
  void read_loop() {
    const Graph* graph = body("body");
    if (graph == nullptr) return add("body-missing", " has no body");
    const int carried = std::max(node_.input_size() - 2, 0);
    require("loop-body-inputs", graph->input_size(), carried + 2, "input");
    if (graph->output_size() < carried + 1)
      require("loop-body-outputs", graph->output_size(), carried + 1, "result");
    else if (node_.output_size() != graph->output_size() - 1)
      add(node_.output_size() < graph->output_size() ? "loop-outputs" : "loop-outputs-more",
          " takes " + counted(node_.output_size(), "result") + ", and its body has " +
              std::to_string(graph->output_size() - 1) + " to take");
    require_distinct(*graph);
    read_loop_operands();
    require_dtype(*graph, 0, "an iteration number", ::onnx::TensorProto::INT64);
    require_dtype(*graph, 1, "a condition", ::onnx::TensorProto::BOOL);
    if (graph->input_size() > 0 && !has_shape(graph->input(0)))
      add("loop-number-open",
          " has a body that does not declare the shape of its iteration number");
    look_for_inputs_yielded(*graph);
    look_for_growth(*graph);
    if (graph->input_size() > 1 && graph->output_size() > 0)
      read_condition(*graph, graph->input(1).name(), graph->output(0).name());
  }

  /// What is carried and comes out longer.
  void look_for_growth(const Graph& graph) {
    std::unordered_map<std::string_view, const Node*> joined;
    for (const Node& node : graph.node())
      if (node.op_type() == "Concat" && node.input_size() > 1 && node.output_size() == 1)
        joined.emplace(node.output(0), &node);
    const int carried = std::min(graph.input_size() - 1, graph.output_size());
    for (int place = 1; place < carried; ++place) {
      const std::string& given = graph.input(place + 1).name();
      const auto made = joined.find(graph.output(place).name());
      if (made != joined.end() && contains(made->second->input(), given))
        return add("loop-state-grows",
                   " has a body that appends to what it carries as `" + given + "`");
    }
  }

  /// A body that hands its condition on as it is, and reads it besides.
  void read_condition(const Graph& graph, const std::string& given, const std::string& yielded) {
    const auto hands_on = [&](const Node& node) {
      return node.op_type() == "Identity" && node.input_size() == 1 && node.input(0) == given &&
             node.output_size() == 1 && node.output(0) == yielded;
    };
    if (given.empty() || std::ranges::none_of(graph.node(), hands_on)) return;
    for (const Node& node : graph.node())
      if (!hands_on(node) && contains(names_read(node), given))
        return add("loop-condition-read",
                   " has a body that hands on its condition `" + given + "`, and reads it besides");
  }

  /// What the operator gives its body is declared as what it is.
  void require_dtype(const Graph& body, int input, const char* what, int dtype) {
    if (input >= body.input_size() || !has_type(body.input(input))) return;
    const int declared = body.input(input).type().tensor_type().elem_type();
    if (declared != dtype)
      add("loop-body-dtype",
          " has a body that takes " + std::string(what) + " of dtype " + dtype_name(declared));
  }

  void read_loop_operands() {
    const auto given = [&](int input) {
      return input < node_.input_size() && !node_.input(input).empty();
    };
    if (!given(0)) add("loop-no-trips", " has no trip count");
    if (!given(1)) add("loop-no-condition", " has no condition");
    if (std::ranges::any_of(node_.output(), &std::string::empty))
      add("loop-result-left-out", " leaves out a result");
  }

  void read_map() {
    const Graph* graph = body("body");
    if (graph == nullptr) return add("body-missing", " has no body");
    require("map-body-inputs", graph->input_size(), node_.input_size(), "input");
    require("map-body-outputs", graph->output_size(), node_.output_size(), "result");
  }

  void read_scan() {
    const Graph* graph = body("body");
    const auto* scanned = attribute("num_scan_inputs");
    if (graph == nullptr) return add("body-missing", " has no body");
    if (scanned == nullptr) return;
    const auto inputs = static_cast<std::int64_t>(node_.input_size());
    if (scanned->i() > inputs)
      return add("scan-inputs", " scans " + counted(scanned->i(), "input") + ", and has " +
                                    std::to_string(inputs));
    if (scanned->i() < 1) add("scan-nothing", " scans no input");
    require("scan-body-inputs", graph->input_size(), node_.input_size(), "input");
    require("scan-body-outputs", graph->output_size(), node_.output_size(), "result");
    require_distinct(*graph);
    if (scanned->i() == inputs) add("scan-stateless", " has no state");
    if (std::ranges::any_of(node_.output(), &std::string::empty))
      add("scan-result-left-out", " leaves out a result");
    if (std::ranges::any_of(graph->input(), [](const auto& each) { return !has_type(each); }))
      add("scan-untyped", " has a body whose inputs are declared without types");
    read_scan_lists(static_cast<int>(scanned->i()),
                    node_.output_size() - (node_.input_size() - static_cast<int>(scanned->i())));
  }

  void read_scan_lists(int scanned, int written) {
    const auto hold = [&](const char* name, int wanted, bool directions) {
      const auto* list = attribute(name);
      if (list == nullptr) return;
      const bool odd = directions && std::ranges::any_of(list->ints(), [](std::int64_t each) {
                         return each != 0 && each != 1;
                       });
      if (list->ints_size() != wanted || odd)
        add("scan-list", std::string(" has ") + name +
                             (odd ? " that are neither 0 nor 1"
                                  : " of another number than its inputs or results"));
    };
    hold("scan_input_axes", scanned, false);
    hold("scan_input_directions", scanned, true);
    hold("scan_output_axes", written, false);
    hold("scan_output_directions", written, true);
    for (const char* name : {"scan_input_axes", "scan_output_axes"})
      if (const auto* axes = attribute(name);
          axes != nullptr && std::ranges::any_of(axes->ints(), [](auto each) { return each < 0; }))
        add("scan-axis-negative", std::string(" counts an axis of ") + name + " from the end");
  }

  const Node& node_;
  FormList& forms_;
};

/// What the values of two places have against each other.
class Border {
public:
  Border(const Node& node, std::size_t flat, FormList& forms)
      : node_(node), flat_(flat), forms_(forms) {}

  const Graph* body() const {
    const auto* found = attribute_named(node_, "body");
    return found == nullptr ? nullptr : &found->g();
  }

  static std::optional<std::size_t> rank(const Binding& value) {
    return value.sizes.shape ? std::optional(value.sizes.shape->size()) : std::nullopt;
  }

  void add(const std::string& kind, const std::string& what) {
    forms_.add(kind, spoken(node_) + what, flat_);
  }

  /// @returns whether both are known to have one dtype and rank, or might
  void compare(const std::string& kind, const std::string& what, const Binding& a, const Binding& b,
               const KnownType& declared = {}) {
    const KnownType& type = declared.dtype.empty() ? a.type : declared;
    if (!fit_at_border(type, b.type))
      return add(kind + kind_of_types(type, b.type),
                 what + type.in_words() + " and " + b.type.in_words());
    const auto first = rank(a), second = rank(b);
    if (!first || !second) return;
    if (*first != *second)
      return add(kind + "-rank", what + counted(static_cast<std::int64_t>(*first), "dimension") +
                                     " and " + std::to_string(*second));
    compare_sizes(kind, what, a, b);
  }

  void require(const std::string& kind, const std::string& what, const Binding* value,
               std::initializer_list<const char*> dtypes) {
    if (value == nullptr) return;
    const std::string& dtype = value->type.dtype;
    const bool fits = dtype.empty() ||
                      std::ranges::any_of(dtypes, [&](const char* each) { return dtype == each; });
    if (!fits) return add(kind, " has " + what + " of dtype " + dtype);
    if (value->sizes.shape && element_count(*value).value_or(1) != 1)
      add(kind + "-size", " has " + what + " of " + std::to_string(*element_count(*value)) +
                              " elements, and needs one");
  }

  /// All are as long as one another, along the axis that each is cut by.
  void compare_scanned(const std::vector<const Binding*>& inputs, const ScanAxes& scan) {
    std::optional<std::int64_t> length;
    for (std::size_t i = scan.first_sliced(); i < inputs.size(); ++i) {
      const auto known = inputs[i] == nullptr ? std::nullopt : rank(*inputs[i]);
      if (!known) continue;
      const auto axis = scan.cut(i, *known);
      if (!axis) return has_no_axis(" cuts an input of ", *known, scan.stated_cut(i));
      const auto size = size_of(*inputs[i], *axis);
      if (size && length && *size != *length)
        return add("scan-lengths", " cuts inputs of lengths " + std::to_string(*length) + " and " +
                                       std::to_string(*size));
      if (size) length = size;
    }
  }

  void compare_written(const std::vector<Binding>& results, const ScanAxes& scan) {
    for (std::size_t i = scan.first_sliced(); i < results.size(); ++i)
      if (const auto known = rank(results[i]); known && !scan.written(i, *known + 1))
        return has_no_axis(" stacks a result to ", *known + 1, scan.stated_written(i));
  }

private:
  void has_no_axis(const char* what, std::size_t rank, std::int64_t axis) {
    add("scan-axis", what + counted(static_cast<std::int64_t>(rank), "dimension") + " along axis " +
                         std::to_string(axis));
  }

  static std::optional<std::int64_t> size_of(const Binding& value, std::size_t axis) {
    if (!value.sizes.shape || !(*value.sizes.shape)[axis].is_number()) return std::nullopt;
    return *(*value.sizes.shape)[axis].number();
  }

  static std::optional<std::int64_t> element_count(const Binding& value) {
    std::int64_t count = 1;
    for (const auto& size : *value.sizes.shape) {
      if (!size.is_number() || *size.number() > (1 << 20)) return std::nullopt;
      count *= *size.number();
    }
    return count;
  }

  void compare_sizes(const std::string& kind, const std::string& what, const Binding& a,
                     const Binding& b) {
    if (!a.sizes.shape || !b.sizes.shape) return;
    for (std::size_t i = 0; i < a.sizes.shape->size(); ++i) {
      const auto &first = (*a.sizes.shape)[i], &second = (*b.sizes.shape)[i];
      if (first.is_number() && second.is_number() && *first.number() != *second.number())
        return add(kind + "-size", what + "sizes " + std::to_string(*first.number()) + " and " +
                                       std::to_string(*second.number()));
    }
  }

  const Node& node_;
  std::size_t flat_;
  FormList& forms_;
};

/// Not from the number of an iteration.
bool may_be_known(const Binding* condition) {
  return condition == nullptr || condition->stored() ||
         (condition->worked_out && !condition->counted);
}

/// Stored, or worked out from sizes that are declared.
bool is_known(const Binding* condition) {
  if (condition == nullptr || condition->stored()) return true;
  const auto& elements = condition->sizes.elements;
  return elements && elements->size() == 1 && elements->front().is_number();
}

/// What a runtime that knows the condition does not see: it looks at one arm alone, but for the
/// dtypes.
void compare_one_of(const Binding& then_value, const Binding& else_value, bool is_known,
                    Border& border) {
  const KnownType &first = then_value.type, &second = else_value.type;
  if (first.differs_from(second))
    border.add(first.has_other_kind(second) ? "if-known-kind" : "if-known-dtype",
               " knows its condition, and has branches that yield " + first.in_words() + " and " +
                   second.in_words());
  const auto then_rank = Border::rank(then_value), else_rank = Border::rank(else_value);
  if (!is_known && then_rank && else_rank && *then_rank != *else_rank)
    border.add("if-worked-out-rank",
               " works its condition out, and has branches that yield " +
                   counted(static_cast<std::int64_t>(*then_rank), "dimension") + " and " +
                   std::to_string(*else_rank));
}

void compare_arms(const SubgraphValues& values, Border& border) {
  const Binding* condition = values.inputs.empty() ? nullptr : values.inputs[0];
  border.require("if-condition", "a condition", condition, {"bool"});
  if (values.results.size() != 2) return;
  const auto &then_arm = values.results[0], &else_arm = values.results[1];
  for (std::size_t i = 0; i < std::min(then_arm.size(), else_arm.size()); ++i)
    if (may_be_known(condition))
      compare_one_of(then_arm[i], else_arm[i], is_known(condition), border);
    else
      border.compare("if", " has branches that yield ", then_arm[i], else_arm[i]);
}

/// Of an input of a body; unknown where it declares none.
KnownType declared_of(const Graph* body, std::size_t input) {
  const bool is_there = body != nullptr && static_cast<int>(input) < body->input_size();
  return is_there ? declared_type(body->input(static_cast<int>(input)).type()) : KnownType();
}

/// What a body makes of a value that it is given again, by the dtype that it declares: that it is
/// given another is said already.
void compare_carried(const char* kind, std::size_t count, std::size_t first_input,
                     std::size_t first_result, const SubgraphValues& values, Border& border) {
  const std::vector<Binding>& results = values.results[0];
  const Graph* body = border.body();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t input = first_input + i, result = first_result + i;
    if (input >= values.inputs.size() || result >= results.size()) return;
    if (values.inputs[input] != nullptr)
      border.compare(kind, " carries a value that is given and yielded with ",
                     *values.inputs[input], results[result], declared_of(body, input));
  }
}

void compare_loop(const SubgraphValues& values, Border& border) {
  const auto input = [&](std::size_t i) {
    return i < values.inputs.size() ? values.inputs[i] : nullptr;
  };
  border.require("loop-trips", "a trip count", input(0), {"int64"});
  if (input(0) != nullptr && input(0)->number().value_or(0) < 0)
    border.add("loop-trips-negative", " has a negative trip count");
  border.require("loop-condition", "a condition", input(1), {"bool"});
  if (values.results.size() != 1 || values.results[0].empty()) return;
  border.require("loop-condition", "a body that yields a condition", &values.results[0][0],
                 {"bool"});
  if (values.inputs.size() > 2)
    compare_carried("loop", values.inputs.size() - 2, 2, 1, values, border);
}

void compare_scan(const Node& node, const SubgraphValues& values, Border& border) {
  const ScanAxes scan(node);
  if (values.results.size() != 1 || scan.first_sliced() >= values.inputs.size()) return;
  compare_carried("scan", scan.first_sliced(), 0, 0, values, border);
  border.compare_scanned(values.inputs, scan);
  border.compare_written(values.results[0], scan);
}

/// The numbers of an attribute; none where it is left out.
std::vector<std::int64_t> numbers_of(const Node& node, const char* name) {
  const auto* found = attribute_named(node, name);
  if (found == nullptr) return {};
  return {found->ints().begin(), found->ints().end()};
}

std::int64_t stated(const std::vector<std::int64_t>& axes, std::size_t number) {
  return number < axes.size() ? axes[number] : 0;
}

} // namespace

void add_body_forms(const Node& node, int opset, FormList& forms) {
  if (node.op_type() != "Scan" || opset >= first_with_plain_scan) Bodies(node, forms).read();
}

std::string kind_of_types(const KnownType& a, const KnownType& b) {
  const auto is_wide = [](const KnownType& type) {
    return type.dtype == "float32" || type.dtype == "float64";
  };
  if (a.has_other_kind(b)) return "-kind";
  return is_wide(a) && is_wide(b) ? "-dtype" : "-dtype-apart";
}

ScanAxes::ScanAxes(const Node& node)
    : first_sliced_(static_cast<std::size_t>(node.input_size())),
      cut_(numbers_of(node, "scan_input_axes")), written_(numbers_of(node, "scan_output_axes")) {
  const auto* sliced = attribute_named(node, "num_scan_inputs");
  if (node.op_type() == "Scan" && sliced != nullptr && sliced->i() > 0 &&
      sliced->i() <= node.input_size())
    first_sliced_ -= static_cast<std::size_t>(sliced->i());
}

std::int64_t ScanAxes::stated_cut(std::size_t input) const {
  return stated(cut_, input - first_sliced_);
}

std::int64_t ScanAxes::stated_written(std::size_t output) const {
  return stated(written_, output - first_sliced_);
}

std::optional<std::size_t> ScanAxes::cut(std::size_t input, std::size_t rank) const {
  return shapes::axis_in(stated_cut(input), rank);
}

std::optional<std::size_t> ScanAxes::written(std::size_t output, std::size_t rank) const {
  return shapes::axis_in(stated_written(output), rank);
}

std::shared_ptr<const shapes::Shape> ScanAxes::handed(const Node& scan, std::size_t input,
                                                      const shapes::Shape& given,
                                                      const TensorType& declared,
                                                      FormList& forms) const {
  shapes::Shape handed = given;
  if (input >= first_sliced_) {
    const auto axis = cut(input, given.size());
    if (!axis) return nullptr;
    handed.erase(handed.begin() + static_cast<std::ptrdiff_t>(*axis));
  }
  if (!declared.shape) return shapes::shared(std::move(handed));
  if (handed.size() != declared.shape->size()) {
    forms.add("scan-element-rank",
              spoken(scan) + " hands on " +
                  counted(static_cast<std::int64_t>(handed.size()), "dimension") +
                  ", and its body declares " + std::to_string(declared.shape->size()));
    return nullptr;
  }
  for (std::size_t i = 0; i < handed.size(); ++i) {
    const auto size = handed[i].number();
    if (!size || (*declared.shape)[i] < 0 || *size == (*declared.shape)[i]) continue;
    forms.add("scan-element-size", spoken(scan) + " is given a size of " + std::to_string(*size) +
                                       ", and its body declares " +
                                       std::to_string((*declared.shape)[i]));
    return shapes::shared(shapes::Shape(handed.size()));
  }
  return shapes::shared(std::move(handed));
}

void add_border_forms(const Node& node, int opset, const SubgraphValues& values, std::size_t flat,
                      FormList& forms) {
  if (!is_default_domain(node.domain())) return;
  Border border(node, flat, forms);
  if (node.op_type() == "If") compare_arms(values, border);
  if (node.op_type() == "Loop") compare_loop(values, border);
  if (node.op_type() == "Scan" && opset >= first_with_plain_scan)
    compare_scan(node, values, border);
}

} // namespace model_validator::onnx_format
