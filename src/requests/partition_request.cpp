#include "requests/partition_request.h"

#include "lint/run_results.h"
#include "partition/subgraph_folder.h"
#include "report/graph_writer.h"
#include "report/page.h"
#include "report/partition_report.h"

#include <model_validator/error.h>

#include <algorithm>

namespace model_validator {
namespace {

/// Targets in the order in which they were named, those of a file after those by name.
std::vector<TargetProfile> load_targets(const PartitionRequest& request) {
  std::vector<TargetProfile> targets;
  const auto add = [&targets](TargetProfile target) {
    const auto same = [&](const TargetProfile& other) { return other.name == target.name; };
    if (std::ranges::any_of(targets, same))
      throw Error(ErrorKind::usage, "", "target `" + target.name + "` is named twice");
    targets.push_back(std::move(target));
  };
  for (const std::string& name : request.targets) add(load_target(name));
  for (const auto& file : request.profiles) add(load_target_profile(file));
  if (targets.empty())
    throw Error(ErrorKind::usage, "", "no target is named",
                "name one with --target, which may be repeated, or --profile; "
                "`model_validator targets` lists them");
  return targets;
}

bool any_on_fallback(const partition::Plan& plan) {
  return std::ranges::any_of(
      plan.partitions, [&](const auto& part) { return part.target + 1 == plan.targets.size(); });
}

std::unique_ptr<partition::PartitionableModel> open_model(const std::filesystem::path& file,
                                                          const PartitionRequest& request) {
  partition::OpenOptions open = request.open;
  open.weights = !request.folder.empty();
  return partition::open_partitionable(file, open);
}

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

} // namespace

partition::Options plan_options_of(const PartitionRequest& request) {
  partition::Options options = request.plan;
  options.targets = load_targets(request);
  return options;
}

void describe_partition(const std::filesystem::path& file, const PartitionRequest& request,
                        const partition::Options& options, const std::filesystem::path& subgraphs,
                        Findings& found) {
  const auto model = open_model(file, request);
  const auto plan = partition::make_plan(model->graph(), model->constraints(), options);
  PartitionReport report{model->graph(), options, plan, request.folder, {}};
  if (!subgraphs.empty())
    report.subgraphs = partition::write_subgraphs(*model, plan, subgraphs).subgraphs;
  if (request.format == "json")
    write_partition_json(found.output, report);
  else if (request.format == "html")
    write_page(found.output, report);
  else
    write_partition_text(found.output, report, request.style);
  if (options.fallback == no_fallback && any_on_fallback(plan))
    found.status = static_cast<int>(Outcome::findings);
}

} // namespace model_validator
