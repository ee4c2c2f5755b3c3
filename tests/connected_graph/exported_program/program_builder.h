#pragma once

#include "connected_graph/exported_program/exported_program_reader.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zip.h>

namespace model_validator::testing {

using Json = nlohmann::json;

/// A zip of texts that is gone when the test is over.
class TemporaryZip {
public:
  explicit TemporaryZip(const std::map<std::string, std::string>& entries) {
    static int counter = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("model_validator_pt2_" + std::to_string(::getpid()) + "_" + std::to_string(counter++));
    zip_t* archive = zip_open(path_.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
    for (const auto& [name, text] : entries) {
      zip_source_t* source = zip_source_buffer(archive, text.data(), text.size(), 0);
      const auto index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
      zip_set_file_compression(archive, static_cast<zip_uint64_t>(index), ZIP_CM_STORE, 0);
    }
    if (zip_close(archive) != 0) throw std::runtime_error("zip not written");
  }
  ~TemporaryZip() { std::filesystem::remove(path_); }
  TemporaryZip(const TemporaryZip&) = delete;
  TemporaryZip& operator=(const TemporaryZip&) = delete;
  const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Writes an exported program node by node, as a test needs it.
class ProgramBuilder {
public:
  ProgramBuilder() {
    program = Json::parse(R"({
      "schema_version": {"major": 8, "minor": 20}, "torch_version": "2.13.0", "range_constraints": {},
      "graph_module": {"module_call_graph": [{"fqn": ""}],
        "signature": {"input_specs": [], "output_specs": []},
        "graph": {"inputs": [], "outputs": [], "nodes": [], "tensor_values": {}, "sym_int_values": {}}}})");
  }

  Json program;
  Json weights = Json::object();

  Json& graph() { return program["graph_module"]["graph"]; }
  Json& signature() { return program["graph_module"]["signature"]; }

  /// `self` first, as operators name their arguments.
  static std::string argument_name(std::size_t position) {
    return position == 0 ? "self" : "argument" + std::to_string(position);
  }
  static Json tensor(const std::string& name) { return {{"as_tensor", {{"name", name}}}}; }
  static Json meta(const std::vector<int>& sizes) {
    Json json = {{"dtype", 7}, {"sizes", Json::array()}};
    for (const int size : sizes) json["sizes"].push_back({{"as_int", size}});
    return json;
  }
  void value(const std::string& name) { graph()["tensor_values"][name] = meta({2, 4}); }

  void input(const std::string& name) {
    value(name);
    graph()["inputs"].push_back(tensor(name));
    signature()["input_specs"].push_back({{"user_input", {{"arg", tensor(name)}}}});
  }
  void output(const std::string& name) {
    graph()["outputs"].push_back(tensor(name));
    signature()["output_specs"].push_back({{"user_output", {{"arg", tensor(name)}}}});
  }
  void parameter(const std::string& path, const std::string& name, const std::string& stored) {
    value(name);
    graph()["inputs"].push_back(tensor(name));
    signature()["input_specs"].push_back(
        {{"parameter", {{"arg", {{"name", name}}}, {"parameter_name", path}}}});
    weights[path] = {{"path_name", stored}, {"is_param", true}, {"use_pickle", false}};
    const std::string module = path.substr(0, path.rfind('.'));
    program["graph_module"]["module_call_graph"].push_back({{"fqn", module}});
  }

  void buffer(const std::string& path, const std::string& name) {
    value(name);
    graph()["inputs"].push_back(tensor(name));
    signature()["input_specs"].push_back(
        {{"buffer", {{"arg", {{"name", name}}}, {"buffer_name", path}, {"persistent", true}}}});
    const std::string module = path.substr(0, path.rfind('.'));
    program["graph_module"]["module_call_graph"].push_back({{"fqn", module}});
  }
  /// A tensor that is an attribute of the model, and no buffer.
  void constant(const std::string& path, const std::string& name) {
    value(name);
    graph()["inputs"].push_back(tensor(name));
    signature()["input_specs"].push_back(
        {{"tensor_constant", {{"arg", {{"name", name}}}, {"tensor_constant_name", path}}}});
  }
  /// What the program leaves in a buffer.
  void leaves(const std::string& path, const std::string& value) {
    graph()["outputs"].push_back(tensor(value));
    signature()["output_specs"].push_back(
        {{"buffer_mutation", {{"arg", {{"name", value}}}, {"buffer_name", path}}}});
  }

  /// A node that is not in the graph yet.
  Json make(const std::string& target, const std::vector<std::string>& inputs,
            const std::string& output, const std::string& stack = {}) {
    Json node = {{"target", "torch.ops." + target},
                 {"name", output},
                 {"inputs", Json::array()},
                 {"outputs", {tensor(output)}},
                 {"metadata", {{"nn_module_stack", "L__self__,,net.Net" + stack}}}};
    for (const std::string& name : inputs)
      node["inputs"].push_back(
          {{"name", argument_name(node["inputs"].size())}, {"arg", tensor(name)}, {"kind", 1}});
    value(output);
    return node;
  }
  Json& node(const std::string& target, const std::vector<std::string>& inputs,
             const std::string& output, const std::string& stack = {}) {
    graph()["nodes"].push_back(make(target, inputs, output, stack));
    return graph()["nodes"].back();
  }
  /// A graph for an operator of a higher order, as an argument.
  static Json subgraph(const Json& node, const std::string& input, const std::string& result) {
    const Json inner = {{"inputs", {tensor(input)}},
                        {"outputs", {tensor(result)}},
                        {"nodes", {node}},
                        {"tensor_values", Json::object()}};
    return {{"name", ""}, {"arg", {{"as_graph", {{"name", "g"}, {"graph", inner}}}}}, {"kind", 1}};
  }

  std::map<std::string, std::string> entries() const {
    return {{"net/models/model.json", program.dump()},
            {"net/data/weights/model_weights_config.json", Json{{"config", weights}}.dump()}};
  }
  ConnectedGraph read() const {
    const TemporaryZip file(entries());
    return read_exported_program(file.path());
  }
};

} // namespace model_validator::testing
