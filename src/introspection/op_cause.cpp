#include "introspection/op_cause.h"

#include "connected_graph/format_table.h"
#include "connected_graph/operand_parameter.h"
#include "connected_graph/program_of.h"
#include "introspection/folded_layer.h"
#include "introspection/norm_difference.h"
#include "introspection/op_pairing.h"
#include "introspection/op_settings.h"
#include "introspection/stored_numbers.h"
#include "introspection/tensor_pairing.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

namespace model_validator {
namespace {

constexpr std::size_t max_region = 128; ///< ops that are compared in place of one

struct StoredDtype {
  std::string_view name;
  double relative;    ///< part of a number that it cannot hold
  double first, last; ///< of whole numbers
};
constexpr std::array<StoredDtype, 7> dtypes{{{"float16", 0x1p-10, 0, 0},
                                             {"bfloat16", 0x1p-7, 0, 0},
                                             {"int8", 0, -127, 127},
                                             {"uint8", 0, 0, 255},
                                             {"int16", 0, -32767, 32767},
                                             {"uint16", 0, 0, 65535},
                                             {"int32", 0, -2147483646.0, 2147483646.0}}};

std::optional<std::vector<double>> stored_under(const ReadModel& model, const std::string& name) {
  const auto found = model.weights.find(name);
  return found == model.weights.end() ? std::nullopt : numbers_of(found->second);
}

/// What the file gives, or what stands under the name that quantisers give it.
std::vector<double> given(const ReadModel& model, const QuantisationNumbers* numbers,
                          const std::string& usual_name) {
  if (numbers != nullptr && numbers->values) return *numbers->values;
  const std::string name = numbers != nullptr && numbers->given ? numbers->name : usual_name;
  return stored_under(model, name).value_or(std::vector<double>{});
}

/// Of a matrix that is multiplied each column has its own scale, where no file says more.
std::size_t scaled_axis(const Quantisation* how, const TensorNumbers& numbers) {
  const auto& shape = numbers.shape;
  if (how == nullptr || !how->axis)
    return shape.size() == 2 && shape[1] == numbers.steps.size() ? 1 : 0;
  const std::int64_t axis = *how->axis;
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(shape.size()) : axis);
}

bool has_step_for_each_channel(const TensorNumbers& numbers) {
  if (numbers.steps.size() == 1) return true;
  return numbers.axis < numbers.shape.size() && numbers.steps.size() == numbers.shape[numbers.axis];
}

/// Whole numbers become what they stand for. @returns whether their scale is known
bool dequantise(const ReadModel& model, const OpTensor& tensor, const StoredDtype& dtype,
                TensorNumbers& numbers) {
  const std::string base = unquantised_name(tensor.name);
  const Quantisation* how = tensor.quantisation.get();
  numbers.steps = given(model, how ? &how->scale : nullptr, base + "_scale");
  const auto zeros = given(model, how ? &how->zero_point : nullptr, base + "_zero_point");
  numbers.axis = scaled_axis(how, numbers);
  if (!has_step_for_each_channel(numbers) || (how && how->block_size > 0)) return false;
  for (std::size_t i = 0; i < numbers.values.size(); ++i) {
    const std::size_t channel = numbers.channel_of(i);
    double& value = numbers.values[i];
    numbers.at_the_last.push_back(value <= dtype.first || value >= dtype.last);
    const double zero = zeros.empty() ? 0 : zeros[channel % zeros.size()];
    value = (value - zero) * numbers.steps[channel];
  }
  return true;
}

bool any_batch_norm(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  return std::ranges::any_of(ops, [&](OpId id) { return is_batch_norm(graph.op(id)); });
}

std::vector<std::string> op_types(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  std::vector<std::string> types;
  for (const OpId op : ops) types.push_back(graph.op(op).type);
  return types;
}

bool any_recurrent(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  constexpr auto kinds = word_array<"lstm gru rnn">;
  return std::ranges::any_of(ops, [&](OpId op) {
    return std::ranges::any_of(
        kinds, [&](std::string_view kind) { return graph.op(op).type.starts_with(kind); });
  });
}

TensorGroups groups_of(const ConnectedGraph& first, const std::vector<OpId>& ops,
                       const ConnectedGraph& second, const std::vector<OpId>& others) {
  if (first.origin.format != second.origin.format && any_recurrent(first, ops))
    return TensorGroups::gates;
  return op_types(first, ops) == op_types(second, others) ? TensorGroups::same_ops
                                                          : TensorGroups::others;
}

/// A layer of the reference and the normalisation that the candidate has folded into it.
struct FoldedPair {
  OpId layer, norm;
};
std::optional<FoldedPair> folded_pair(const ConnectedGraph& graph, OpId op,
                                      const ConnectedGraph& candidate,
                                      const std::vector<OpId>& counterpart) {
  const OpId norm = is_batch_norm(graph.op(op)) ? op : only_reader(graph, op);
  const OpId layer = norm == op ? op_at_operand(graph, op, 0) : op;
  if (norm == none || layer == none || !is_batch_norm(graph.op(norm)) ||
      !takes_norm_in(graph.op(layer).type))
    return std::nullopt;
  if (any_batch_norm(candidate, counterpart) ||
      any_batch_norm(candidate, counterpart_of(graph, norm, candidate, none)))
    return std::nullopt;
  return FoldedPair{layer, norm};
}

std::string name_of(const ConnectedGraph& graph, OpId op) {
  const Op& named = graph.op(op);
  const std::string& module = graph.module_path(named.module != none ? named.module : named.parent);
  return "`" + (module.empty() ? named.name : module) + "`";
}

/// Of a layer that stands for two of the reference.
std::string folded_cause(const ReadModel& reference, const FoldedPair& pair,
                         const ReadModel& candidate, const std::vector<OpId>& counterpart) {
  std::vector<LoadedTensor> layer = load_tensors(reference, {pair.layer});
  const auto norm = factors_of(reference, pair.norm);
  if (!norm || !fold(*norm, layer)) return {};
  const TensorPairing comparison(layer, load_tensors(candidate, counterpart), TensorGroups::others);
  const TensorNumbers *weight = comparison.partner_of(0), *bias = comparison.partner_of(1);
  const std::string difference = weight != nullptr && bias != nullptr
                                     ? norm_difference(*norm, layer, *weight, *bias)
                                     : std::string();
  const std::string name = name_of(reference.graph, pair.norm);
  if (!difference.empty()) return name + ", which is folded into it, " + difference;
  const std::string words = comparison.finding().words;
  return words.empty() ? words : words + " (with " + name + " of the reference folded in)";
}

std::string tensor_cause(const ReadModel& reference, OpId op, const ReadModel& candidate,
                         const std::vector<OpId>& counterpart) {
  const ConnectedGraph& graph = reference.graph;
  if (const auto pair = folded_pair(graph, op, candidate.graph, counterpart))
    return folded_cause(reference, *pair, candidate, counterpart);
  const std::vector<OpId> unit = unit_of(graph, op);
  return TensorPairing(load_tensors(reference, unit), load_tensors(candidate, counterpart),
                       groups_of(graph, unit, candidate.graph, counterpart))
      .finding()
      .words;
}

/// Ops, and before them those that work out what they read of what is stored alone.
std::vector<OpId> with_constants(const ConnectedGraph& graph, std::vector<OpId> ops) {
  const auto program = program_of(graph);
  const auto nodes = nodes_by_op(*program);
  std::set<OpId> seen(ops.begin(), ops.end());
  std::vector<OpId> open = ops;
  while (!open.empty() && ops.size() < max_region) {
    const auto [first, last] = nodes.equal_range(open.back());
    open.pop_back();
    for (auto node = first; node != last; ++node) {
      for (const ValueId value : node->second->inputs) {
        const ProgramNode* maker = program->maker(value);
        if (maker == nullptr || maker->op == none || !program->values[value].constant() ||
            ops.size() >= max_region || !seen.insert(maker->op).second)
          continue;
        ops.push_back(maker->op);
        open.push_back(maker->op);
      }
    }
  }
  std::ranges::sort(ops);
  return ops;
}

/// What says how much, and not where: of whole numbers only what is long enough to be told apart.
bool says_how_much(const ReadModel& model, const LoadedTensor& loaded) {
  constexpr std::size_t enough = 8;
  const auto stored = model.weights.find(loaded.tensor.name);
  const bool is_real =
      stored != model.weights.end() && stored->second.dtype.find("float") != std::string::npos;
  return loaded.numbers.values.size() >= (is_real || loaded.tensor.quantisation ? 2 : enough);
}

/// How many numbers the ops read that are stored.
double stored_numbers(const ReadModel& model, const std::vector<OpId>& ops) {
  double count = 0;
  for (const auto& [op, tensor] : tensors_of(model.graph, ops))
    if (const auto stored = model.weights.find(tensor.name); stored != model.weights.end()) {
      const auto& shape = stored->second.shape;
      count += std::accumulate(shape.begin(), shape.end(), 1.0, std::multiplies<>());
    }
  return count;
}

std::vector<LoadedTensor> region_tensors(const ReadModel& model, const std::vector<OpId>& ops) {
  auto tensors = load_tensors(model, ops);
  std::erase_if(tensors, [&](const LoadedTensor& loaded) { return !says_how_much(model, loaded); });
  std::set<std::string> seen;
  std::erase_if(
      tensors, [&](const LoadedTensor& loaded) { return !seen.insert(loaded.tensor.name).second; });
  return tensors;
}

/// The reference's, as the candidate has them where it folds norms into layers.
std::vector<LoadedTensor> region_tensors(const ReadModel& reference, const std::vector<OpId>& ops,
                                         const ReadModel& candidate,
                                         const std::vector<OpId>& others) {
  std::vector<LoadedTensor> tensors;
  std::vector<OpId> left = ops;
  for (const OpId op : ops) {
    const auto pair = folded_pair(reference.graph, op, candidate.graph, others);
    if (!pair || std::ranges::find(left, pair->layer) == left.end()) continue;
    auto layer = load_tensors(reference, {pair->layer});
    const auto norm = factors_of(reference, pair->norm);
    if (!norm || !fold(*norm, layer)) continue;
    std::ranges::move(layer, std::back_inserter(tensors));
    std::erase_if(left, [&](OpId id) { return id == pair->layer || id == pair->norm; });
  }
  std::ranges::move(region_tensors(reference, left), std::back_inserter(tensors));
  return tensors;
}

/// One number everywhere, as of a state to begin with, is like any other.
bool is_no_filling(const LoadedTensor& loaded) {
  const auto& values = loaded.numbers.values;
  return std::ranges::adjacent_find(values, std::ranges::not_equal_to()) != values.end();
}

TensorPairing::Finding tensor_finding(const ReadModel& reference, const std::vector<OpId>& ops,
                                      const ReadModel& candidate, const std::vector<OpId>& others,
                                      const std::vector<LoadedTensor>& worked_out) {
  constexpr double max_numbers = 1 << 26; // half a gigabyte
  if (stored_numbers(reference, ops) + stored_numbers(candidate, others) > max_numbers) return {};
  const TensorGroups groups = groups_of(reference.graph, ops, candidate.graph, others);
  auto own = region_tensors(reference, ops, candidate, others);
  if (groups != TensorGroups::same_ops)
    std::ranges::copy_if(worked_out, std::back_inserter(own), &is_no_filling);
  return TensorPairing(std::move(own), region_tensors(candidate, others), groups).finding();
}

} // namespace

ReadModel::ReadModel(const std::filesystem::path& file, const ReadOptions& options) {
  ReadOptions graph_only = options;
  graph_only.file_operators = false;
  graph = read_graph(file, graph_only);
  const Format& format = format_of(file);
  for (StoredWeights& each : format.list_named_weights(file)) weights.emplace(each.name, each);
}

std::optional<TensorNumbers> numbers_of(const ReadModel& model, const OpTensor& tensor) {
  const auto stored = model.weights.find(tensor.name);
  if (stored == model.weights.end()) return std::nullopt;
  auto values = numbers_of(stored->second);
  if (!values || values->empty()) return std::nullopt;
  TensorNumbers numbers{std::move(*values), stored->second.shape, 0, {}, 0, {}};
  std::uint64_t count = 1;
  for (const std::uint64_t size : numbers.shape) count *= size;
  if (count != numbers.values.size()) return std::nullopt;
  const StoredDtype* dtype = row_with(dtypes, &StoredDtype::name, stored->second.dtype);
  if (dtype != nullptr) numbers.relative = dtype->relative;
  const bool is_whole = dtype != nullptr && dtype->last != 0;
  if (is_whole && !dequantise(model, tensor, *dtype, numbers)) return std::nullopt;
  return numbers;
}

OpCause cause_at(const ReadModel& reference, OpId op, const ReadModel& candidate,
                 OpId in_its_place) {
  const auto counterpart = counterpart_of(reference.graph, op, candidate.graph, in_its_place);
  if (counterpart.empty()) return {};
  const std::vector<OpId> unit = unit_of(reference.graph, op);
  std::string words = setting_difference(reference.graph, unit, candidate.graph, counterpart);
  return {words.empty() ? tensor_cause(reference, op, candidate, counterpart) : words, op};
}

OpCause cause_among(const ReadModel& reference, const std::vector<OpId>& ops,
                    const ReadModel& candidate, const std::vector<OpId>& others,
                    const std::vector<LoadedTensor>& worked_out) {
  if (ops.empty() || others.empty()) return {};
  const auto mine = with_constants(reference.graph, ops);
  const auto theirs = with_constants(candidate.graph, others);
  const auto found = region_differences(reference.graph, mine, candidate.graph, theirs);
  if (!found.setting.words.empty()) return {found.setting.words, found.setting.op};
  const auto finding = tensor_finding(reference, mine, candidate, theirs, worked_out);
  if (!finding.words.empty()) return {finding.words, finding.op};
  return {found.constant.words, found.constant.op};
}

} // namespace model_validator
