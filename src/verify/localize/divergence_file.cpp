#include "verify/localize/localize.h"

#include <model_validator/error.h>

#include <nlohmann/json.hpp>

#include <fstream>
#include <limits>

namespace model_validator::verify {
namespace {

using Json = nlohmann::json;

/// JSON has no infinity; null stands for it.
double number(const Json& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::infinity();
}

Json to_json(const OpComparison& op) {
  Json json{{"op", op.op},
            {"type", op.type},
            {"module", op.module},
            {"source", op.source},
            {"candidate", op.candidate},
            {"error", op.error},
            {"tolerance", op.tolerance},
            {"first", op.first_divergent}};
  if (op.introduced) json["introduced"] = *op.introduced; // null where it is infinite
  if (op.sqnr) json["sqnr"] = *op.sqnr;
  if (op.introduced_sqnr) json["introduced_sqnr"] = *op.introduced_sqnr;
  return json;
}

OpComparison from_json(const Json& json) {
  OpComparison op;
  op.op = json["op"];
  op.type = json["type"];
  op.module = json["module"];
  op.source = json["source"];
  op.candidate = json["candidate"];
  op.error = number(json["error"]);
  op.tolerance = number(json["tolerance"]);
  op.first_divergent = json["first"];
  if (json.contains("introduced")) op.introduced = number(json["introduced"]);
  if (json.contains("sqnr")) op.sqnr = number(json["sqnr"]);
  if (json.contains("introduced_sqnr")) op.introduced_sqnr = number(json["introduced_sqnr"]);
  return op;
}

} // namespace

void write_divergence(const std::filesystem::path& file, const Divergence& divergence) {
  Json json{{"ops", Json::array()}, {"notes", divergence.notes}};
  for (const auto& op : divergence.ops) json["ops"].push_back(to_json(op));
  std::ofstream stream(file);
  stream << json.dump(-1, ' ', false, Json::error_handler_t::replace);
  stream.close();
  if (!stream)
    throw Error(ErrorKind::cannot_write, file.string(),
                "the results do not fit into the temporary folder",
                "set TMPDIR to a folder with more room");
}

Divergence read_divergence(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const auto json = Json::parse(stream);
  Divergence divergence;
  for (const auto& op : json["ops"]) divergence.ops.push_back(from_json(op));
  divergence.notes = json["notes"].get<std::vector<std::string>>();
  return divergence;
}

} // namespace model_validator::verify
