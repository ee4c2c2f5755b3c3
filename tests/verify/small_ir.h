#pragma once

#include "support/temporary_folder.h"

#include <filesystem>
#include <string>
#include <vector>

namespace model_validator::test {

/// An OpenVINO model, layer by layer: each reads the layers that are named.
class SmallIr {
public:
  SmallIr& layer(const std::string& name, const std::string& type, const std::string& data,
                 const std::string& precision, const std::vector<std::string>& inputs = {}) {
    const std::string id = std::to_string(names_.size());
    layers_ += "<layer id=\"" + id + "\" name=\"" + name + "\" type=\"" + type + "\"><data " +
               data + "/><output><port id=\"9\" precision=\"" + precision + "\" names=\"" + name +
               "_value\"/></output></layer>";
    for (std::size_t i = 0; i < inputs.size(); ++i)
      edges_ += "<edge from-layer=\"" + std::to_string(number_of(inputs[i])) +
                "\" from-port=\"9\" to-layer=\"" + id + "\" to-port=\"" + std::to_string(i) +
                "\"/>";
    names_.push_back(name);
    return *this;
  }
  SmallIr& constant(const std::string& name, const std::string& type, const std::string& shape,
                    const std::string& bytes) {
    const std::string data = "element_type=\"" + type + "\" shape=\"" + shape + "\" offset=\"" +
                             std::to_string(weights_.size()) + "\" size=\"" +
                             std::to_string(bytes.size()) + "\"";
    weights_ += bytes;
    return layer(name, "Const", data, type == "f16" ? "FP16" : type == "f32" ? "FP32" : "I8");
  }
  SmallIr& number(const std::string& name, float value) {
    return constant(name, "f32", "",
                    std::string(reinterpret_cast<const char*>(&value), sizeof value));
  }
  /// What `x` gives, rounded to so many steps from −1 to 3.
  SmallIr& rounded(const std::string& name, const std::string& x, int levels) {
    number(name + "low", -1).number(name + "high", 3);
    return layer(name, "FakeQuantize", "levels=\"" + std::to_string(levels) + "\"", "FP32",
                 {x, name + "low", name + "high", name + "low", name + "high"});
  }
  /// A matrix in few bits, with a scale for each row or group.
  SmallIr& few_bits(const std::string& name, const std::string& type, const std::string& shape,
                    const std::string& scales, bool shifted) {
    constant(name, type, shape, std::string(64, '\0'));
    layer(name + "_wide", "Convert", "destination_type=\"f32\"", "FP32", {name});
    std::string last = name + "_wide";
    if (shifted) {
      number(name + "_zero", 1);
      last = layer(name + "_shifted", "Subtract", "a=\"b\"", "FP32", {last, name + "_zero"}).last();
    }
    constant(name + "_scale", "f32", scales, std::string(64, '\0'));
    return layer(name + "_scaled", "Multiply", "a=\"b\"", "FP32", {last, name + "_scale"});
  }
  SmallIr& input() { return layer("x", "Parameter", "shape=\"?,4\" element_type=\"f32\"", "FP32"); }
  const std::string& last() const { return names_.back(); }

  std::filesystem::path write() const {
    folder_.write("m.bin", weights_);
    return folder_.write("m.xml", "<net version=\"11\"><layers>" + layers_ + "</layers><edges>" +
                                      edges_ + "</edges></net>");
  }

private:
  std::size_t number_of(const std::string& name) const {
    std::size_t at = 0;
    while (names_.at(at) != name) ++at;
    return at;
  }
  TemporaryFolder folder_;
  std::string layers_, edges_, weights_;
  std::vector<std::string> names_;
};

} // namespace model_validator::test
