#pragma once

#include <model_validator/connected_graph.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace torch::jit {
struct Node;
} // namespace torch::jit

namespace model_validator::torchscript {

/// One step into a value: the index of an element, or the name of an object's attribute.
using PathStep = std::variant<std::size_t, std::string>;
/// The index that stands for all elements, used if the walk does not know which is which.
inline constexpr std::size_t every = none;
/// The path from a value to a tensor inside it; empty for the value itself.
using ValuePath = std::vector<PathStep>;

/// A tensor among the inputs or outputs of a node, and the operand or output of an op that it is.
struct Place {
  std::size_t value = 0; ///< which input or output of the node
  ValuePath path;
  std::size_t position = 0; ///< operand, or output, of the op
  bool elements = false;    ///< a list: its elements are this output and the following ones
};

/// What one node of the code is in the graph.
struct NodeRecord {
  OpId op = none;
  std::size_t body = none; ///< which operator of the op's body it is, for a node inside a leaf
  std::vector<Place> inputs;
  std::vector<Place> outputs;
  std::vector<RegionId> regions; ///< arms of an `if`, then first; the body of a loop
  bool continues = false;        ///< a later node of an op, whose runs its first counts
};

/// Which op represents which node, call by call: a method that is called twice has its nodes twice.
///
/// A context is a chain of calls from the model's `forward` on. A run of the same code, node by
/// node, finds the graph's ops by entering the same contexts.
class NodeMap {
public:
  using Context = std::size_t;
  static constexpr Context root = 0;

  /// The context inside a call, created if new. @param object whose method is called; null if the
  /// walk does not know it, or for a function
  Context enter(Context caller, const torch::jit::Node& call, const void* object);
  /// The context inside a call that was walked; nullopt for one that was not.
  std::optional<Context> find(Context caller, const torch::jit::Node& call,
                              const void* object) const;

  void add(Context context, const torch::jit::Node& node, NodeRecord record);
  const std::vector<NodeRecord>& at(Context context, const torch::jit::Node& node) const;

  /// Visits every record, in no particular order.
  template <class Visit> void for_each(const Visit& visit) const {
    for (const auto& [where, of_node] : records_)
      for (const NodeRecord& record : of_node) visit(record);
    for (const NodeRecord& record : model_inputs) visit(record);
    for (const auto& [op, place] : model_outputs) visit(NodeRecord{op, none, {place}, {}, {}});
    if (root_leaf) visit(*root_leaf);
  }

  /// The op wrote into a view: the whole tensor flows on from it, not what it yields.
  void note_written_view(OpId op) { written_views_.insert(op); }
  bool wrote_view(OpId op) const { return written_views_.contains(op); }

  std::vector<NodeRecord> model_inputs;              ///< their outputs are places in the arguments
  std::vector<std::pair<OpId, Place>> model_outputs; ///< places in what `forward` returns
  /// The op that represents the whole model, if that is a leaf: its inputs are places in the
  /// arguments, its outputs places in what `forward` returns.
  std::optional<NodeRecord> root_leaf;

private:
  using Key = std::pair<Context, const torch::jit::Node*>;
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<const torch::jit::Node*>()(key.second) * 31 + key.first;
    }
  };

  std::unordered_map<Key, std::vector<NodeRecord>, Hash> records_;
  std::map<std::tuple<Context, const torch::jit::Node*, const void*>, Context> contexts_;
  std::unordered_set<OpId> written_views_;
};

} // namespace model_validator::torchscript
