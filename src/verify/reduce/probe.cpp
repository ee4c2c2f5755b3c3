#include "files/input_file.h"
#include "files/json_text.h"
#include "files/scratch_folder.h"
#include "introspection/digest.h"
#include "text/escape.h"
#include "text/lists.h"
#include "verify/reduce/answers.h"
#include "verify/reduce/runtime_words.h"
#include "verify/reduce/whole_failure.h"

#include <model_validator/error.h>
#include <model_validator/verify/probe.h>

#include <algorithm>
#include <map>

namespace model_validator::verify {
namespace {

/// Nodes that are one question.
struct NodeKind {
  std::string question;
  std::string type, attributes;
  std::string example; ///< the first such node
  std::size_t number = 0;
  std::size_t count = 0;
  std::optional<Attempt> answer;
};

void add_file(Digest& digest, const std::filesystem::path& path) {
  const InputFile file(path);
  std::vector<char> part(std::size_t{1} << 20);
  std::uint64_t offset = 0;
  while (const std::size_t count = file.read_at(offset, part.data(), part.size())) {
    digest.add(part.data(), count);
    offset += count;
  }
}

/// All that a model's answer depends on.
std::string whole_question(const VerifyRequest& request, const OnnxOutline& outline) {
  Digest model, inputs;
  add_file(model, request.reference);
  for (const std::string& name : outline.beside)
    add_file(model, request.reference.parent_path() / name);
  for (const auto& file : request.inputs.files)
    if (std::filesystem::is_regular_file(file)) add_file(inputs, file);
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
        question_(whole_question(request.verify, flow_.outline())) {}

  void run() {
    tell("asking for the whole model");
    whole_ = known_or(question_, [&] { return ask_whole(); });
    if (whole_.answer == Answer::ran && !all_) return;
    plan();
    for (std::size_t i = 0; i < kinds_.size(); ++i) {
      tell("node " + std::to_string(i + 1) + " of " + std::to_string(kinds_.size()) + ": " +
           kinds_[i].type);
      ask(kinds_[i]);
    }
  }

  bool is_right() const {
    return whole_.answer == Answer::ran && std::ranges::all_of(kinds_, [](const NodeKind& kind) {
             return kind.answer && kind.answer->answer == Answer::ran;
           });
  }
  std::string table() const;
  std::string as_json() const;

private:
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
    return runner_.backend == "command" ? runner_.command : runner_.backend;
  }

  void tell(const std::string& what) const {
    if (request_.progress) request_.progress(what);
  }

  Attempt ask_whole() const {
    const auto failure = failure_of_whole(request_);
    return failure ? Attempt{failure->answer, failure->message, {}} : Attempt{};
  }

  void plan();
  void plan_anew();
  void note(std::size_t number, const std::optional<NamedTensors>& given);
  ReferenceValues& values();
  void ask(NodeKind& kind);
  Attempt ask_node(const OnnxCut& cut) const;

  const VerifyRequest& request_;
  bool all_;
  AskedRuntime runner_;
  AnswerFolder answers_;
  std::string version_;
  OnnxFlow flow_;
  std::string question_;
  Attempt whole_;
  std::vector<NodeKind> kinds_;
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

/// Which nodes there are to ask for; kept, so that nothing runs where all was asked before.
void Prober::plan() {
  const Attempt planned = known_or("nodes of " + question_, [&] {
    plan_anew();
    Json rows = Json::array();
    for (const NodeKind& kind : kinds_) rows.push_back({kind.question, kind.number, kind.count});
    return Attempt{Answer::ran, json_text(rows), {}};
  });
  if (!kinds_.empty()) return;
  const Json rows = Json::parse(planned.message, nullptr, false);
  for (const Json& row : rows.is_array() ? rows : Json::array()) {
    if (!row.is_array() || row.size() != 3 || !row[0].is_string() || !row[1].is_number_unsigned() ||
        !row[2].is_number_unsigned() || row[1].get<std::size_t>() >= flow_.outline().nodes.size())
      continue;
    const OnnxNode& node = flow_.outline().nodes[row[1].get<std::size_t>()];
    kinds_.push_back({row[0].get<std::string>(), node.type, node.attributes, name_of(node),
                      row[1].get<std::size_t>(), row[2].get<std::size_t>(), std::nullopt});
  }
}

void Prober::plan_anew() {
  constexpr std::size_t at_once = 32;
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
    kinds_.push_back({text, node.type, node.attributes, name_of(node), number, 1, std::nullopt});
  else
    ++known->count;
}

void Prober::ask(NodeKind& kind) {
  const Question question{kind.question, asked_runtime(), version_};
  kind.answer = answers_.find(question);
  if (kind.answer) return;
  auto given = values().of(flow_.read_from_outside({kind.number}));
  if (!given) return; // another node is in the way
  OnnxCut cut{{kind.number}, flow_.outline().nodes[kind.number].yields, std::move(*given), {}};
  kind.answer = kept(question, ask_node(cut));
  values().forget_if_large();
}

Attempt Prober::ask_node(const OnnxCut& cut) const {
  const ScratchFolder folder;
  const auto file = folder.path() / "node.onnx";
  if (!write_cut(request_, request_.reference, cut, file))
    return {Answer::refused, "the node cannot be made a model of its own", {}};
  Attempt attempt = try_model(request_, runner_, file, cut.inputs);
  attempt.outputs.clear();
  if (attempt.answer != Answer::ran) return attempt;
  const Attempt compared = compare_models(request_, file, "", cut.inputs);
  return compared.answer == Answer::differs ? compared : attempt;
}

std::string verdict_in_words(Answer answer) {
  return answer == Answer::ran ? "loads, runs and gives what the reference gives"
                               : to_string(answer);
}

std::string Prober::table() const {
  const std::string runtime = escape(runtime_in_words(runner_, version_));
  std::string text = escape(request_.reference.string()) + ": " + verdict_in_words(whole_.answer) +
                     ", asked here: " + runtime + "\n";
  if (!whole_.message.empty()) text += "  " + in_one_line(whole_.message) + "\n";
  std::size_t right = 0, right_kinds = 0;
  for (const NodeKind& kind : kinds_) {
    const Answer answer = kind.answer ? kind.answer->answer : Answer::ran;
    if (kind.answer && answer == Answer::ran) {
      right += kind.count;
      ++right_kinds;
      continue;
    }
    const std::string settings = kind.attributes.empty() ? "" : " [" + kind.attributes + "]";
    text += "\n  " + std::string(kind.answer ? to_string(answer) : "not asked") + ": " +
            std::to_string(kind.count) + " × `" + escape(kind.type + settings) + "`, as `" +
            escape(kind.example) + "`\n    " +
            (kind.answer ? in_one_line(kind.answer->message)
                         : "what it is given cannot be computed: another node is in the way") +
            "\n";
  }
  if (!kinds_.empty())
    text += "\n  " + std::to_string(right) + " nodes of " + std::to_string(right_kinds) +
            " kinds load, run and give what the reference gives, each by itself\n";
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
                     {"nodes", kind.count},
                     {"example", kind.example},
                     {"answer", kind.answer ? Json(to_string(kind.answer->answer)) : Json()},
                     {"message", kind.answer ? kind.answer->message : ""}});
  return json_text({{"schema", "model_validator-probe/1"},
                    {"model", request_.reference.string()},
                    {"runtime", asked_runtime()},
                    {"version", version_},
                    {"answer", to_string(whole_.answer)},
                    {"message", whole_.message},
                    {"nodes", nodes}},
                   2) +
         "\n";
}

} // namespace

ProbeResult run_probe(const ProbeRequest& given) {
  ProbeRequest request = given;
  constexpr std::chrono::seconds usual_limit{60};
  if (!request.verify.timeout) request.verify.timeout = usual_limit;
  require_onnx(request.verify);
  Prober prober(request);
  prober.run();
  return {prober.is_right(), request.output_format == "json" ? prober.as_json() : prober.table()};
}

} // namespace model_validator::verify
