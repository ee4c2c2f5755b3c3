#pragma once

#include <model_validator/connected_graph.h>
#include <model_validator/target_profile.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace model_validator {

/// A batch norm that AIMET folds into a layer.
struct FoldedNorm {
  OpId norm = none;
  OpId layer = none;
  bool backward = true; ///< into the layer before it
};

/// Whether its class is called like a batch norm.
bool is_named_norm(const Module& module);

/// Whether the op is a convolution that stands in the place of the batch norm that an exporter
/// folded into it.
bool is_folded_norm(const ConnectedGraph& graph, OpId op);

/// A model as AIMET's search for patterns sees it: calls of modules, one after the other where
/// nothing else reads what is between them, and with its batch norms folded.
class AimetGraph {
public:
  AimetGraph(const ConnectedGraph& graph, const ModuleTables& tables);

  /// The type that AIMET gives the op: `Conv`; empty for one without a module of a known class.
  std::string type_of(OpId op) const;
  /// The only op that reads the result, past folded norms and ops that pass it on; `none` if there
  /// are several.
  OpId next(OpId op) const;
  bool is_norm(OpId op) const;

  /// By AIMET's conditions, each norm and each layer once; into the layer before first.
  const std::vector<FoldedNorm>& folded_norms() const { return folded_; }
  /// Convolutions in a row with nothing but ReLU and PReLU between them, of two and more; each row
  /// of modules once.
  std::vector<std::vector<OpId>> rows_of_convolutions() const;
  /// Functions `relu` between two convolutions, which end a row there: as modules they would not.
  std::vector<OpId> functions_in_rows() const;
  /// The sets of a row whose channels can be scaled against each other: two or three layers.
  std::vector<std::vector<OpId>> equalisation_sets(const std::vector<OpId>& row) const;

private:
  enum class Kind : char { other, convolution, depthwise };

  std::vector<FoldedNorm> fold_norms() const;
  /// Whether AIMET folds a norm into such a layer.
  bool fits(OpId layer, OpId norm) const;
  bool passes_on(OpId op) const;
  bool is_scalable(OpId op) const;
  OpId further_convolution(OpId op) const;
  bool takes_norm(OpId layer, bool backward) const;
  Kind kind_of(OpId layer) const;
  std::int64_t groups_of(OpId layer) const;
  const std::vector<std::int64_t>* weight_shape(OpId layer) const;

  const ConnectedGraph& graph_;
  const ModuleTables& tables_;
  std::set<OpId> gone_; ///< norms that are folded; empty while they are looked for
  std::vector<FoldedNorm> folded_;
};

} // namespace model_validator
