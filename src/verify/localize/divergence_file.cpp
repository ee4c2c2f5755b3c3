#include "files/parsed_json.h"
#include "files/regular_file.h"
#include "verify/localize/localize.h"

#include <model_validator/error.h>

#include <fstream>
#include <limits>

namespace model_validator::verify {
namespace {

using Json = ParsedJson;

constexpr std::uint64_t max_divergence_size = std::uint64_t{64} << 20;
constexpr int max_divergence_depth = 10;

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
  op.op = json.at("op");
  op.type = json.at("type");
  op.module = json.at("module");
  op.source = json.at("source");
  op.candidate = json.at("candidate");
  op.error = number(json.at("error"));
  op.tolerance = number(json.at("tolerance"));
  op.first_divergent = json.at("first");
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

/// Models ran in the process that wrote the file, and those of native code may have written it.
Divergence read_divergence(const std::filesystem::path& file) try {
  const auto json =
      parse_json(read_regular_file(file, max_divergence_size).bytes, max_divergence_depth);
  Divergence divergence;
  for (const auto& op : json.at("ops")) divergence.ops.push_back(from_json(op));
  divergence.notes = json.at("notes").get<std::vector<std::string>>();
  return divergence;
} catch (const Json::exception&) {
  throw Error(ErrorKind::run_failed, "",
              "the search for the first differing op ended without a result");
}

} // namespace model_validator::verify
