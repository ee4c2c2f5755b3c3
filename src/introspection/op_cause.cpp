#include "introspection/op_cause.h"

#include "connected_graph/format_table.h"
#include "connected_graph/operand_parameter.h"
#include "introspection/folded_layer.h"
#include "introspection/norm_difference.h"
#include "introspection/op_pairing.h"
#include "introspection/op_settings.h"
#include "introspection/stored_numbers.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace model_validator {
namespace {

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

std::string without(const std::string& name, std::string_view ending) {
  return name.ends_with(ending) ? name.substr(0, name.size() - ending.size()) : name;
}

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
  const std::string base = without(tensor.name, "_quantized");
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

TensorNumbers turned(const TensorNumbers& matrix) {
  TensorNumbers other = matrix;
  const auto rows = matrix.shape[0], columns = matrix.shape[1];
  other.shape = {columns, rows};
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      other.values[j * rows + i] = matrix.values[i * columns + j];
  return other;
}

bool is_matrix(const TensorNumbers& numbers) { return numbers.shape.size() == 2; }

/// Sizes of one say nothing of what a tensor is.
std::vector<std::uint64_t> sizes_of(const TensorNumbers& numbers) {
  auto sizes = numbers.shape;
  std::erase(sizes, 1U);
  return sizes;
}

/// A linear layer's weight may be stored turned, and nothing says so of a square one.
std::optional<TensorDifference> difference_as_stored(const TensorNumbers& one,
                                                     const TensorNumbers& other) {
  std::optional<TensorDifference> found;
  if (sizes_of(one) == sizes_of(other)) found = difference_of(one, other);
  if (!is_matrix(one) || !is_matrix(other)) return found;
  const TensorNumbers matrix = turned(one);
  if (matrix.shape != other.shape) return found;
  auto in_the_other_way = difference_of(matrix, other);
  if (!found || in_the_other_way.differing < found->differing) found = std::move(in_the_other_way);
  return found;
}

bool any_batch_norm(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  return std::ranges::any_of(ops, [&](OpId id) { return is_batch_norm(graph.op(id)); });
}

/// The tensors of a reference's op and of what stands for it.
class TensorComparison {
public:
  /// @param same_ops  whether both sides are the same ops, and list the same tensors
  TensorComparison(std::vector<LoadedTensor> own, std::vector<LoadedTensor> others, bool same_ops)
      : own_(std::move(own)), others_(std::move(others)), used_(others_.size(), false),
        same_ops_(same_ops) {
    const bool by_place = same_ops && own_.size() == others_.size();
    for (std::size_t i = 0; i < own_.size(); ++i) pair(i, same_name(i));
    for (std::size_t i = 0; i < own_.size(); ++i) pair(i, by_place ? same_place(i) : none);
    for (std::size_t i = 0; i < own_.size(); ++i) pair(i, equal_one(i));
    for (std::size_t i = 0; i < own_.size(); ++i) pair(i, only_one_left(i));
  }

  /// Of the pair that differs most, or of what stands for nothing; empty where neither is.
  std::string words() const {
    std::string words = words_about_pairs();
    return words.empty() ? words_about_missing() : words;
  }

  /// What stands for one of the reference's; null where nothing does.
  const TensorNumbers* partner_of(std::size_t own) const {
    const auto found = partners_.find(own);
    return found == partners_.end() ? nullptr : &others_[found->second].numbers;
  }

private:
  std::string words_about_pairs() const {
    std::size_t most = 0;
    std::string words;
    for (const auto& [own, other] : partners_) {
      const auto found = difference_as_stored(own_[own].numbers, others_[other].numbers);
      if (!found || found->words.empty() || found->differing <= most) continue;
      most = found->differing;
      words = named(own_[own].tensor, others_[other].tensor) + " " + found->words;
    }
    return words;
  }

  /// Where the same ops read less in the candidate, and all of that stands for something.
  std::string words_about_missing() const {
    if (!same_ops_ || used_.empty() || std::ranges::find(used_, false) != used_.end()) return {};
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const std::vector<double>& values = own_[i].numbers.values;
      const bool is_zero = std::ranges::all_of(values, [](double value) { return value == 0; });
      if (partners_.count(i) == 0 && !is_zero)
        return "the candidate has nothing in place of `" + own_[i].tensor.name + "`";
    }
    return {};
  }

  static std::string base(const std::string& name) { return without(name, "_quantized"); }

  static std::string named(const OpTensor& own, const OpTensor& other) {
    if (base(other.name) == own.name || other.name == own.name) return "`" + other.name + "`";
    return "`" + other.name + "`, which is `" + own.name + "` of the reference,";
  }

  void pair(std::size_t own, std::size_t other) {
    if (other == none || partners_.count(own) != 0 || used_[other]) return;
    partners_[own] = other;
    used_[other] = true;
  }

  bool fits(std::size_t own, std::size_t other) const {
    const TensorNumbers &one = own_[own].numbers, &two = others_[other].numbers;
    const auto sizes = sizes_of(one), others = sizes_of(two);
    return sizes == others || (is_matrix(one) && is_matrix(two) &&
                               std::vector(sizes.rbegin(), sizes.rend()) == others);
  }

  template <class Condition> std::size_t first_left(std::size_t own, Condition condition) const {
    for (std::size_t i = 0; i < others_.size(); ++i)
      if (!used_[i] && fits(own, i) && condition(i)) return i;
    return none;
  }
  std::size_t same_name(std::size_t own) const {
    return first_left(own, [&](std::size_t i) {
      return base(others_[i].tensor.name) == base(own_[own].tensor.name);
    });
  }
  std::size_t same_place(std::size_t own) const {
    return first_left(own, [&](std::size_t i) { return i == own; });
  }
  std::size_t equal_one(std::size_t own) const {
    if (partners_.count(own) != 0) return none;
    return first_left(own, [&](std::size_t i) {
      const auto found = difference_as_stored(own_[own].numbers, others_[i].numbers);
      return found && found->words.empty();
    });
  }
  /// Where it alone is left of its sizes on either side.
  std::size_t only_one_left(std::size_t own) const {
    const std::size_t found = first_left(own, [](std::size_t) { return true; });
    if (found == none) return none;
    for (std::size_t i = 0; i < others_.size(); ++i)
      if (i != found && !used_[i] && fits(own, i)) return none;
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (i != own && partners_.count(i) == 0 && fits(i, found)) return none;
    return found;
  }

  std::vector<LoadedTensor> own_, others_;
  std::vector<bool> used_;
  bool same_ops_;
  std::map<std::size_t, std::size_t> partners_;
};

std::vector<std::string> op_types(const ConnectedGraph& graph, const std::vector<OpId>& ops) {
  std::vector<std::string> types;
  for (const OpId op : ops) types.push_back(graph.op(op).type);
  return types;
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
  const TensorComparison comparison(layer, load_tensors(candidate, counterpart), false);
  const TensorNumbers *weight = comparison.partner_of(0), *bias = comparison.partner_of(1);
  const std::string difference = weight != nullptr && bias != nullptr
                                     ? norm_difference(*norm, layer, *weight, *bias)
                                     : std::string();
  const std::string name = name_of(reference.graph, pair.norm);
  if (!difference.empty()) return name + ", which is folded into it, " + difference;
  const std::string words = comparison.words();
  return words.empty() ? words : words + " (with " + name + " of the reference folded in)";
}

std::string tensor_cause(const ReadModel& reference, OpId op, const ReadModel& candidate,
                         const std::vector<OpId>& counterpart) {
  const ConnectedGraph& graph = reference.graph;
  if (const auto pair = folded_pair(graph, op, candidate.graph, counterpart))
    return folded_cause(reference, *pair, candidate, counterpart);
  const std::vector<OpId> unit = unit_of(graph, op);
  const bool same_ops = op_types(graph, unit) == op_types(candidate.graph, counterpart);
  return TensorComparison(load_tensors(reference, unit), load_tensors(candidate, counterpart),
                          same_ops)
      .words();
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

std::string cause_at(const ReadModel& reference, OpId op, const ReadModel& candidate,
                     OpId in_its_place) {
  const auto counterpart = counterpart_of(reference.graph, op, candidate.graph, in_its_place);
  if (counterpart.empty()) return {};
  std::string words = setting_difference(reference.graph, unit_of(reference.graph, op),
                                         candidate.graph, counterpart);
  return words.empty() ? tensor_cause(reference, op, candidate, counterpart) : words;
}

} // namespace model_validator
