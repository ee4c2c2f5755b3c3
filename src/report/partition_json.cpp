#include "files/json_text.h"
#include "report/model_json.h"
#include "report/partition_report.h"
#include "text/places.h"

#include <ostream>

namespace model_validator {
namespace {

using partition::Plan;

class PartitionJson {
public:
  explicit PartitionJson(const PartitionReport& report)
      : graph_(report.graph), plan_(report.plan), report_(report),
        macs_known_(!plan_.multiply_accumulates.by_op.empty() ||
                    plan_.multiply_accumulates.unknown.empty()) {}

  Json make() const {
    Json json;
    json["schema"] = "model_validator-partition/1";
    json["path"] = graph_.origin.path;
    json["format"] = to_string(graph_.origin.format);
    json["targets"] = targets();
    json["smallest"] = report_.options.smallest;
    json["fewest"] = plan_.fewest;
    json["ops"] = plan_.op_count;
    json["multiply_accumulates"] = macs();
    json["partitions"] = partitions();
    json["obstacles"] = obstacles();
    json["held"] = held();
    json["gains"] = gains();
    json["emitted"] = emitted();
    return json;
  }

private:
  Json count(std::uint64_t number) const { return macs_known_ ? Json(number) : Json(); }

  Json macs() const {
    Json unknown = Json::array();
    for (const OpId op : plan_.multiply_accumulates.unknown) unknown.push_back(graph_.op(op).name);
    return {{"total", count(plan_.multiply_accumulates.total)}, {"unknown", unknown}};
  }

  Json targets() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < plan_.targets.size(); ++i) {
      const bool fallback = i + 1 == plan_.targets.size();
      const int opset = fallback ? 0 : report_.options.targets[i].opset;
      list.push_back({{"name", plan_.targets[i]},
                      {"opset", opset > 0 ? Json(opset) : Json()},
                      {"fallback", fallback},
                      {"verdicts", fallback ? Json() : to_json(plan_.verdicts.at(i))}});
    }
    return list;
  }

  Json names(const std::vector<OpId>& ops) const {
    Json list = Json::array();
    for (const OpId op : ops) list.push_back(graph_.op(op).name);
    return list;
  }

  Json partitions() const {
    Json list = Json::array();
    for (const auto& part : plan_.partitions)
      list.push_back({{"target", plan_.targets[part.target]},
                      {"op_count", part.op_count},
                      {"multiply_accumulates", count(part.multiply_accumulates)},
                      {"inputs", part.inputs},
                      {"outputs", part.outputs},
                      {"ops", names(part.ops)}});
    return list;
  }

  Json location(OpId op) const {
    const DiagnosticLocation where = location_of(graph_, graph_.op(op).frame, "call");
    if (!where.source.known()) return {};
    return {{"file", where.source.file},
            {"line", where.source.line},
            {"column", where.source.column},
            {"module", graph_.module_path(graph_.op(op).parent)}};
  }

  Json obstacles() const {
    Json list = Json::array();
    for (const auto& obstacle : plan_.obstacles) {
      Json ops = Json::array();
      for (const OpId op : obstacle.ops)
        ops.push_back({{"name", graph_.op(op).name}, {"location", location(op)}});
      list.push_back({{"operator", obstacle.name},
                      {"target", plan_.targets[obstacle.target]},
                      {"reason", obstacle.reason},
                      {"help", text_or_null(obstacle.help)},
                      {"ops", ops}});
    }
    return list;
  }

  Json held() const {
    Json list = Json::array();
    for (const auto& each : plan_.held_back)
      list.push_back(
          {{"op", graph_.op(each.op).name},
           {"target", plan_.targets[each.target]},
           {"because", each.because == none ? Json() : Json(graph_.op(each.because).name)}});
    return list;
  }

  Json gains() const {
    Json list = Json::array();
    for (const auto& gain : plan_.gains)
      list.push_back({{"operator", gain.name},
                      {"target", plan_.targets[gain.target]},
                      {"partitions", gain.partitions},
                      {"ops", gain.ops},
                      {"multiply_accumulates", count(gain.multiply_accumulates)}});
    return list;
  }

  Json emitted() const {
    if (report_.folder.empty()) return {};
    Json files = Json::array();
    for (const auto& subgraph : report_.subgraphs) files.push_back(subgraph.file);
    return {{"folder", report_.folder.string()}, {"files", files}};
  }

  const ConnectedGraph& graph_;
  const Plan& plan_;
  const PartitionReport& report_;
  bool macs_known_;
};

} // namespace

void write_partition_json(std::ostream& out, const PartitionReport& report) {
  out << json_text(PartitionJson(report).make(), 2) << "\n";
}

} // namespace model_validator
