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
    return {{"schema", "model_validator-partition/1"},
            {"path", graph_.origin.path},
            {"format", to_string(graph_.origin.format)},
            {"targets", targets()},
            {"smallest", report_.options.smallest},
            {"fewest", plan_.fewest},
            {"ops", plan_.op_count},
            {"multiply_accumulates", macs()},
            {"partitions", partitions()},
            {"obstacles", obstacles()},
            {"held", held()},
            {"gains", gains()},
            {"emitted", emitted()}};
  }

private:
  Json count(std::uint64_t number) const { return macs_known_ ? Json(number) : Json(); }

  Json macs() const {
    return {{"total", count(plan_.multiply_accumulates.total)},
            {"unknown", names(plan_.multiply_accumulates.unknown)}};
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
    return json_array(ops, [this](OpId op) { return graph_.op(op).name; });
  }

  Json partitions() const {
    return json_array(plan_.partitions, [this](const partition::Partition& part) {
      return Json{{"target", plan_.targets[part.target]},
                  {"op_count", part.op_count},
                  {"multiply_accumulates", count(part.multiply_accumulates)},
                  {"inputs", part.inputs},
                  {"outputs", part.outputs},
                  {"ops", names(part.ops)}};
    });
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
    const auto place = [this](OpId op) {
      return Json{{"name", graph_.op(op).name}, {"location", location(op)}};
    };
    return json_array(plan_.obstacles, [&](const partition::Obstacle& obstacle) {
      return Json{{"operator", obstacle.name},
                  {"target", plan_.targets[obstacle.target]},
                  {"reason", obstacle.reason},
                  {"help", text_or_null(obstacle.help)},
                  {"ops", json_array(obstacle.ops, place)}};
    });
  }

  Json held() const {
    return json_array(plan_.held_back, [this](const partition::HeldBack& each) {
      return Json{{"op", graph_.op(each.op).name},
                  {"target", plan_.targets[each.target]},
                  {"because", each.because == none ? Json() : Json(graph_.op(each.because).name)}};
    });
  }

  Json gains() const {
    return json_array(plan_.gains, [this](const partition::Gain& gain) {
      return Json{{"operator", gain.name},
                  {"target", plan_.targets[gain.target]},
                  {"partitions", gain.partitions},
                  {"ops", gain.ops},
                  {"multiply_accumulates", count(gain.multiply_accumulates)}};
    });
  }

  Json emitted() const {
    if (report_.folder.empty()) return {};
    return {{"folder", report_.folder.string()},
            {"files", json_array(report_.subgraphs, [](const auto& each) { return each.file; })}};
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
