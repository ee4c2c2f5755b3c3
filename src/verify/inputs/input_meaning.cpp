#include "verify/inputs/input_meaning.h"

#include "connected_graph/operand_parameter.h"
#include "connected_graph/operators.h"
#include "verify/inputs/bounds.h"
#include "verify/inputs/calibrated_range.h"
#include "verify/inputs/graph_readers.h"
#include "verify/inputs/mask_polarity.h"

#include <model_validator/data/contains.h>

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace model_validator::verify {
namespace {

// ---- by name

struct KnownName {
  std::string_view part; ///< of the name, in lower case
  InputRole role;
};

/// What exporters of transformers, diffusers and ONNX Runtime call their inputs; the first that
/// fits counts.
constexpr std::array known_names{
    KnownName{"use_cache", InputRole::has_past},
    KnownName{"seqlens_k", InputRole::last_positions},
    KnownName{"total_sequence_length", InputRole::total_length},
    KnownName{"past_sequence_length", InputRole::unknown},
    KnownName{"lengths", InputRole::lengths},
    KnownName{"seq_lens", InputRole::lengths},
    KnownName{"sequence_lens", InputRole::lengths},
    KnownName{"cache_position", InputRole::positions},
    KnownName{"input_pos", InputRole::positions},
    KnownName{"position_id", InputRole::positions},
    KnownName{"positions", InputRole::positions},
    KnownName{"past", InputRole::cache},
    KnownName{"cache", InputRole::cache},
    KnownName{"mask", InputRole::padding_mask},
    KnownName{"token_type", InputRole::rows},
    KnownName{"segment_id", InputRole::rows},
    KnownName{"input_ids", InputRole::rows},
    KnownName{"tokens", InputRole::rows},
    KnownName{"pixel", InputRole::image},
    KnownName{"image", InputRole::image},
    KnownName{"input_values", InputRole::sound},
    KnownName{"input_features", InputRole::sound},
    KnownName{"audio", InputRole::sound},
    KnownName{"waveform", InputRole::sound},
};

bool is_real(const InputNeed& need) { return need.dtype && !is_integral(*need.dtype); }

/// Whether numbers of the input's type can stand for that at all.
bool can_be(const InputNeed& need, InputRole role) {
  constexpr std::array whole{InputRole::rows, InputRole::positions, InputRole::last_positions,
                             InputRole::total_length, InputRole::lengths};
  constexpr std::array real{InputRole::cache, InputRole::sound};
  const bool counts = !need.dtype || (!is_real(need) && *need.dtype != DType::bool_);
  if (contains(whole, role) && !counts) return false;
  if (contains(real, role)) return is_real(need);
  if (role == InputRole::lengths) return !need.shape || need.shape->size() == 1;
  return role != InputRole::image || !need.shape || need.shape->size() >= 3;
}

void mean_by_name(InputNeed& need) {
  if (need.kind != InputNeed::Kind::tensor || need.meaning.role != InputRole::unknown) return;
  const std::string name = boost::algorithm::to_lower_copy(need.name);
  for (const auto& [part, role] : known_names) {
    if (name.find(part) == std::string::npos || !can_be(need, role)) continue;
    need.meaning.role = role;
    need.meaning.why = "its name";
    break;
  }
  constexpr std::size_t added_from = 3; // [batch, heads, queries, keys]
  if (need.meaning.role == InputRole::padding_mask && is_real(need) && need.shape &&
      need.shape->size() >= added_from)
    need.meaning.role = InputRole::added_mask;
}

// ---- by the graph

/// Whether its result holds elements of its first operand.
bool passes_on(const std::string& type) {
  return type == "clamp" || does(type, rearranges | Does::converts | Does::cuts);
}

/// Whether it makes of a mask what is added to the weights of attention.
bool makes_mask(const std::string& type) {
  static const std::set<std::string> types{
      "sub",   "rsub",        "mul",        "add",         "where",       "masked_fill",
      "index", "logical_and", "logical_or", "logical_not", "bitwise_and", "bitwise_not"};
  return types.count(type) != 0 || passes_on(type);
}

bool compares(const std::string& type) { return type == "eq" || type == "ne" || type == "gt"; }

/// Whether an input only hides elements from attention: it reaches the softmax of its weights, or
/// the mask of fused attention, and is compared with nothing but constants on its way.
class MaskSearch {
public:
  explicit MaskSearch(const ConnectedGraph& graph) : graph_(graph) {}

  bool reaches_attention(OpId from) const {
    constexpr std::size_t most = 256, mask = 3;
    bool reached = false;
    follow_readers(graph_, from, most, [&](OpId at, OpId reader, std::size_t operand) {
      const std::string& type = graph_.op(reader).type;
      const bool fused = type.find("scaled_dot_product") != std::string::npos;
      reached = reached || type == "softmax" || (fused && operand == mask);
      return !reached && (makes_mask(type) || (compares(type) && has_constants_beside(reader, at)));
    });
    return reached;
  }

private:
  bool has_constants_beside(OpId id, OpId operand) const {
    const auto [begin, end] = boost::in_edges(id, graph_.graph());
    return std::all_of(begin, end, [&](const auto& edge) {
      const OpId source = boost::source(edge, graph_.graph());
      return source == operand || graph_.op(source).kind == OpKind::constant;
    });
  }

  const ConnectedGraph& graph_;
};

using Shape64 = std::vector<std::int64_t>;

/// Follows an input to the operators that say what it is.
class Follower {
public:
  Follower(const ConnectedGraph& graph, InputNeed& need) : graph_(graph), need_(need) {}

  void follow(OpId from) {
    constexpr std::size_t most = 64;
    look_for_range(from);
    follow_readers(graph_, from, most, [&](OpId at, OpId reader, std::size_t operand) {
      look_at(reader, operand, at == from);
      const bool same_values = operand == 0 && passes_on(graph_.op(reader).type);
      if (same_values) look_for_range(reader);
      return same_values;
    });
  }

private:
  const Shape64* shape_of(ParameterId id) const {
    const auto& shape = graph_.parameters()[id].type.shape;
    return shape && !shape->empty() ? &*shape : nullptr;
  }

  /// Of a module, which has no operands for them, its weight.
  const Shape64* weight_of(const Op& op) const {
    const Shape64* found = nullptr;
    for (const ParameterId id : op.parameters)
      if (const Shape64* shape = shape_of(id);
          shape != nullptr && (found == nullptr || shape->size() > found->size()))
        found = shape;
    return found;
  }

  /// The shape of the parameter that stands at an operand.
  const Shape64* parameter_at(OpId id, std::size_t operand) const {
    if (graph_.op(id).kind == OpKind::module) return weight_of(graph_.op(id));
    const auto parameter = parameter_at_operand(graph_, id, operand);
    return parameter ? shape_of(*parameter) : nullptr;
  }

  /// The shape of what stands at an operand: a parameter, or the result of another operator.
  const Shape64* shape_at(OpId id, std::size_t operand) const {
    if (const Shape64* parameter = parameter_at(id, operand)) return parameter;
    const auto [begin, end] = boost::in_edges(id, graph_.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const Product& product = graph_.graph()[*edge];
      if (product.input == operand && product.type.shape && !product.type.shape->empty())
        return &*product.type.shape;
    }
    return nullptr;
  }

  static std::int64_t number(const Op& op, std::initializer_list<std::string_view> names,
                             std::int64_t otherwise) {
    for (const Attribute& attribute : op.attributes)
      for (const std::string_view name : names)
        if (attribute.name == name)
          if (const auto* value = std::get_if<std::int64_t>(&attribute.value)) return *value;
    return otherwise;
  }

  void look_for_range(OpId id) {
    if (const auto range = calibrated_range(graph_, id)) narrow(need_.meaning.calibrated, *range);
  }

  void gathers(std::int64_t rows, const std::string& from) {
    InputMeaning& meaning = need_.meaning;
    if (meaning.rows != 0 && meaning.rows <= rows) return;
    meaning.rows = rows;
    meaning.why = "it gathers from " + from + " of " + std::to_string(rows) + " rows";
  }

  /// @param direct  nothing lies between
  void look_at(OpId id, std::size_t operand, bool direct) {
    const Op& op = graph_.op(id);
    const std::string type = boost::algorithm::to_lower_copy(op.type);
    if (!is_real(need_)) look_for_table(id, type, operand);
    if ((is_real(need_) || !need_.dtype) && operand == 0) look_for_sizes(id, type, direct);
    if (type == "group_query_attention") look_at_heads(id, op, operand);
    if (takes_lengths(type, operand) && can_be(need_, InputRole::lengths)) {
      need_.meaning.role = InputRole::lengths;
      need_.meaning.why = "a recurrent layer takes it for them";
    }
    if (type == "sum") counted_ = true;
    const bool for_attention = type == "sum" && feeds_attention(id);
    const bool for_bert = type == "embed_layer_normalization" && operand > token_types;
    if (for_attention || for_bert || (counted_ && has_grouped_attention()))
      need_.meaning.counted = true;
  }

  static bool takes_lengths(const std::string& type, std::size_t operand) {
    constexpr std::size_t of_onnx = 4;
    if (type.ends_with("pack_padded_sequence")) return operand == 1;
    return operand == of_onnx && (type == "gru" || type == "lstm" || type == "rnn");
  }

  /// Which operand of an operator is the table that another holds row numbers of.
  static std::optional<std::size_t> table_of(const std::string& type, std::size_t operand) {
    if (type == "embedding") return 0;
    const bool gathers = type == "index_select" || type == "gather_block_quantized";
    if (gathers && operand == 1) return 0;
    if (type == "index" && operand >= 1) return 0;
    if (type == "rotary_embedding" && operand == 1) return 2;
    if (type == "embed_layer_normalization" && operand < 2) return operand == 0 ? 2 : 4;
    return std::nullopt;
  }

  void look_for_table(OpId id, const std::string& type, std::size_t operand) {
    const auto at = table_of(type, operand);
    const Shape64* table = at ? shape_at(id, *at) : nullptr;
    const auto axis = number(graph_.op(id), {"axis", "dim", "gather_axis"}, 0);
    if (table == nullptr || axis < 0 || axis >= static_cast<std::int64_t>(table->size())) return;
    const std::int64_t rows = (*table)[static_cast<std::size_t>(axis)];
    if (rows <= 0) return;
    const bool angles = type == "rotary_embedding";
    if (angles) need_.meaning.role = InputRole::positions;
    gathers(rows, angles ? "a table of angles" : "a table");
  }

  void size_is(std::size_t dimension, std::int64_t size) {
    if (!need_.shape || dimension >= need_.shape->size() || size <= 0) return;
    auto& known = (*need_.shape)[dimension];
    if (known >= 0) return;
    known = size;
    if (dimension < need_.symbols.size()) need_.symbols[dimension].clear();
  }

  void look_for_image(const Shape64& weight) {
    if (weight.size() != 4 || need_.meaning.role != InputRole::unknown) return;
    const std::int64_t channels = weight[1];
    if (channels != 1 && channels != 3 && channels != 4) return;
    need_.meaning.role = InputRole::image;
    need_.meaning.why = "a convolution over two dimensions reads it";
  }

  void look_for_sizes(OpId id, const std::string& type, bool direct) {
    const Op& op = graph_.op(id);
    const bool convolves = type.starts_with("conv") && type.find("transpose") == std::string::npos;
    const Shape64* weight =
        convolves || type == "linear" || type == "matmul" ? parameter_at(id, 1) : nullptr;
    if (weight == nullptr) return;
    if (convolves) look_for_image(*weight);
    const std::size_t rank = need_.shape ? need_.shape->size() : 0;
    if (!direct || rank == 0) return;
    if (convolves && weight->size() == rank)
      size_is(1, (*weight)[1] * number(op, {"group", "groups"}, 1));
    else if (!convolves && weight->size() == 2)
      size_is(rank - 1, type == "matmul" ? weight->front() : weight->back());
  }

  /// The size of a head, which a file may leave open in its caches.
  void look_at_heads(OpId id, const Op& op, std::size_t operand) {
    constexpr std::size_t past_key = 3, past_value = 4;
    if (operand != past_key && operand != past_value) return;
    const std::int64_t heads = number(op, {"num_heads"}, 0);
    const std::int64_t key_heads = number(op, {"kv_num_heads"}, heads);
    bool has_key = false;
    std::int64_t query = -1;
    const auto [begin, end] = boost::in_edges(id, graph_.graph());
    for (auto edge = begin; edge != end; ++edge) {
      const Product& product = graph_.graph()[*edge];
      if (product.input == 0 && product.type.shape && !product.type.shape->empty())
        query = product.type.shape->back();
      has_key = has_key || product.input == 1;
    }
    const std::int64_t together = has_key ? heads : heads + 2 * key_heads;
    if (query > 0 && together > 0) size_is(3, query / together);
    size_is(1, key_heads);
    constexpr std::size_t elements = 2;
    need_.meaning.ring = number(op, {"sliding_window_cache"}, 0) != 0;
    if (need_.meaning.ring) size_is(elements, number(op, {"local_window_size"}, -1));
    need_.meaning.role = InputRole::cache;
    need_.meaning.why = "attention takes it for what it kept";
  }

  /// Fused attention takes the lengths of sequences for a mask.
  bool feeds_attention(OpId id) const {
    const auto [begin, end] = boost::out_edges(id, graph_.graph());
    return std::any_of(begin, end, [&](const auto& edge) {
      const std::string& type = graph_.op(boost::target(edge, graph_.graph())).type;
      return type == "attention" || type == "multi_head_attention";
    });
  }

  bool has_grouped_attention() const {
    for (OpId id = 0; id < graph_.op_count(); ++id)
      if (graph_.op(id).type == "group_query_attention") return true;
    return false;
  }

  static constexpr std::size_t token_types = 1; ///< the operand; those beyond are tables and masks
  const ConnectedGraph& graph_;
  InputNeed& need_;
  bool counted_ = false;
};

/// The name refines what the graph says: rows of a table may be those of positions.
void settle(InputNeed& need) {
  InputMeaning& meaning = need.meaning;
  const std::string why = meaning.why;
  const InputRole by_graph = meaning.role;
  mean_by_name(need);
  if (meaning.rows != 0 && meaning.role != InputRole::positions) meaning.role = InputRole::rows;
  if (meaning.role == by_graph || meaning.rows != 0) meaning.why = why;
  constexpr std::int64_t few = 2;
  if (meaning.role == InputRole::rows && meaning.rows == 0 &&
      boost::algorithm::to_lower_copy(need.name).find("type") != std::string::npos)
    meaning.rows = few;
}

/// Whole numbers of which neither a name nor a table says more.
bool may_be_mask(const InputNeed& need) {
  return need.meaning.role == InputRole::unknown && need.dtype && !is_real(need) && need.shape &&
         need.shape->size() >= 2;
}

void find_meaning(const ConnectedGraph& graph, OpId id, InputNeed& need) {
  Follower(graph, need).follow(id);
  InputNeed named = need;
  settle(named);
  if (may_be_mask(named) && MaskSearch(graph).reaches_attention(id)) {
    need.meaning.role = named.meaning.role = InputRole::padding_mask;
    need.meaning.why = "it hides elements from attention";
  }
  need.meaning.hides = named.meaning.role == InputRole::padding_mask && ones_hide(graph, id);
}

} // namespace

void find_meanings(const ConnectedGraph& graph, std::vector<InputNeed>& needs,
                   const WeightSampler& sample) {
  const auto sizes = find_size_bounds(graph);
  for (InputNeed& need : needs) {
    need.meaning.sizes = sizes;
    for (const OpId id : graph.inputs()) {
      if (graph.op(id).name != need.name) continue;
      if (need.kind == InputNeed::Kind::tensor) find_meaning(graph, id, need);
      find_bounds(graph, id, need.meaning, sample);
    }
    settle(need);
  }
}

void find_meanings(std::vector<InputNeed>& needs) {
  for (InputNeed& need : needs) settle(need);
}

const char* to_string(InputRole role) {
  struct Words {
    InputRole role;
    const char* text;
  };
  constexpr std::array words{Words{InputRole::unknown, ""},
                             Words{InputRole::rows, "row numbers"},
                             Words{InputRole::positions, "positions"},
                             Words{InputRole::padding_mask, "a mask of padding"},
                             Words{InputRole::added_mask, "a mask that is added"},
                             Words{InputRole::cache, "kept keys or values"},
                             Words{InputRole::last_positions, "last positions"},
                             Words{InputRole::total_length, "the total length"},
                             Words{InputRole::lengths, "lengths of sequences"},
                             Words{InputRole::has_past, "whether there is a past"},
                             Words{InputRole::image, "an image"},
                             Words{InputRole::sound, "sound"}};
  static_assert(words.size() == static_cast<std::size_t>(InputRole::sound) + 1);
  return row_with(words, &Words::role, role)->text;
}

} // namespace model_validator::verify
