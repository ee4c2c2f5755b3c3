#include "verify/command/causes.h"

#include "introspection/op_cause.h"
#include "introspection/op_pairing.h"
#include "introspection/result_steps.h"
#include "verify/command/confined_reading.h"
#include "verify/command/file_weights.h"

#include <model_validator/error.h>

#include <algorithm>
#include <optional>

namespace model_validator::verify {
namespace {

constexpr std::size_t max_layers = 5; ///< of a quantised copy, those that add most error

struct OpFacts {
  std::string module, source, graph_op;
};
template <class Archive> void describe(Archive& archive, OpFacts& facts) {
  archive(facts.module, facts.source, facts.graph_op);
}

struct CauseFacts {
  std::string words;
  std::string graph_op; ///< of the reference, that the words are about
};
template <class Archive> void describe(Archive& archive, CauseFacts& facts) {
  archive(facts.words, facts.graph_op);
}

struct FileFacts {
  std::vector<OpFacts> places;
  std::vector<CauseFacts> causes;
  std::string weights; ///< which differ
};
template <class Archive> void describe(Archive& archive, FileFacts& facts) {
  archive(facts.places, facts.causes, facts.weights);
}

OpFacts facts_of(const ConnectedGraph& graph, OpId id) {
  if (id == none) return {};
  const Op& op = graph.op(id);
  const SourceLocation& line = graph.location(graph.user_frame(op.frame));
  return {graph.module_path(op.module != none ? op.module : op.parent),
          line.known() ? line.file + ":" + std::to_string(line.line) : "", op.name};
}

/// A candidate of its own whose file can be read like the reference's.
bool has_files_to_compare(const ComparedPair& pair) {
  const auto is_read = [](const ModelFile& model) {
    return std::filesystem::is_regular_file(model.path) && model.format != FileFormat::unknown &&
           model.format != FileFormat::aot_package;
  };
  return !pair.golden && pair.candidate && is_read(pair.reference) && is_read(*pair.candidate);
}

OpId op_of(const Suspect& suspect, const OpNames& names) {
  const OpId op = names.find(suspect.op);
  return op != none ? op : names.find(suspect.result);
}

/// Those that are known, each once.
std::vector<OpId> ops_named(const std::vector<std::string>& names, const OpNames& known) {
  std::vector<OpId> ops;
  for (const std::string& name : names)
    if (const OpId op = known.find(name); op != none && std::ranges::find(ops, op) == ops.end())
      ops.push_back(op);
  std::ranges::sort(ops);
  return ops;
}

std::vector<CauseFacts> find_causes(const ReadModel& reference, const ReadModel& candidate,
                                    const std::vector<Suspect>& suspects) {
  const OpNames own(reference.graph), others(candidate.graph);
  const auto format = reference.graph.origin.format;
  // Names that a graph makes of types and numbers are the same in equal graphs alone.
  const bool share_names =
      format == candidate.graph.origin.format &&
      (format == FileFormat::onnx || reference.graph.op_count() == candidate.graph.op_count());
  std::vector<CauseFacts> causes;
  for (const Suspect& suspect : suspects) {
    const OpId op = op_of(suspect, own);
    OpId place = others.find(suspect.in_its_place);
    if (place == none && share_names) place = others.find(suspect.op);
    OpCause cause = op == none ? OpCause{} : cause_at(reference, op, candidate, place);
    if (cause.words.empty())
      cause = cause_among(reference, ops_named(suspect.region, own), candidate,
                          ops_named(suspect.candidate_region, others));
    if (cause.words.empty())
      cause = {misfit_of_steps(candidate.graph, place, suspect.greatest), op};
    causes.push_back({cause.words, cause.op == none ? "" : reference.graph.op(cause.op).name});
  }
  return causes;
}

enum class Weights : bool { as_they_are, compared };

FileFacts read_facts(const ComparedPair& pair, const std::vector<Suspect>& ops,
                     const std::vector<Suspect>& suspects, Weights weights) {
  FileFacts facts;
  if (weights == Weights::compared && pair.candidate)
    facts.weights = words_about_weights(pair.reference.path, pair.candidate->path);
  if (ops.empty() && suspects.empty()) return facts;
  const ReadModel reference(pair.reference.path, pair.reference.options);
  const OpNames names(reference.graph);
  for (const Suspect& op : ops) facts.places.push_back(facts_of(reference.graph, op_of(op, names)));
  if (suspects.empty() || !has_files_to_compare(pair)) return facts;
  try {
    const ReadModel candidate(pair.candidate->path, pair.candidate->options);
    facts.causes = find_causes(reference, candidate, suspects);
  } catch (const Error&) {
    facts.causes.clear(); // runs have said what differs
  }
  return facts;
}

/// What cannot be read here was run all the same: then nothing more is known of it.
FileFacts facts_of(const ComparedPair& pair, const std::vector<Suspect>& ops,
                   const std::vector<Suspect>& suspects, Weights weights) {
  std::vector<std::filesystem::path> files{pair.reference.path};
  if (pair.candidate) files.push_back(pair.candidate->path);
  FileFacts facts;
  try {
    facts = read_confined_value(files, pair.request,
                                [&] { return read_facts(pair, ops, suspects, weights); });
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    // The places are known where tensors take more memory than there is.
    if (!suspects.empty()) facts = facts_of(pair, ops, {}, weights);
  }
  facts.places.resize(ops.size());
  facts.causes.resize(suspects.size());
  return facts;
}

/// `Conv /conv1/Conv_output_0` without the operator
std::string value_in(const std::string& candidate) {
  return candidate.substr(std::min(candidate.size(), candidate.find(' ') + 1));
}

Suspect asked_of(const OpComparison& op) {
  return {op.op, op.result, value_in(op.candidate), op.greatest, op.region, op.candidate_region};
}

/// The first op that differs, or those of the layers that add most error.
std::vector<OpComparison*> suspicious(VerifyReport& report) {
  std::vector<OpComparison*> found;
  for (OpComparison& op : report.ops)
    if (op.first_divergent || op.introduced_sqnr) found.push_back(&op);
  std::ranges::stable_sort(found, [](const OpComparison* one, const OpComparison* other) {
    return one->introduced_sqnr.value_or(0) < other->introduced_sqnr.value_or(0);
  });
  if (found.size() > max_layers) found.resize(max_layers);
  return found;
}

/// Of several ops that the candidate computes as one, the one that the cause is about is named.
void tell(const CauseFacts& cause, OpComparison& suspect, VerifyReport& report) {
  const auto is_it = [&](const OpComparison& op) {
    return op.graph_op == cause.graph_op && !op.first_divergent &&
           std::ranges::find(suspect.region, op.op) != suspect.region.end();
  };
  const bool is_another = !cause.graph_op.empty() && cause.graph_op != suspect.graph_op;
  const auto other = is_another && suspect.first_divergent ? std::ranges::find_if(report.ops, is_it)
                                                           : report.ops.end();
  suspect.cause = cause.words;
  if (other == report.ops.end()) return;
  other->candidate = suspect.candidate;
  other->introduced = suspect.introduced;
  std::swap(other->cause, suspect.cause);
  std::swap(other->first_divergent, suspect.first_divergent);
}

} // namespace

std::vector<std::string> causes_of(const ComparedPair& pair, const std::vector<Suspect>& suspects) {
  std::vector<std::string> words;
  for (CauseFacts& cause : facts_of(pair, {}, suspects, Weights::as_they_are).causes)
    words.push_back(std::move(cause.words));
  return words;
}

void name_places_and_causes(const ComparedPair& pair, bool differs, VerifyReport& report) {
  const Weights weights = differs ? Weights::compared : Weights::as_they_are;
  if ((report.ops.empty() && !differs) || pair.golden) return;
  std::vector<Suspect> all, asked;
  for (const OpComparison& op : report.ops) all.push_back(asked_of(op));
  const std::vector<OpComparison*> suspects = suspicious(report);
  for (const OpComparison* op : suspects) asked.push_back(asked_of(*op));
  const FileFacts facts = facts_of(pair, all, asked, weights);
  if (!facts.weights.empty()) report.notes.push_back(facts.weights);
  for (std::size_t i = 0; i < all.size(); ++i) {
    OpComparison& op = report.ops[i];
    if (op.module.empty()) op.module = facts.places[i].module;
    if (op.source.empty()) op.source = facts.places[i].source;
    op.graph_op = facts.places[i].graph_op;
  }
  for (std::size_t i = 0; i < suspects.size(); ++i) tell(facts.causes[i], *suspects[i], report);
}

} // namespace model_validator::verify
