#pragma once

#include "verify/localize/reference_run.h"
#include "verify/localize/stepped_values.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator::verify {

/// A value of a run, which a node of the file computes.
struct NodeValue {
  std::string name, node, op;
  std::vector<std::string> inputs;
  Sketch sketch;
};

/// The values of a run, in order.
struct NodeValues {
  std::vector<NodeValue> all;
  std::map<std::string, std::size_t> by_name;

  const NodeValue* find(const std::string& name) const;
};

/// A value that both models have, and the nearest such values that the copy computes it from.
struct SharedValue {
  const NodeValue* reference;
  const NodeValue* candidate; ///< as other layers read it: quantised, and back in float
  std::vector<std::string> sources;
  std::optional<double> introduced, introduced_sqnr;
  SteppedRatio stepped = {}; ///< of what is introduced
};

/// What a model and a quantised copy of it compute under the same names.
class LayerValues {
public:
  /// Runs both. @param seen  what the reference gives, where that is known. @throws Error
  /// (`cannot-localize`) when one of them shows nothing of what it computes
  LayerValues(const ShowRun& reference, const ShowRun& candidate,
              std::shared_ptr<const NodeValues> seen);
  LayerValues(const LayerValues&) = delete;
  LayerValues& operator=(const LayerValues&) = delete;

  const NodeValues& reference() const { return *reference_; }
  const std::shared_ptr<const NodeValues>& shared_reference() const { return reference_; }
  const NodeValues& candidate() const { return candidate_; }
  /// The copy's value for one of the reference, as other layers read it; null where it has none.
  const NodeValue* as_read(const std::string& name) const;
  /// The layer that makes a value of the copy, before its steps.
  const NodeValue& maker_of(const NodeValue& value) const;

  /// Goes on as if only these were shared: what is computed from others begins at values before.
  void keep(const std::set<std::string>& names_in_reference);

  /// The same, through what only moves its values, unless others share those.
  const NodeValue& layer_of(const NodeValue& value) const;

  std::vector<SharedValue> shared; ///< in order

private:
  void share_outputs();
  void find_sources();
  const NodeValue* reader_of(const std::string& name, const std::string& op) const;
  std::vector<std::string> sources_of(const NodeValue& value) const;

  std::shared_ptr<const NodeValues> reference_;
  NodeValues candidate_;
  std::map<std::pair<std::string, std::string>, std::size_t> readers_; ///< by value and operator
  std::map<std::string, std::string> reads_; ///< names in the copy, and in the reference
};

} // namespace model_validator::verify
