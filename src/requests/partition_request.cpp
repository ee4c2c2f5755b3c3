#include "lint/run_results.h"
#include "partition/subgraph_folder.h"
#include "report/graph_writer.h"
#include "report/page.h"
#include "report/partition_report.h"
#include "requests/model_request.h"

#include <model_validator/error.h>
#include <model_validator/partition/partitionable_model.h>

#include <algorithm>
#include <optional>

namespace model_validator {
namespace {

/// The fallback that takes nothing: an op that no target takes is a finding.
constexpr const char* no_fallback = "none";

/// The page: the plan, and the graph that it divides.
void write_page(std::ostream& out, const PartitionReport& report) {
  std::ostringstream plan, graph;
  write_partition_json(plan, report);
  write_graph_json(graph, report.graph);
  Page page(out);
  page.add("main", plan.str());
  page.add("graph", graph.str(), 0);
  page.finish();
}

/// How a model is divided among targets, as text.
class PartitionRequest final : public ModelRequest {
public:
  void describe(OptionVisitor& visitor, Asked asked) override {
    describe_division(visitor);
    visitor.group("Inputs, for multiply-accumulates");
    describe_shapes(visitor, open_.inputs);
    if (asked == Asked::by_call) return;
    visitor.group("Output");
    visitor.option(
        {"emit", "FOLDER", "write each partition to its own file, and a manifest, in a new folder"},
        folder_);
    visitor.option({"force", "", "replace an existing folder of subgraphs"}, force_);
  }

  bool writes() const override { return !folder_.empty(); }

  void prepare() override {
    load_targets();
    open_.read = read;
    open_.weights = writes();
    if (!writes()) return;
    subgraphs_.emplace(folder_, force_, stop);
    writable = subgraphs_->path();
  }

  std::vector<std::filesystem::path> beside() const override { return open_.inputs.files; }

  void run(Findings& found) const override {
    const auto model = partition::open_partitionable(models.front().path, open_);
    const auto plan = partition::make_plan(model->graph(), model->constraints(), plan_);
    PartitionReport report{model->graph(), plan_, plan, folder_, {}};
    if (writes()) report.subgraphs = partition::write_subgraphs(*model, plan, writable).subgraphs;
    if (format == "json")
      write_partition_json(found.output, report);
    else if (format == "html")
      write_page(found.output, report);
    else
      write_partition_text(found.output, report, style);
    const auto on_fallback = [&](const auto& part) {
      return part.target + 1 == plan.targets.size();
    };
    if (plan_.fallback == no_fallback && std::ranges::any_of(plan.partitions, on_fallback))
      found.status = static_cast<int>(Outcome::findings);
  }

  void finish() override {
    if (subgraphs_) subgraphs_->put_in_place();
  }

private:
  void describe_division(OptionVisitor& visitor) {
    visitor.group("Division");
    visitor.option(
        {"target", "NAME,...", "targets that ops can run on, preferred first; see `targets`"},
        targets_);
    visitor.option({"profile", "FILE", "a target profile of your own"}, profiles_);
    visitor.option({"fallback",
                    "FALLBACK",
                    "where ops that no target takes run: eager, ts, or none, which makes such an "
                    "op a finding",
                    {"eager", "ts", no_fallback}},
                   plan_.fallback);
    visitor.option({"smallest",
                    "N",
                    "a target's partition with fewer ops falls back",
                    {},
                    Bounds{1, 1'000'000}},
                   plan_.smallest);
    visitor.option({"gains",
                    "N",
                    "for how many operators to work out what supporting them would gain",
                    {},
                    Bounds{0, 1000}},
                   plan_.gains);
  }

  /// In the order in which they were named, those of a file after those by name.
  void load_targets() {
    const auto add = [this](TargetProfile target) {
      const auto same = [&](const TargetProfile& other) { return other.name == target.name; };
      if (std::ranges::any_of(plan_.targets, same))
        throw Error(ErrorKind::usage, "", "target `" + target.name + "` is named twice");
      plan_.targets.push_back(std::move(target));
    };
    for (const std::string& name : targets_) add(load_target(name));
    for (const auto& file : profiles_) add(load_target_profile(file));
    if (plan_.targets.empty())
      throw Error(ErrorKind::usage, "", "no target is named",
                  "name one with --target, which may be repeated, or --profile; "
                  "`model_validator targets` lists them");
  }

  std::vector<std::string> targets_; ///< the preferred one first
  std::vector<std::filesystem::path> profiles_;
  partition::Options plan_;
  partition::OpenOptions open_;
  std::filesystem::path folder_; ///< where the user wants the subgraphs; empty: nowhere
  bool force_ = false;
  std::optional<partition::NewSubgraphFolder> subgraphs_;
};

} // namespace

std::unique_ptr<ModelRequest> make_partition_request() {
  return std::make_unique<PartitionRequest>();
}

} // namespace model_validator
