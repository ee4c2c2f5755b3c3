#pragma once

#include <model_validator/node_flow.h>
#include <model_validator/quantiser_rules.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace model_validator::rules {

/// Why the weight of a node is not quantised by itself; empty if it is.
std::string why_weight_stays(const FlowNode& node, const NodeFlow& flow,
                             const QuantisationScheme& scheme);

/// Adds up what the constants of a model take, before and after they are quantised.
class PlannedSize {
public:
  PlannedSize(const NodeFlow& flow, const QuantisationScheme& scheme);

  /// The constants of a node become as the scheme says.
  /// @param row  what the quantiser does with such nodes; null: it takes the weight alone
  void take(const FlowNode& node, const QuantisedOperators* row);
  std::uint64_t before() const { return before_; }
  std::uint64_t after() const;

private:
  void store(std::size_t value, std::uint64_t bytes);
  std::uint64_t quantised_bytes(const FlowValue& value) const;

  const NodeFlow& flow_;
  const QuantisationScheme& scheme_;
  std::vector<std::uint64_t> bytes_; ///< of each value that is a constant
  std::uint64_t before_ = 0;
};

} // namespace model_validator::rules
