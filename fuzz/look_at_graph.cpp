#include "look_at_graph.h"

#include "guard.h"
#include "introspection/ir_text.h"
#include "introspection/multiply_accumulates.h"
#include "introspection/structure.h"
#include "introspection/weight_store.h"
#include "promises.h"
#include "report/graph_writer.h"
#include "report/partition_report.h"
#include "report/report_writer.h"
#include "text/escape.h"

#include <model_validator/lint.h>
#include <model_validator/registry.h>
#include <model_validator/target_profile.h>

#include <memory>
#include <sstream>

namespace fuzz {
namespace {

using namespace model_validator;

struct Checks {
  Registry registry = Registry::builtin();
  ModuleTables tables;
  std::vector<const Validator*> all;
  std::vector<RuleInfo> rules;
  std::vector<TargetProfile> targets;

  Checks() {
    for (const auto& check : registry.validators()) {
      all.push_back(check.get());
      rules.push_back(check->info());
    }
    for (const char* target : {"onnx", "onnxruntime", "aimet", "openvino"}) try {
        targets.push_back(load_target(target));
      } catch (const Error&) { // another installation has others
      }
  }
};

const Checks& checks() {
  static const Checks all;
  return all;
}

ModelReport report_of(const ConnectedGraph& graph) {
  Context context;
  context.tables = &checks().tables;
  for (const TargetProfile& target : checks().targets) context.targets.push_back(&target);
  ModelReport report = lint(graph, checks().all, context);
  for (const CheckResult& check : report.checks)
    if (check.status == CheckStatus::crashed) found(("the check " + check.name + " threw").c_str());
  report.path = "model";
  return report;
}

void write_reports(const ModelReport& report) {
  for (const std::string& format : output_formats()) {
    std::ostringstream out;
    Style style;
    style.verbose = true;
    const auto writer = make_report_writer(format, out, style, checks().rules);
    RunSummary summary;
    summary.add(report);
    writer->begin();
    writer->add(report);
    writer->end(summary);
    require_promises(format, out.str());
  }
}

void write_graph(const ConnectedGraph& graph, const ModelReport& report) {
  std::ostringstream json;
  write_graph_json(json, graph);
  require_promises("json", json.str());
  std::ostringstream dot;
  write_dot(dot, graph, report.findings);
  require_promises("dot", dot.str());
}

void divide(const ConnectedGraph& graph) {
  for (const TargetProfile& target : checks().targets) try {
      partition::Options options;
      options.targets = {target};
      const partition::Plan plan = partition::make_plan(graph, {}, options);
      const PartitionReport report{graph, options, plan, {}, {}};
      std::ostringstream text;
      write_partition_text(text, report, {});
      require_promises("full", text.str());
      std::ostringstream json;
      write_partition_json(json, report);
      require_promises("json", json.str());
    } catch (const Error&) { // not a target for files of this format, or nothing to compute
    }
}

} // namespace

void look_at(const ConnectedGraph& graph) {
  const ModelReport report = report_of(graph);
  write_reports(report);
  write_graph(graph, report);
  hash_structure(graph);
  std::string text;
  for (const std::string& line : ir_lines(graph, IrStyle::typed)) text += line + '\n';
  require_promises("full", escape_lines(text));
  count_multiply_accumulates(graph);
  divide(graph);
}

void look_at(const Error& error) {
  ModelReport report;
  report.path = "model";
  report.status = ModelStatus::error;
  report.error = error;
  write_reports(report);
}

void look_at_weights(const std::filesystem::path& file) {
  hash_weights(list_weights(file), 1);
  list_named_weights(file);
}

} // namespace fuzz
