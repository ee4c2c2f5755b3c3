#pragma once

#include "support/zip_file.h"

#include <map>
#include <string>

namespace model_validator::test {

/// A TorchScript file put together from its pieces, good or bad.
struct ScriptFile {
  std::string code = "class Net(Module):\n"
                     "  __parameters__ = []\n"
                     "  __buffers__ = []\n"
                     "  training : bool\n"
                     "  def forward(self: __torch__.Net,\n"
                     "    x: Tensor) -> Tensor:\n"
                     "    return torch.relu(x)\n";
  std::string attributes = pickled_text("training") + "\x89"; ///< names and values, pickled
  std::string constants = "\x80\x02).";
  std::string version = "3\n";
  std::string data; ///< the whole `data.pkl`; an object of class Net when empty
  std::map<std::string, std::string> more;
  bool deflated = false;

  static std::string pickled_text(const std::string& text) {
    return "X" + std::string(1, static_cast<char>(text.size())) + std::string(3, '\0') + text;
  }
  /// A tensor of one dimension over the whole storage `key`.
  static std::string pickled_tensor(const std::string& key, int size,
                                    const std::string& device = "cpu") {
    const std::string count = "K" + std::string(1, static_cast<char>(size));
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + pickled_text("storage") +
           "ctorch\nFloatStorage\n" + pickled_text(key) + pickled_text(device) + count + "tQ" +
           "K" + std::string(1, '\0') + count + "\x85K\x01\x85\x89" +
           "ccollections\nOrderedDict\n)RtR";
  }

  /// A class with one tensor attribute `w`, which `forward` adds.
  static ScriptFile with_tensor(const std::string& pickled) {
    ScriptFile file;
    file.code = "class Net(Module):\n"
                "  __parameters__ = [\"w\", ]\n"
                "  __buffers__ = []\n"
                "  w : Tensor\n"
                "  training : bool\n"
                "  def forward(self: __torch__.Net,\n"
                "    x: Tensor) -> Tensor:\n"
                "    return torch.add(x, self.w)\n";
    file.attributes += pickled_text("w") + pickled;
    return file;
  }
  /// Code whose `forward` has this body, each line indented by four.
  static ScriptFile with_body(const std::string& body) {
    ScriptFile file;
    file.code.erase(file.code.find("    return"));
    file.code += body;
    return file;
  }

  std::string bytes() const {
    ZipFile zip;
    const auto add = [&](const std::string& name, const std::string& content) {
      zip.add({.name = "net/" + name,
               .data = content,
               .deflated = deflated,
               .claimed_size = {},
               .padding = 0});
    };
    add("data.pkl", data.empty() ? "\x80\x02"
                                   "c__torch__\nNet\n)\x81}(" +
                                       attributes + "ub."
                                 : data);
    add("code/__torch__.py", code);
    add("constants.pkl", constants);
    add("version", version);
    for (const auto& [name, content] : more) add(name, content);
    return zip.bytes();
  }
};

} // namespace model_validator::test
