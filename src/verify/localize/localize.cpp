#include "verify/localize/localize.h"

#include "verify/localize/culprit.h"
#include "verify/localize/differing_region.h"
#include "verify/localize/first_divergence.h"
#include "verify/run/tensor_tree.h"

#include <model_validator/error.h>

#include <c10/core/GradMode.h>

#include <algorithm>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_culprits = 3;
/// The candidate computes an op as part of another if the op's result is this far from everything.
constexpr double part_of_another = 100;

class Localization {
public:
  Localization(const ReferenceRun& reference, ShowRun run, const std::vector<c10::IValue>& inputs)
      : reference_(reference), run_(std::move(run)), trace_(reference.trace()),
        tolerances_(allowed()),
        match_(match_candidate(trace_, tolerances_, run_, tensors_of(inputs))), repaired_(match_) {}

  Divergence run() {
    find_culprits();
    if (culprits_.empty())
      look_at_outputs();
    else
      note_culprits();
    for (std::size_t op = 0; op < trace_.ops.size(); ++op)
      if (is_culprit(op) ||
          (trace_.ops[op].real_valued() && trace_.ops[op].varies && is_computed(op)))
        divergence_.ops.push_back(comparison(op));
    return std::move(divergence_);
  }

private:
  Tolerances allowed() {
    std::optional<RoundingNoise> noise;
    try {
      noise = reference_.noise(trace_);
      if (!noise)
        divergence_.notes.emplace_back("with other roundings the reference takes a different path: "
                                       "tolerances of the ops are those of the default checker");
    } catch (const Error& error) {
      divergence_.notes.push_back(std::string("the noise of the reference cannot be measured, so "
                                              "the tolerances of the ops are those of the "
                                              "default checker: ") +
                                  error.what());
    }
    return tolerances_for(trace_, noise);
  }

  void find_culprits() {
    Replacements replaced;
    const Suspects suspects{reference_, trace_, tolerances_, run_};
    while (culprits_.size() < max_culprits) {
      const auto sources = sources_of_error(trace_, tolerances_, repaired_);
      const bool any_differs = !differing_outputs(tolerances_, repaired_.outputs).empty();
      if (sources.ops.empty() || (!culprits_.empty() && !any_differs)) return;
      auto [culprit, corrected] = find_culprit(suspects, sources, repaired_, replaced);
      culprits_.push_back(culprit);
      regions_.push_back(region_of(culprit, trace_, repaired_));
      if (culprit.known) places_.push_back(repaired_.results[culprit.candidate]);
      if (!culprit.known) return;
      repaired_ = std::move(corrected);
      if (culprit.cures) return;
    }
  }

  std::string op_text(std::size_t op) const {
    const auto& traced = trace_.ops[op];
    return "`" + traced.name + "`" + (traced.module.empty() ? "" : " of `" + traced.module + "`");
  }

  void note_culprits() {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const auto& culprit = culprits_[i];
      if (culprit.last.op != culprit.op)
        divergence_.notes.push_back("the candidate computes " + op_text(culprit.op) + " to " +
                                    op_text(culprit.last.op) + " as one");
    }
    for (const auto& culprit : culprits_) note_constants(culprit.op);
    if (culprits_.back().cures)
      divergence_.notes.push_back(
          culprits_.size() == 1
              ? "with the reference's result in its place every output agrees: nothing else differs"
              : "with the reference's results in their places every output agrees");
    else
      divergence_.notes.emplace_back(
          "no result of the candidate was found that makes every output agree when the "
          "reference's is put in its place");
    for (std::size_t i = 1; i < culprits_.size(); ++i)
      divergence_.notes.push_back(op_text(culprits_[i].op) + " differs on its own as well");
  }

  /// What does not depend on the inputs a compiler computes beforehand: it cannot be seen there.
  void note_constants(std::size_t op) {
    for (const auto& producer : trace_.ops[op].producers) {
      const auto& made = trace_.ops[producer.op];
      if (!made.varies && made.real_valued() && made.module != trace_.ops[op].module)
        divergence_.notes.push_back(op_text(op) + " reads what " + op_text(producer.op) +
                                    " gives, which does not depend on the inputs: the candidate "
                                    "may hold another constant there");
    }
  }

  /// If every result of the reference is there, something is wrong with what is returned.
  void look_at_outputs() {
    const auto differing = differing_outputs(tolerances_, match_.outputs);
    if (differing.empty()) {
      divergence_.notes.push_back(words_about_equal_outputs());
    } else if (match_.output_count < trace_.outputs.size()) {
      divergence_.notes.push_back("every result of the reference is there, but the candidate has " +
                                  std::to_string(match_.output_count) + " outputs of " +
                                  std::to_string(trace_.outputs.size()));
    } else if (const auto& maker = trace_.results[differing.front()]) {
      culprits_.push_back({maker->op, *maker, 0, false, false, std::nullopt});
      divergence_.notes.push_back("the candidate has the result of " + op_text(maker->op) +
                                  ", which the reference returns, but returns something else");
    }
  }

  std::string words_about_equal_outputs() const {
    std::string order;
    for (std::size_t i = 0; i < match_.outputs.size(); ++i)
      if (match_.outputs[i].candidate != i)
        order += (order.empty() ? "" : ", ") + std::to_string(i) + " is the candidate's " +
                 std::to_string(match_.outputs[i].candidate);
    if (!order.empty())
      return "every output of the reference is there, in a different order: " + order;
    return "operator by operator no result was found that differs by more than what ops of the "
           "reference are allowed: outputs differ in dtype, by less than that, or where the "
           "backend fuses operators";
  }

  double introduced(std::size_t op) const { return repaired_.error_of(op); }

  bool is_culprit(std::size_t op) const {
    return std::ranges::find(culprits_, op, &Culprit::op) != culprits_.end();
  }

  bool is_computed(std::size_t op) const {
    return std::min(match_.error_of(op), introduced(op)) <= part_of_another * tolerances_.ops[op];
  }

  OpComparison comparison(std::size_t index) const {
    const auto& op = trace_.ops[index];
    OpComparison result;
    result.op = op.name;
    result.type = op.type;
    result.module = op.module;
    if (op.source.known()) result.source = op.source.file + ":" + std::to_string(op.source.line);
    result.error = match_.error_of(index);
    result.tolerance = tolerances_.ops[index];
    // More than is allowed, once the culprits are corrected, was traced to no op.
    if (introduced(index) <= result.tolerance) result.introduced = introduced(index);
    for (std::size_t i = 0; i < culprits_.size(); ++i)
      if (culprits_[i].op == index) describe_culprit(i, result);
    result.first_divergent = !culprits_.empty() && first() == index;
    return result;
  }

  void describe_culprit(std::size_t number, OpComparison& result) const {
    const Culprit& culprit = culprits_[number];
    if (culprit.known) result.introduced = culprit.introduced;
    if (number < places_.size()) result.candidate = places_[number].op + " " + places_[number].name;
    if (number < regions_.size()) {
      result.region = regions_[number].reference;
      result.candidate_region = regions_[number].candidate;
      result.constants = regions_[number].constants;
    }
    const double own = result.introduced.value_or(0);
    // What the candidate computes as one with later ops has no result of its own to compare.
    const bool is_fused = culprit.known && culprit.last.op != culprit.op && result.introduced;
    // Its result may seem to be there: something else is equal to it.
    result.error = is_fused ? own : std::max(result.error, own);
  }

  /// Culprits are found by what they explain; the first is the one that runs first.
  std::size_t first() const {
    return std::ranges::min_element(
               culprits_,
               [](const Culprit& left, const Culprit& right) { return left.op < right.op; })
        ->op;
  }

  Divergence divergence_;
  const ReferenceRun& reference_;
  ShowRun run_;
  OpTrace trace_;
  Tolerances tolerances_;
  CandidateMatch match_;
  CandidateMatch repaired_; ///< with the culprits' results replaced
  std::vector<Culprit> culprits_;
  std::vector<DifferingRegion> regions_; ///< of those that were looked for
  std::vector<CandidateResult> places_;  ///< what the candidate has in the place of each
};

} // namespace

Divergence localize(const ReferenceRun& reference, ShowRun candidate,
                    const std::vector<c10::IValue>& inputs) {
  const c10::NoGradGuard no_gradients;
  return Localization(reference, std::move(candidate), inputs).run();
}

} // namespace model_validator::verify
