#include "report/partition_report.h"
#include "text/columns.h"
#include "text/escape.h"
#include "text/lists.h"
#include "text/numbers.h"
#include "text/places.h"
#include "text/separators.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

namespace model_validator {
namespace {

using partition::Gain;
using partition::HeldBack;
using partition::Obstacle;
using partition::Partition;
using partition::Plan;

constexpr std::size_t shown_places = 3;

std::string counted(std::size_t number, const std::string& word) {
  return with_separators(number) + " " + word + (number == 1 ? "" : "s");
}

class PartitionText {
public:
  PartitionText(std::ostream& out, const PartitionReport& report, const Style& style)
      : out_(out), graph_(report.graph), plan_(report.plan), report_(report), style_(style),
        paint_(style.color), macs_known_(!plan_.multiply_accumulates.by_op.empty() ||
                                         plan_.multiply_accumulates.unknown.empty()) {}

  void write() {
    head();
    partitions();
    targets();
    macs();
    if (!plan_.obstacles.empty()) {
      title("what keeps ops from a target");
      for (const Obstacle& obstacle : plan_.obstacles) write(obstacle);
    }
    held();
    if (!plan_.gains.empty()) {
      title("what one more operator would gain");
      for (const Gain& gain : plan_.gains) write(gain);
    }
    if (!report_.folder.empty())
      out_ << "\nwrote " << counted(report_.subgraphs.size(), "subgraph")
           << " and manifest.json to " << escape(report_.folder.string()) << "\n";
  }

private:
  using Rows = std::vector<std::vector<std::string>>;

  void title(const std::string& words) { out_ << "\n" << paint_.bold(words) << "\n"; }

  void head() {
    out_ << escape(graph_.origin.path) << ": "
         << paint_.bold(counted(plan_.partitions.size(), "partition"));
    if (plan_.fewest && plan_.partitions.size() > 1) out_ << ", the fewest possible";
    out_ << "\n";
  }

  /// A share of all multiply-accumulates, next to the number.
  std::string share(std::uint64_t count) const {
    if (!macs_known_) return "?";
    const std::uint64_t total = plan_.multiply_accumulates.total;
    return total == 0 ? "0" : with_separators(count) + " (" + percent(count, total) + ")";
  }

  void table(const Rows& rows, const std::vector<bool>& right) {
    const auto lines = align_columns(rows, right);
    for (std::size_t i = 0; i < lines.size(); ++i)
      out_ << "  " << (i == 0 ? paint_.bold(lines[i]) : lines[i]) << "\n";
  }

  void partitions() {
    out_ << "\n";
    Rows rows{{"#", "target", "ops", "multiply-accumulates", "inputs", "outputs", "from", "to"}};
    for (std::size_t i = 0; i < plan_.partitions.size(); ++i) {
      const Partition& part = plan_.partitions[i];
      rows.push_back({std::to_string(i), escape(plan_.targets[part.target]),
                      with_separators(part.op_count), share(part.multiply_accumulates),
                      std::to_string(part.inputs.size()), std::to_string(part.outputs.size()),
                      part.ops.empty() ? "" : escape(graph_.op(part.ops.front()).name),
                      part.ops.empty() ? "" : escape(graph_.op(part.ops.back()).name)});
    }
    table(rows, {true, false, true, true, true, true, false, false});
  }

  void targets() {
    out_ << "\n";
    Rows rows{{"target", "partitions", "ops", "", "multiply-accumulates", "taken", "conditionally",
               "unknown", "refused"}};
    for (std::size_t target = 0; target < plan_.targets.size(); ++target) {
      std::size_t partitions = 0, ops = 0;
      std::uint64_t count = 0;
      for (const Partition& part : plan_.partitions)
        if (part.target == target) {
          ++partitions;
          ops += part.op_count;
          count += part.multiply_accumulates;
        }
      rows.push_back({escape(plan_.targets[target]), std::to_string(partitions),
                      with_separators(ops), percent(ops, plan_.op_count), share(count)});
      for (const std::string& cell : verdicts_on(target)) rows.back().push_back(cell);
    }
    table(rows, {false, true, true, true, true, true, true, true, true});
  }

  /// A count of all ops by the target's verdict; the fallback takes everything.
  std::vector<std::string> verdicts_on(std::size_t target) const {
    if (target >= plan_.verdicts.size()) return {"", "", "", ""};
    const VerdictCounts& counts = plan_.verdicts[target];
    return {with_separators(counts.taken), with_separators(counts.partly),
            with_separators(counts.unknown), with_separators(counts.wrong + counts.refused)};
  }

  /// That an input could be given which was not.
  bool lacks_inputs() const {
    return graph_.origin.format == FileFormat::torchscript &&
           std::ranges::any_of(graph_.inputs(), [&](OpId input) {
             const std::vector<TensorType>& given = graph_.op(input).outputs;
             return given.empty() || !given.front().shape;
           });
  }

  void macs() {
    const std::size_t unknown = plan_.multiply_accumulates.unknown.size();
    if (unknown == 0) return;
    out_ << "  the shapes of " << counted(unknown, "op") << " that multipl"
         << (unknown == 1 ? "ies" : "y") << " are not known"
         << (lacks_inputs() ? ": give them with --input" : "") << "\n";
  }

  void write(const Obstacle& obstacle) {
    out_ << "  `" << paint_.bold(escape(obstacle.name)) << "`, "
         << counted(obstacle.ops.size(), "op")
         << (obstacle.unknown ? ", is not placed on `" : ", is refused by `")
         << escape(plan_.targets[obstacle.target]) << "`: " << escape(obstacle.reason) << "\n";
    places(obstacle.ops);
    if (!obstacle.help.empty())
      out_ << "    " << paint_.cyan("help") << ": " << escape(obstacle.help) << "\n";
  }

  /// Lines of Python, each once, and how many more there are.
  void places(const std::vector<OpId>& ops) {
    std::set<std::string> seen;
    for (const OpId op : ops) {
      const DiagnosticLocation where = location_of(graph_, graph_.op(op).frame, "call");
      if (!where.source.known() || !seen.insert(place(where.source)).second) continue;
      if (seen.size() > shown_places && !style_.verbose) continue;
      out_ << "    --> " << escape(place(where.source)) << in_module(op) << "\n";
      code(where.source);
    }
    if (seen.size() > shown_places && !style_.verbose)
      out_ << "    and " << counted(seen.size() - shown_places, "more line") << " (-v shows all)\n";
    if (seen.empty()) out_ << "    " << names(ops) << "\n";
  }

  std::string in_module(OpId op) const {
    const std::string& module = graph_.module_path(graph_.op(op).parent);
    return module.empty() ? "" : " in `" + escape(module) + "`";
  }

  void code(const SourceLocation& source) {
    const std::string* line = graph_.source_line(source.file, source.line);
    if (line == nullptr) return;
    const auto begin = line->find_first_not_of(" \t");
    if (begin != std::string::npos) out_ << "        " << escape(line->substr(begin)) << "\n";
  }

  std::string names(const std::vector<OpId>& ops) const {
    std::vector<std::string> quoted;
    for (const OpId op : ops) quoted.push_back('`' + escape(graph_.op(op).name) + '`');
    return first_in_words(quoted, shown_places);
  }

  /// Ops that a target would take: together with what they share a cause with.
  void held() {
    std::map<std::pair<std::size_t, OpId>, std::vector<OpId>> causes;
    for (const HeldBack& each : plan_.held_back)
      causes[{each.target, each.because}].push_back(each.op);
    if (causes.empty()) return;
    title("what falls back although a target takes it");
    for (const auto& [cause, ops] : causes) {
      const auto& [target, because] = cause;
      out_ << "  " << counted(ops.size(), "op") << " that `" << escape(plan_.targets[target])
           << "` takes, " << names(ops) << ": ";
      if (because == none)
        out_ << "too few for a partition of their own\n";
      else
        out_ << (graph_.op(because).kind == OpKind::query ? "computed from `"
                                                          : "inseparable from `")
             << escape(graph_.op(because).name) << "`, which it refuses\n";
    }
  }

  void write(const Gain& gain) {
    out_ << "  `" << paint_.bold(escape(gain.name)) << "` on `"
         << escape(plan_.targets[gain.target]) << "`: " << counted(gain.partitions, "partition")
         << " in place of " << plan_.partitions.size() << ", " << counted(gain.ops, "op")
         << " on a better target";
    if (macs_known_ && plan_.multiply_accumulates.total > 0)
      out_ << ", " << percent(gain.multiply_accumulates, plan_.multiply_accumulates.total)
           << " of the multiply-accumulates";
    out_ << "\n";
  }

  std::ostream& out_;
  const ConnectedGraph& graph_;
  const Plan& plan_;
  const PartitionReport& report_;
  const Style& style_;
  Paint paint_;
  bool macs_known_;
};

} // namespace

void write_partition_text(std::ostream& out, const PartitionReport& report, const Style& style) {
  PartitionText(out, report, style).write();
}

} // namespace model_validator
