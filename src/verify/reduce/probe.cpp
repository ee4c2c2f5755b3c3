#include "files/input_file.h"
#include "files/json_text.h"
#include "files/scratch_folder.h"
#include "introspection/digest.h"
#include "text/escape.h"
#include "text/lists.h"
#include "text/process_words.h"
#include "verify/backends/backend_name.h"
#include "verify/reduce/answers.h"
#include "verify/reduce/runtimes.h"
#include "verify/reduce/whole_failure.h"

#include <model_validator/error.h>
#include <model_validator/verify/probe.h>

#include <algorithm>
#include <thread>

namespace model_validator::verify {
namespace {

constexpr std::chrono::milliseconds usual_limit{60000};

/// Nodes that are one question.
struct NodeKind {
  std::string question;
  std::string type, attributes;
  std::vector<std::size_t> nodes; ///< such nodes, by their numbers
  std::optional<Attempt> answer;
};

/// All that a model's answer depends on.
std::string whole_question(const VerifyRequest& request, const OnnxOutline& outline) {
  Digest model, inputs;
  model.add(InputFile(request.reference));
  for (const std::string& name : outline.beside)
    model.add(InputFile(request.reference.parent_path() / name));
  for (const auto& file : request.inputs.files)
    if (std::filesystem::is_regular_file(file)) inputs.add(InputFile(file));
  for (const auto* words : {&request.inputs.specs, &request.inputs.sizes})
    inputs.add(joined(*words, " ") + "\n");
  inputs.add(std::to_string(request.inputs.seed) + " " + std::to_string(request.inputs.samples));
  return json_text({{"model", model.text()}, {"inputs", inputs.text()}});
}

std::string in_words(const Tensor& tensor) {
  return std::string(to_string(tensor.view.dtype)) + " " + to_string(tensor.view.shape);
}

class Prober {
public:
  explicit Prober(const ProbeRequest& request)
      : request_(request.verify), all_(request.all), runner_(runner_of(request.verify)),
        answers_(request.answers.empty() ? usual_answers_folder() : request.answers),
        version_(version_of(request.verify, runner_)),
        flow_(flow_of(request.verify, request.verify.reference)),
        question_(whole_question(request.verify, flow_.outline())), jobs_(request.jobs),
        of_a_job_(request.verify) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    if (jobs_ == 0) jobs_ = cores;
    if (of_a_job_.threads == 0)
      of_a_job_.threads = std::max(1U, cores / static_cast<unsigned>(jobs_));
  }

  void run() {
    tell("asking for the whole model");
    whole_ = known_or(question_, [&] { return ask_whole(); });
    try {
      ask_for_places();
      if (whole_.answer == Answer::ran && !all_) return;
      plan();
      ask_for_nodes();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::interrupted) throw;
      is_interrupted_ = true;
    }
  }

  bool is_right() const {
    return whole_.answer == Answer::ran && std::ranges::all_of(kinds_, [](const NodeKind& kind) {
             return kind.answer && kind.answer->answer == Answer::ran;
           });
  }
  ProbeResult result(const std::string& format) const;

private:
  std::string places_in_words() const;
  std::string table() const;
  std::string as_json() const;
  std::string right_in_words() const;
  std::vector<std::string> names_of(const NodeKind& kind) const;

  template <class Ask> Attempt known_or(const std::string& text, const Ask& ask) const {
    const Question question{text, asked_runtime(), version_};
    if (auto known = answers_.find(question)) return *known;
    return kept(question, ask());
  }
  /// As it will be read, so that the next run prints the same.
  Attempt kept(const Question& question, const Attempt& attempt) const {
    answers_.keep(question, attempt);
    return answers_.find(question).value_or(attempt);
  }
  std::string asked_runtime() const {
    const std::string limit =
        request_.timeout == usual_limit ? "" : ", within " + seconds_in_words(*request_.timeout);
    if (runner_.backend == "command") return runner_.command + limit;
    return runner_.backend + (runner_.optimise ? "" : " without optimisations") + limit;
  }

  void tell(const std::string& what) const {
    if (request_.progress) request_.progress(what);
  }

  Attempt ask_whole() const {
    const auto failure = failure_of_whole(request_);
    if (!failure) return {};
    const bool fits =
        failure->answer != Answer::failed ||
        run_by_reference(request_, failure->model, failure->inputs).run.answer == Answer::ran;
    return {
        failure->answer,
        failure->message +
            (fits ? ""
                  : " (nor does the reference run with these inputs: give others with `--inputs`)"),
        {}};
  }

  void ask_for_places();
  void plan();
  void plan_anew();
  void note(std::size_t number, const std::optional<NamedTensors>& given);
  ReferenceValues& values();
  void ask_for_nodes();
  std::size_t ask_some(std::vector<NodeKind*> kinds);
  void note_answer(NodeKind& kind, const std::filesystem::path& file, const NamedTensors& inputs,
                   const std::optional<NamedTensors>& expected, Attempt attempt) const;

  const VerifyRequest& request_;
  bool all_;
  AskedRuntime runner_;
  AnswerFolder answers_;
  std::string version_;
  OnnxFlow flow_;
  std::string question_;
  Attempt whole_;
  std::optional<Attempt> places_; ///< where each node runs, where there is a choice
  std::vector<NodeKind> kinds_;
  bool is_interrupted_ = false;
  std::size_t jobs_;
  VerifyRequest of_a_job_;         ///< which has its share of the cores
  std::optional<Subject> subject_; ///< once something is to be computed
  std::optional<ReferenceValues> values_;
};

ReferenceValues& Prober::values() {
  if (!values_) {
    subject_ = Subject{request_.reference, flow_, sample_that_runs(request_)};
    values_.emplace(request_, *subject_, runner_);
  }
  return *values_;
}

/// Nothing where it runs on the CPU alone, or there is no Python that could tell.
void Prober::ask_for_places() {
  const std::string provider = provider_of_backend(runner_.backend);
  const bool chooses = name_of_backend(runner_.backend) == "onnxruntime" && !provider.empty() &&
                       provider != "CPUExecutionProvider";
  if (!chooses || whole_.answer == Answer::refused) return;
  tell("asking where each node runs");
  places_ = known_or("places of " + question_, [&]() -> Attempt {
    const AskedRuntime asked{"onnxruntime-places:" + provider, "", true};
    try {
      return try_model(request_, asked, request_.reference, {});
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::backend_missing) throw;
      return {Answer::refused, error.what(), {}};
    }
  });
}

/// Which nodes there are to ask for; kept, so that nothing runs where all was asked before.
void Prober::plan() {
  const Attempt planned = known_or("nodes of " + question_, [&] {
    plan_anew();
    Json rows = Json::array();
    for (const NodeKind& kind : kinds_) rows.push_back({kind.question, kind.nodes});
    return Attempt{Answer::ran, json_text(rows), {}};
  });
  if (!kinds_.empty()) return;
  const Json rows = Json::parse(planned.message, nullptr, false);
  const auto& nodes = flow_.outline().nodes;
  const auto is_number = [&](const Json& item) {
    return item.is_number_unsigned() && item.get<std::size_t>() < nodes.size();
  };
  for (const Json& row : rows.is_array() ? rows : Json::array()) {
    if (!row.is_array() || row.size() != 2 || !row[0].is_string() || !row[1].is_array() ||
        row[1].empty() || !std::ranges::all_of(row[1], is_number))
      continue;
    auto numbers = row[1].get<std::vector<std::size_t>>();
    const OnnxNode& node = nodes[numbers.front()];
    kinds_.push_back(
        {row[0].get<std::string>(), node.type, node.attributes, std::move(numbers), std::nullopt});
  }
}

void Prober::plan_anew() {
  constexpr std::size_t at_once = 128;
  const auto& nodes = flow_.outline().nodes;
  for (std::size_t first = 0; first < nodes.size(); first += at_once) {
    tell("looking at node " + std::to_string(first + 1) + " of " + std::to_string(nodes.size()));
    const std::size_t end = std::min(nodes.size(), first + at_once);
    std::vector<std::size_t> some;
    std::vector<std::string> names;
    for (std::size_t i = first; i < end; ++i) {
      some.push_back(i);
      for (const std::string& name : flow_.read_from_outside({i}))
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    values().of(names); // together, else one by one
    for (const std::size_t number : some)
      note(number, values().of(flow_.read_from_outside({number})));
    values().forget_if_large();
  }
}

void Prober::note(std::size_t number, const std::optional<NamedTensors>& given) {
  const OnnxNode& node = flow_.outline().nodes[number];
  std::string text = node.identity;
  for (const OnnxOperand& operand : node.operands) {
    std::string words = operand.value.empty() ? "left out" : operand.stored;
    if (words.empty() && given) {
      const auto found = std::ranges::find(*given, operand.value, &NamedTensor::name);
      words = "given " + (found == given->end() ? "" : in_words(found->tensor));
    }
    text += "; " + words;
  }
  const auto known = std::ranges::find(kinds_, text, &NodeKind::question);
  if (known == kinds_.end())
    kinds_.push_back({text, node.type, node.attributes, {number}, std::nullopt});
  else
    known->nodes.push_back(number);
}

void Prober::ask_for_nodes() {
  std::vector<NodeKind*> open;
  for (NodeKind& kind : kinds_) {
    kind.answer = answers_.find({kind.question, asked_runtime(), version_});
    if (!kind.answer) open.push_back(&kind);
  }
  for (std::size_t done = 0; done < open.size();) {
    tell("node " + std::to_string(done + 1) + " of " + std::to_string(open.size()) + ": " +
         open[done]->type);
    // What a process that is interrupted found is lost. A program starts anew each time.
    const std::size_t of_a_process = runner_.backend == "command" ? 1 : 8;
    const std::size_t count = std::min(open.size() - done, of_a_process * jobs_);
    const auto first = open.begin() + static_cast<std::ptrdiff_t>(done);
    done += ask_some({first, first + static_cast<std::ptrdiff_t>(count)});
  }
}

/// Fewer of them, where what they are given is much. @returns how many
std::size_t Prober::ask_some(std::vector<NodeKind*> kinds) {
  constexpr std::uint64_t enough_bytes = std::uint64_t{256} << 20;
  const ScratchFolder folder;
  std::vector<OnnxCut> cuts;
  std::vector<std::filesystem::path> files;
  std::vector<std::optional<NamedTensors>> expected;
  std::vector<NodeKind*> asked;
  std::uint64_t bytes = 0;
  std::size_t seen = 0;
  for (; seen < kinds.size() && bytes < enough_bytes; ++seen) {
    const std::size_t number = kinds[seen]->nodes.front();
    auto given = values().of(flow_.read_from_outside({number}));
    if (!given) continue; // another node is in the way
    const auto& yields = flow_.outline().nodes[number].yields;
    for (const NamedTensor& value : *given) bytes += byte_count(value.tensor.view);
    expected.push_back(values().of(yields));
    cuts.push_back({{number}, yields, std::move(*given), {}});
    if (expected.back()) cuts.back().examples = *expected.back();
    files.push_back(folder.path() / (std::to_string(number) + ".onnx"));
    asked.push_back(kinds[seen]);
  }
  write_cuts(request_, request_.reference, cuts, files);
  std::vector<ModelToTry> models;
  for (std::size_t i = 0; i < cuts.size(); ++i) models.push_back({files[i], cuts[i].inputs});
  auto attempts = try_models(of_a_job_, runner_, models, jobs_);
  for (std::size_t i = 0; i < asked.size(); ++i)
    note_answer(*asked[i], files[i], cuts[i].inputs, expected[i], std::move(attempts[i]));
  values().forget_if_large();
  return seen;
}

void Prober::note_answer(NodeKind& kind, const std::filesystem::path& file,
                         const NamedTensors& inputs, const std::optional<NamedTensors>& expected,
                         Attempt attempt) const {
  const bool is_to_be_compared = attempt.answer == Answer::ran && !only_loads(runner_) &&
                                 !(expected && are_as_good_as_equal(*expected, attempt.outputs));
  attempt.outputs.clear();
  if (is_to_be_compared) {
    Attempt compared = compare_models(request_, file, "", inputs);
    if (compared.answer == Answer::differs) attempt = std::move(compared);
  }
  kind.answer = kept({kind.question, asked_runtime(), version_}, attempt);
}

std::string Prober::right_in_words() const {
  return only_loads(runner_) ? "loads" : "loads, runs and gives what the reference gives";
}

std::vector<std::string> Prober::names_of(const NodeKind& kind) const {
  std::vector<std::string> names;
  for (const std::size_t number : kind.nodes)
    names.push_back(name_of(flow_.outline().nodes[number]));
  return names;
}

std::string Prober::places_in_words() const {
  if (!places_) return "";
  if (places_->answer != Answer::ran)
    return "  where each node runs is not known: " + in_one_line(places_->message) + "\n";
  return "  " + in_words(placed_nodes(places_->message), provider_of_backend(runner_.backend)) +
         "\n";
}

std::string Prober::table() const {
  const std::string runtime = escape(runtime_in_words(runner_, version_));
  std::string text =
      escape(request_.reference.string()) + ": " +
      (whole_.answer == Answer::ran ? right_in_words() : std::string(to_string(whole_.answer))) +
      ", asked here: " + runtime + "\n";
  if (!whole_.message.empty()) text += "  " + in_one_line(whole_.message) + "\n";
  text += places_in_words();
  std::size_t right = 0, right_kinds = 0;
  for (const NodeKind& kind : kinds_) {
    if (kind.answer && kind.answer->answer == Answer::ran) {
      right += kind.nodes.size();
      ++right_kinds;
      continue;
    }
    const std::string settings = kind.attributes.empty() ? "" : " [" + kind.attributes + "]";
    const std::string unknown = is_interrupted_
                                    ? "it was interrupted before"
                                    : "what it is given cannot be computed: another node is in "
                                      "the way";
    text += "\n  " + std::string(kind.answer ? to_string(kind.answer->answer) : "not asked") +
            ": " + std::to_string(kind.nodes.size()) + " × `" + escape(kind.type + settings) +
            "`, as `" + escape(names_of(kind).front()) + "`\n    " +
            (kind.answer ? in_one_line(kind.answer->message) : unknown) + "\n";
  }
  if (!kinds_.empty())
    text += "\n  " + std::to_string(right) + " nodes of " + std::to_string(right_kinds) +
            " kinds, each by itself: " + right_in_words() + "\n";
  else if (whole_.answer == Answer::ran)
    text += "  its nodes were not asked one by one: `--all` does\n";
  if (whole_.answer != Answer::ran) text += "  `model_validator reduce` makes a bug report of it\n";
  return text;
}

std::string Prober::as_json() const {
  Json nodes = Json::array();
  for (const NodeKind& kind : kinds_)
    nodes.push_back({{"operator", kind.type},
                     {"attributes", kind.attributes},
                     {"nodes", kind.nodes.size()},
                     {"example", names_of(kind).front()},
                     {"answer", kind.answer ? Json(to_string(kind.answer->answer)) : Json()},
                     {"message", kind.answer ? kind.answer->message : ""}});
  Json places = Json::array();
  for (const PlacedNode& node : placed_nodes(places_ ? places_->message : ""))
    places.push_back({{"provider", node.provider}, {"operator", node.type}, {"node", node.name}});
  return json_text({{"schema", "model_validator-probe/1"},
                    {"model", request_.reference.string()},
                    {"runtime", asked_runtime()},
                    {"version", version_},
                    {"answer", to_string(whole_.answer)},
                    {"message", whole_.message},
                    {"places", places},
                    {"nodes", nodes}},
                   2) +
         "\n";
}

ProbeResult Prober::result(const std::string& format) const {
  ProbeResult result{is_right(),
                     is_interrupted_,
                     format == "json" ? as_json() : table(),
                     runtime_in_words(runner_, version_),
                     to_string(whole_.answer),
                     whole_.message};
  for (const NodeKind& kind : kinds_) {
    ProbedNodes probed{kind.type, kind.attributes, "", "", names_of(kind), {}};
    if (kind.answer) probed.answer = to_string(kind.answer->answer);
    if (kind.answer) probed.message = kind.answer->message;
    for (const std::size_t number : kind.nodes)
      probed.yields.push_back(flow_.outline().nodes[number].yields.front());
    result.nodes.push_back(std::move(probed));
  }
  return result;
}

} // namespace

std::string backend_for_target(std::string_view target) {
  const RuntimeKind* kind = kind_for_target(target);
  return kind == nullptr ? "" : std::string(kind->name);
}

ProbeResult run_probe(const ProbeRequest& given) {
  ProbeRequest request = given;
  if (!request.verify.timeout) request.verify.timeout = usual_limit;
  require_onnx(request.verify);
  Prober prober(request);
  prober.run();
  return prober.result(request.output_format);
}

} // namespace model_validator::verify
