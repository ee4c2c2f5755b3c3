#include "verify/command/causes.h"

#include "introspection/folded_layer.h"
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
  std::string op, type; ///< of the reference, that the words are about, as runs call it
  OpFacts place = {};
};
template <class Archive> void describe(Archive& archive, CauseFacts& facts) {
  archive(facts.words, facts.op, facts.type, facts.place);
}

struct FileFacts {
  std::vector<OpFacts> places;
  std::vector<CauseFacts> causes;
  std::string weights;        ///< which differ
  std::string not_looked_for; ///< what was too large, in words
};
template <class Archive> void describe(Archive& archive, FileFacts& facts) {
  archive(facts.places, facts.causes, facts.weights, facts.not_looked_for);
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

/// What the run shows of values that an exporter may have worked out.
std::vector<LoadedTensor> worked_out(const std::vector<ConstantResult>& constants, OpId reader) {
  std::vector<LoadedTensor> tensors;
  for (const ConstantResult& constant : constants) {
    LoadedTensor tensor{{constant.op, "", false, {}}, {}, reader};
    tensor.numbers.values.assign(constant.values.begin(), constant.values.end());
    tensor.numbers.shape.assign(constant.shape.begin(), constant.shape.end());
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

CauseFacts facts_about(const OpCause& cause, const ConnectedGraph& graph, const Suspect& suspect,
                       const OpNames& names) {
  if (cause.op == none) return {cause.words, "", ""};
  const auto shown = std::ranges::find_if(
      suspect.region, [&](const std::string& name) { return names.find(name) == cause.op; });
  return {cause.words, shown == suspect.region.end() ? "" : *shown, graph.op(cause.op).type,
          facts_of(graph, cause.op)};
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
                          ops_named(suspect.candidate_region, others),
                          worked_out(suspect.constants, op));
    if (cause.words.empty())
      cause = {misfit_of_steps(candidate.graph, place, suspect.greatest), op};
    causes.push_back(facts_about(cause, reference.graph, suspect, own));
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

std::string too_large(const VerifyRequest& request) {
  return "how the files differ was not looked for: that takes more memory than " +
         (request.max_memory ? "`--max-memory` allows" : std::string("reading may take"));
}

/// What cannot be read here was run all the same: then nothing more is known of it.
FileFacts facts_of(const ComparedPair& pair, const std::vector<Suspect>& ops,
                   const std::vector<Suspect>& suspects, Weights weights) {
  std::vector<std::filesystem::path> files{pair.reference.path};
  if (pair.candidate) files.push_back(pair.candidate->path);
  FileFacts facts;
  try {
    facts = read_confined_value(
        files, pair.request, [&] { return read_facts(pair, ops, suspects, weights); },
        pair.request.max_memory);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    // The places are known where tensors take more memory than there is.
    if (!suspects.empty()) facts = facts_of(pair, ops, {}, weights);
    if (error.kind() == ErrorKind::out_of_memory) facts.not_looked_for = too_large(pair.request);
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
  return {op.op,       op.result, value_in(op.candidate),
          op.greatest, op.region, op.candidate_region,
          op.constants};
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

/// What the run knows stays.
void place(const OpFacts& facts, OpComparison& op) {
  if (op.module.empty()) op.module = facts.module;
  if (op.source.empty()) op.source = facts.source;
  op.graph_op = facts.graph_op;
}

/// Of several ops that the candidate computes as one, the one that the cause is about is named: in
/// the place of the first, where what it gives was not compared.
void tell(const CauseFacts& cause, OpComparison& suspect, VerifyReport& report) {
  suspect.cause = cause.words;
  if (cause.op.empty() || !suspect.first_divergent || cause.place.graph_op == suspect.graph_op)
    return;
  const auto other = std::ranges::find(report.ops, cause.op, &OpComparison::op);
  if (other == report.ops.end()) {
    suspect.op = cause.op;
    suspect.type = cause.type;
    suspect.module = suspect.source = "";
    place(cause.place, suspect);
    return;
  }
  other->candidate = suspect.candidate;
  other->introduced = suspect.introduced;
  std::swap(other->cause, suspect.cause);
  std::swap(other->first_divergent, suspect.first_divergent);
}

void note_facts(const FileFacts& facts, VerifyReport& report) {
  for (const std::string& words : {facts.weights, facts.not_looked_for})
    if (!words.empty()) report.notes.push_back(words);
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
  note_facts(facts, report);
  for (std::size_t i = 0; i < all.size(); ++i) place(facts.places[i], report.ops[i]);
  for (std::size_t i = 0; i < suspects.size(); ++i) tell(facts.causes[i], *suspects[i], report);
}

} // namespace model_validator::verify
