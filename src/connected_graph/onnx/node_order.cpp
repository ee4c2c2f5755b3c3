#include "connected_graph/onnx/node_order.h"

#include "connected_graph/onnx/form_list.h"
#include "connected_graph/onnx/names_read.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace model_validator::onnx_format {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<::onnx::NodeProto>;
using Unordered = std::vector<std::string>;

void sort_within(::onnx::NodeProto& node, Unordered& unordered);

/// The nodes of one list, by their places in it.
class NodeOrder {
public:
  explicit NodeOrder(const Nodes& nodes) : nodes_(nodes) {
    makers_.reserve(static_cast<std::size_t>(nodes.size()));
    for (int place = 0; place < nodes.size(); ++place)
      for (const std::string& name : nodes[place].output()) makers_.try_emplace(name, place);
  }

  bool is_sorted() const {
    for (int place = 0; place < nodes_.size(); ++place)
      if (reads_later(nodes_[place], place)) return false;
    return true;
  }

  /// Each node right before the first that reads it, if it is not before it already.
  std::vector<int> sorted() {
    entered_.assign(static_cast<std::size_t>(nodes_.size()), false);
    for (int place = 0; place < nodes_.size(); ++place) visit(place);
    return std::move(order_);
  }

private:
  struct Visit {
    int place;
    std::vector<std::string> reads;
    std::size_t next = 0;
  };

  /// -1 where the list does not make it.
  int maker_of(std::string_view name) const {
    const auto found = name.empty() ? makers_.end() : makers_.find(name);
    return found == makers_.end() ? -1 : found->second;
  }

  bool reads_later(const ::onnx::NodeProto& node, int place) const {
    if (!has_subgraph(node)) return any_later(node.input(), place);
    return any_later(names_read(node), place);
  }

  template <class Names> bool any_later(const Names& names, int place) const {
    for (const std::string& name : names)
      if (maker_of(name) > place) return true;
    return false;
  }

  void enter(int place) {
    if (place < 0 || entered_[static_cast<std::size_t>(place)]) return;
    entered_[static_cast<std::size_t>(place)] = true;
    visits_.push_back({place, names_read(nodes_[place])});
  }

  void visit(int first) {
    enter(first);
    while (!visits_.empty()) {
      Visit& visit = visits_.back();
      if (visit.next < visit.reads.size()) {
        enter(maker_of(visit.reads[visit.next++]));
        continue;
      }
      order_.push_back(visit.place);
      visits_.pop_back();
    }
  }

  const Nodes& nodes_;
  std::unordered_map<std::string_view, int> makers_;
  std::vector<bool> entered_;
  std::vector<Visit> visits_;
  std::vector<int> order_;
};

/// @returns whether they were in order
bool sort_list(Nodes& nodes, Unordered& unordered) {
  for (auto& node : nodes)
    if (has_subgraph(node)) sort_within(node, unordered);
  NodeOrder order(nodes);
  if (order.is_sorted()) return true;
  const std::vector<int> places = order.sorted();
  std::vector<::onnx::NodeProto*> moved(places.size());
  nodes.ExtractSubrange(0, nodes.size(), moved.data());
  for (const int place : places) nodes.AddAllocated(moved[static_cast<std::size_t>(place)]);
  return false;
}

void sort_within(::onnx::NodeProto& node, Unordered& unordered) {
  const auto sort_body = [&](::onnx::GraphProto& body) {
    if (!sort_list(*body.mutable_node(), unordered))
      unordered.push_back("a body of " + spoken(node));
  };
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) sort_body(*attribute.mutable_g());
    for (auto& graph : *attribute.mutable_graphs()) sort_body(graph);
  }
}

} // namespace

std::vector<std::string> sort_nodes(::onnx::ModelProto& model) {
  Unordered unordered;
  sort_list(*model.mutable_graph()->mutable_node(), unordered);
  for (auto& function : *model.mutable_functions())
    if (!sort_list(*function.mutable_node(), unordered))
      unordered.push_back("the function `" + function.name() + "`");
  return unordered;
}

} // namespace model_validator::onnx_format
