#include "verify/localize/culprit.h"

#include "verify/localize/counterparts.h"

#include <algorithm>
#include <iterator>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_runs = 16;         ///< of the candidate, to find what cures
constexpr std::size_t max_full_runs = 3;     ///< that also look at every result
constexpr double significant_part = 0.1;     ///< of the greatest error among the sources
constexpr double what_remains_of_it = 0.001; ///< of an output's error when its cause is corrected

class Investigation {
public:
  Investigation(const Suspects& suspects, const CandidateMatch& match, const Replacements& replaced)
      : suspects_(suspects), match_(match), replaced_(replaced) {}

  CorrectedCulprit run(const ErrorSources& sources, Replacements& replaced) {
    const auto ordered = likely_first(sources);
    // What seems to be there, or says little by being absent, is only to blame if it cures.
    auto culprit = first_cure(doubtful(sources.ops), Places::like_it);
    // A single op in its own place explains more than several that are computed as one: correcting
    // the result of a later op corrects every error before it.
    if (!culprit) culprit = first_cure(ordered, Places::own);
    if (!culprit) culprit = that_helps(ordered.front(), Places::own);
    if (!culprit) culprit = first_cure(ordered, Places::later);
    if (!culprit) culprit = that_helps(ordered.front(), Places::later);
    if (!culprit)
      return {{ordered.front(), {ordered.front(), 0}, 0, false, false, std::nullopt}, match_};
    culprit->introduced = introduced_by(*culprit);
    replaced.insert(repaired_.begin(), repaired_.end());
    return {*culprit, std::move(corrected_)};
  }

private:
  enum class Places { own, like_it, later };

  /// Masks and indices among the sources, and ops before them that hardly change what they read: a
  /// result of the candidate that is equal to theirs may be what they read.
  std::vector<std::size_t> doubtful(const std::vector<std::size_t>& sources) const {
    auto found = match_.ops_unseen_before(sources, suspects_.trace);
    std::ranges::copy_if(sources, std::inserter(found, found.end()),
                         [&](std::size_t op) { return !suspects_.trace.ops[op].real_valued(); });
    return {found.begin(), found.end()};
  }

  /// Ops behind which the candidate is right are tried last, and of the others first those that
  /// differ by far more than the rest; each group in the order they run.
  std::vector<std::size_t> likely_first(const ErrorSources& sources) const {
    auto ops = sources.ops;
    std::stable_partition(ops.begin(), ops.end(), [&](std::size_t op) {
      return std::binary_search(sources.wrong.begin(), sources.wrong.end(), op);
    });
    const auto few = sources.wrong.empty() ? ops.size() : sources.wrong.size();
    const auto end = ops.begin() + static_cast<std::ptrdiff_t>(few);
    double greatest = 0;
    for (auto op = ops.begin(); op != end; ++op) greatest = std::max(greatest, finite_error(*op));
    std::stable_partition(ops.begin(), end, [&](std::size_t op) {
      return suspects_.trace.ops[op].real_valued() &&
             finite_error(op) >= significant_part * greatest;
    });
    return ops;
  }

  /// A result without any counterpart counts as an error of its full size.
  double finite_error(std::size_t op) const { return std::min(1.0, match_.error_of(op)); }

  std::optional<Culprit> first_cure(const std::vector<std::size_t>& sources, Places which) {
    std::size_t runs = 0;
    for (const auto op : sources) {
      const auto places = places_of(op, which);
      const auto golden = golden_of(places);
      for (const auto& place : places) {
        if (++runs > max_runs) return std::nullopt;
        auto replaced = with(place, golden.at(place.result));
        const auto outputs = cured(replaced);
        if (!outputs) continue;
        corrected_ = match_with(replaced, outputs);
        repaired_ = std::move(replaced);
        return Culprit{op, place.result, place.candidate, true, true, std::nullopt};
      }
    }
    return std::nullopt;
  }

  /// Where several ops are at fault: the place whose correction makes more ops agree.
  std::optional<Culprit> that_helps(std::size_t op, Places which) {
    auto places = places_of(op, which);
    places.resize(std::min(places.size(), max_full_runs));
    const auto golden = golden_of(places);
    std::size_t best = agreeing(match_) + 1; // the op itself agrees once it is replaced
    std::optional<Culprit> culprit;
    for (const auto& place : places) {
      auto replaced = with(place, golden.at(place.result));
      auto corrected = corrected_with(replaced);
      const auto count = corrected ? agreeing(*corrected) : 0;
      if (count <= best) continue;
      best = count;
      corrected_ = *std::move(corrected);
      repaired_ = std::move(replaced);
      culprit = Culprit{op, place.result, place.candidate, true, false, std::nullopt};
    }
    return culprit;
  }

  std::vector<Counterpart> places_of(std::size_t op, Places which) const {
    auto places = counterparts_of(op, suspects_.trace, suspects_.tolerances, match_);
    std::erase_if(places, [&](const Counterpart& place) {
      if ((place.result.op == op) == (which == Places::later)) return true;
      return which == Places::like_it && suspects_.trace.ops[op].real_valued() &&
             !is_of_type(match_.results[place.candidate].op, suspects_.trace.ops[op].type);
    });
    // What computes several as one does so in a step.
    if (which == Places::later) std::ranges::stable_sort(places, {}, &Counterpart::steps);
    return places;
  }

  std::map<ResultId, at::Tensor> golden_of(const std::vector<Counterpart>& places) const {
    std::vector<ResultId> wanted;
    for (const auto& place : places) wanted.push_back(place.result);
    return wanted.empty() ? std::map<ResultId, at::Tensor>()
                          : suspects_.reference.results_of(wanted);
  }

  Replacements with(const Counterpart& place, const at::Tensor& golden) const {
    auto replaced = replaced_;
    put(replaced, match_.results[place.candidate], golden);
    return replaced;
  }

  static void put(Replacements& replaced, const CandidateResult& result, const at::Tensor& golden) {
    replaced[result.name] = golden.to(result.dtype).contiguous().view(result.shape);
  }

  /// The outputs, where the error is gone.
  std::optional<std::vector<Nearest>> cured(const Replacements& replaced) const {
    if (differing_outputs(suspects_.tolerances, match_.outputs).empty()) return {}; // as it was
    IntermediateRun run;
    run.replaced = replaced;
    std::vector<Nearest> now;
    try {
      now = match_outputs(suspects_.trace, suspects_.tolerances, suspects_.run(run).value());
    } catch (const std::exception&) {
      return {}; // the result does not fit into that place
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double before = match_.outputs[i].error;
      const double allowed = std::max(suspects_.tolerances.outputs[i],
                                      before == nothing_alike ? 0 : what_remains_of_it * before);
      if (now[i].error > allowed) return {};
    }
    return now;
  }

  CandidateMatch match_with(const Replacements& replaced,
                            const std::optional<std::vector<Nearest>>& outputs = {}) const {
    return match_replaced(suspects_.trace, suspects_.tolerances, suspects_.run, match_, replaced,
                          outputs);
  }

  std::optional<CandidateMatch> corrected_with(const Replacements& replaced) const {
    try {
      return match_with(replaced);
    } catch (const std::exception&) {
      return {}; // the result does not fit into that place
    }
  }

  std::size_t agreeing(const CandidateMatch& match) const {
    std::size_t count = 0;
    for (std::size_t op = 0; op < suspects_.trace.ops.size(); ++op)
      if (match.error_of(op) <= suspects_.tolerances.ops[op]) ++count;
    return count;
  }

  /// Everything that the candidate's part reads is corrected first.
  std::optional<double> introduced_by(const Culprit& culprit) const {
    const auto read = what_is_read(culprit);
    auto wanted = read;
    wanted.push_back(culprit.last);
    const auto golden = suspects_.reference.results_of(wanted);
    IntermediateRun run;
    run.replaced = replaced_;
    run.needs_outputs = false;
    for (const auto& result : match_.results)
      for (const auto& id : result.equals)
        if (!result.name.empty() && std::ranges::find(read, id) != read.end())
          put(run.replaced, result, golden.at(id));
    const auto& name = match_.results[culprit.candidate].name;
    std::optional<double> error;
    run.wanted = [&](const std::string& shown) { return shown == name; };
    run.visit = [&](const Intermediate& shown) {
      error = distance(sketch_of(golden.at(culprit.last)), sketch_of(shown.tensor));
    };
    try {
      suspects_.run(run);
    } catch (const std::exception&) {
      return std::nullopt;
    }
    return error;
  }

  /// Results of other ops that the ops from the first to the last read, as far as they agree.
  std::vector<ResultId> what_is_read(const Culprit& culprit) const {
    std::vector<ResultId> read;
    for (auto op = culprit.op; op <= culprit.last.op; ++op)
      for (const auto& producer : suspects_.trace.ops[op].producers)
        if (producer.op < culprit.op) read.push_back(producer);
    return read;
  }

  const Suspects& suspects_;
  const CandidateMatch& match_;
  const Replacements& replaced_;
  Replacements repaired_;
  CandidateMatch corrected_;
};

} // namespace

CorrectedCulprit find_culprit(const Suspects& suspects, const ErrorSources& sources,
                              const CandidateMatch& match, Replacements& replaced) {
  const auto before = replaced;
  return Investigation(suspects, match, before).run(sources, replaced);
}

} // namespace model_validator::verify
