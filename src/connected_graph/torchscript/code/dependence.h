#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace model_validator::torchscript {

/// Which values are computed from which. Nodes are numbered in order of creation.
class Dependence {
public:
  using Node = std::uint32_t;
  static constexpr Node nothing = 0; ///< a node that no value of the model flows into

  /// In which way a node depends on another.
  enum class How : std::uint8_t {
    data,
    shape,   ///< only on its sizes, dtype or device
    decision ///< it decides whether or what is computed
  };

  Node add() { return static_cast<Node>((first_.push_back(none_), first_.size() - 1)); }
  void add_edge(Node what, Node on, How how = How::data);
  Node next() const noexcept { return static_cast<Node>(first_.size()); }

  /// How a node is reached from others: only through sizes, or also through data.
  struct Reached {
    std::vector<bool> by_data;
    std::vector<bool> by_shape;
    bool has(Node node) const { return by_data[node] || by_shape[node]; }
  };
  enum class Follow : std::uint8_t { all, values }; ///< decisions as well, or not
  Reached reached(std::span<const Node> from, Follow follow) const;

private:
  static constexpr std::uint32_t none_ = UINT32_MAX;
  struct Edge {
    Node on;
    How how;
    std::uint32_t next;
  };
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> first_ = {none_}; ///< edge of each node
};

} // namespace model_validator::torchscript
