#include "connected_graph/shapes/limits.h"

#include <model_validator/data/words.h>

#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace model_validator::shapes {
namespace {

constexpr std::int64_t any_more = std::numeric_limits<std::int64_t>::max();

/// Of an operand: how many axes it may have.
struct RankLimit {
  std::string_view types;
  std::size_t input;
  std::int64_t least, most;
};

constexpr auto rank_limits = std::to_array<RankLimit>({
    {"Attention", 0, 3, 4},
    {"Attention", 1, 3, 4},
    {"Attention", 2, 3, 4},
    {"CausalConvWithState", 0, 3, 3},
    {"CausalConvWithState", 1, 3, 3},
    {"CausalConvWithState", 2, 1, 1},
    {"CausalConvWithState", 3, 3, 3},
    {"ConstantOfShape", 0, 1, 1},
    {"DepthToSpace SpaceToDepth", 0, 4, 4},
    {"Det Trilu", 0, 2, any_more},
    {"EyeLike", 0, 2, 2},
    {"Hardmax LogSoftmax Softmax", 0, 1, any_more},
    {"NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss", 2, 1, 1},
    {"RotaryEmbedding", 0, 3, 4},
});

/// Of an attribute that is one whole number.
struct AttributeLimit {
  std::string_view types;
  std::string_view attribute;
  std::int64_t least, most;
};

constexpr auto attribute_limits = std::to_array<AttributeLimit>({
    {"CumProd CumSum", "exclusive", 0, 1},
    {"CumProd CumSum", "reverse", 0, 1},
    {"DepthToSpace SpaceToDepth", "blocksize", 1, any_more},
    {"GRU LSTM RNN", "layout", 0, 1},
    {"LpNormalization", "p", 1, 2},
    {"LRN", "size", 1, any_more},
    {"Mod", "fmod", 0, 1},
    {"NonMaxSuppression", "center_point_box", 0, 1},
    {"ReverseSequence", "batch_axis", 0, 1},
    {"ReverseSequence", "time_axis", 0, 1},
});

template <class Limit> struct LimitsByType {
  std::unordered_map<std::string_view, std::vector<const Limit*>> rows;

  explicit LimitsByType(const auto& limits) {
    for (const Limit& limit : limits)
      for (const std::string_view type : words_in(limit.types)) rows[type].push_back(&limit);
  }
  std::vector<const Limit*> of(std::string_view type) const {
    const auto found = rows.find(type);
    return found == rows.end() ? std::vector<const Limit*>{} : found->second;
  }
};

std::string allowed(std::int64_t least, std::int64_t most) {
  if (most == any_more) return std::to_string(least) + " or more";
  return least == most ? std::to_string(least)
                       : std::to_string(least) + " to " + std::to_string(most);
}

bool ranks_fit(Inference& at) {
  static const LimitsByType<RankLimit> limits(rank_limits);
  for (const RankLimit* limit : limits.of(at.node.type)) {
    const Shape* shape = at.shape(limit->input);
    if (shape == nullptr) continue;
    const auto rank = static_cast<std::int64_t>(shape->size());
    if (rank >= limit->least && rank <= limit->most) continue;
    at.cannot_fit(rank < limit->least ? "fewer-axes" : "more-axes",
                  at.name_of(limit->input) + " has " + std::to_string(rank) +
                      " axes, and must have " + allowed(limit->least, limit->most),
                  {limit->input}, Fails::at_load);
    return false;
  }
  return true;
}

bool attributes_fit(Inference& at) {
  static const LimitsByType<AttributeLimit> limits(attribute_limits);
  for (const AttributeLimit* limit : limits.of(at.node.type)) {
    const auto number = at.node.attributes->integer(limit->attribute);
    if (!number || (*number >= limit->least && *number <= limit->most)) continue;
    at.cannot_fit(std::string(limit->attribute),
                  "attribute `" + std::string(limit->attribute) + "` is " +
                      std::to_string(*number) + ", and must be " +
                      allowed(limit->least, limit->most),
                  {}, Fails::at_load);
    return false;
  }
  return true;
}

} // namespace

bool is_within_limits(Inference& at) {
  return !at.node.domain.empty() || (ranks_fit(at) && attributes_fit(at));
}

} // namespace model_validator::shapes
