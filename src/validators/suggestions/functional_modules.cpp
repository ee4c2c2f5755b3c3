#include "validators/suggestions/functional_modules.h"

#include "connected_graph/operators.h"
#include "text/places.h"
#include "validators/suggestions/constructor.h"
#include "validators/suggestions/op_family.h"
#include "validators/suggestions/torch_classes.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace model_validator {
namespace {

/// Functions, and what they take.
constexpr auto functions = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool1d "
     "adaptive_max_pool2d adaptive_max_pool3d",
     "*output_size -return_indices"},
    {"alpha_dropout dropout dropout1d dropout2d dropout3d", "p -training inplace"},
    {"avg_pool1d", "*kernel_size stride padding ceil_mode count_include_pad"},
    {"avg_pool2d avg_pool3d",
     "*kernel_size stride padding ceil_mode count_include_pad divisor_override"},
    {"celu elu", "alpha inplace"},
    {"gelu", "approximate"},
    {"glu", "dim"},
    {"hardsigmoid hardswish mish relu relu6 selu silu", "inplace"},
    {"hardtanh", "min_val max_val inplace"},
    {"interpolate", "size scale_factor mode align_corners recompute_scale_factor -antialias"},
    {"leaky_relu", "negative_slope inplace"},
    {"log_softmax softmax softmin", "dim -_stacklevel -dtype"},
    {"logsigmoid sigmoid softsign tanh tanhshrink", ""},
    {"max_pool1d max_pool2d max_pool3d",
     "*kernel_size stride padding dilation ceil_mode return_indices"},
    {"pixel_shuffle", "*upscale_factor"},
    {"pixel_unshuffle", "*downscale_factor"},
    {"softplus", "beta threshold"},
});

/// Operator and class, where the class is not the operator's name in capitals.
constexpr auto classes = word_array<
    "_convolution=Conv _softmax=Softmax batch_norm=BatchNorm bmm=MatMul cat=Concat celu=CELU "
    "col2im=Fold concat=Concat concatenate=Concat constant_pad_nd=Pad div=Divide elu=ELU "
    "feature_dropout=Dropout2d gelu=GELU glu=GLU gru=GRU im2col=Unfold "
    "instance_norm=InstanceNorm interpolate=Upsample leaky_relu=LeakyReLU log_sigmoid=LogSigmoid "
    "logsigmoid=LogSigmoid lp_pool1d=LPPool1d lp_pool2d=LPPool2d lp_pool3d=LPPool3d lstm=LSTM "
    "matmul=MatMul max_pool1d_with_indices=MaxPool1d max_pool2d_with_indices=MaxPool2d "
    "max_pool3d_with_indices=MaxPool3d mm=MatMul mul=Multiply prelu=PReLU relu=ReLU relu6=ReLU6 "
    "rms_norm=RMSNorm rnn_relu=RNN rnn_tanh=RNN rrelu=RReLU rrelu_with_noise=RReLU rsub=Subtract "
    "selu=SELU silu=SiLU sub=Subtract topk=TopK">;

/// What torch computes by several operators, and AIMET has one module for: `div` of a number by a
/// tensor.
constexpr auto composed = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"normalize", "norm clamp_min div"}, {"div", "reciprocal mul"}});

} // namespace

const NnFunction* find_nn_function(std::string_view operation) {
  static const auto all = [] {
    std::map<std::string_view, NnFunction> by_name;
    for (const auto& [names, arguments] : functions)
      for (const std::string_view name : words_in(names))
        by_name.emplace(name, NnFunction{class_of(name), words_in(arguments)});
    return by_name;
  }();
  const auto found = all.find(operation);
  return found == all.end() ? nullptr : &found->second;
}

std::string capitalised(std::string_view type) {
  std::string name;
  bool start = true;
  for (const char c : type) {
    if (c == '_') {
      start = true;
      continue;
    }
    name += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = false;
  }
  return name;
}

std::string class_of(std::string_view type) {
  if (type.starts_with("upsample_")) return "Upsample";
  const std::string_view known = paired_with(type, classes);
  return known.empty() ? capitalised(type) : std::string(known);
}

ModuleForOp module_for(const Op& op) {
  const std::string name = class_of(op.type);
  ModuleForOp module;
  module.weights = has_state(name);
  module.torch_nn = find_torch_class(name) && !module.weights;
  module.class_name = module.torch_nn ? name : own_class_for(op);
  module.random = module.torch_nn && is_random_in_training(op.type);
  return module;
}

bool is_random_in_training(std::string_view type) { return does(type, draws_in_training); }

std::string own_class_for(const Op& op) {
  const std::string name = class_of(op.type);
  const std::string of_function = capitalised(op_family(op.type));
  if (has_state(name)) return "Dynamic" + of_function;
  return find_torch_class(name) ? of_function : name;
}

bool runs_among_others(std::string_view function, std::string_view operation) {
  return std::ranges::any_of(composed, [&](const auto& each) {
    return each.first == function && contains(words_in(each.second), op_family(operation));
  });
}

bool is_of_family(const Op& op, std::string_view family) { return op_family(op.type) == family; }

/// Whether what an op reads is made by an operator of that family, expanded or not.
bool reads(const ConnectedGraph& graph, OpId id, std::string_view family, bool expanded = true) {
  const auto edges = boost::make_iterator_range(boost::in_edges(id, graph.graph()));
  return std::ranges::any_of(edges, [&](const auto& edge) {
    const OpId maker = boost::source(edge, graph.graph());
    return is_of_family(graph.op(maker), family) ||
           (expanded && graph.op(maker).type.starts_with("expand") &&
            reads(graph, maker, family, false));
  });
}

/// Whether the operator is a part of what a class stands for: the quotient by a length that is not
/// 0, not any, as that of a class that takes a mean off; the product of a reciprocal.
bool is_part_of(std::string_view class_name, const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  return std::ranges::any_of(composed, [&](const auto& each) {
    if (class_of(each.first) != class_name || !runs_among_others(each.first, op.type)) return false;
    if (is_of_family(op, "div")) return reads(graph, id, "clamp_min");
    return !is_of_family(op, "mul") || reads(graph, id, "reciprocal");
  });
}

bool is_module_of_its_own(const ConnectedGraph& graph, OpId id) {
  const Op& op = graph.op(id);
  if (op.parent == none) return false;
  const Module& module = graph.module(op.parent);
  if (!module.leaf || module.torch_nn || !module.parameters.empty()) return false;
  std::string name = short_class(module.class_name);
  const std::string own = own_class_for(op);
  const auto is_meant = [&] { return name == own || is_part_of(name, graph, id); };
  if (is_meant()) return true;
  // A second class of the name, for arguments of other types.
  name.erase(name.find_last_not_of("0123456789") + 1);
  constexpr std::string_view in_place = "InPlace";
  if (name.ends_with(in_place)) name.erase(name.size() - in_place.size());
  return is_meant();
}

std::string construct_for(const Op& op, const ModuleForOp& module) {
  if (!module.torch_nn) return module.class_name + "()";
  ConstructorEvidence evidence;
  evidence.operators.push_back({op.schema, op.attributes, {}, {}});
  if (op.body)
    evidence.operators.insert(evidence.operators.end(), op.body->begin(), op.body->end());
  return construct(module.class_name, evidence);
}

} // namespace model_validator
