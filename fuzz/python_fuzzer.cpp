// Python source, as a repository brings it with a model: the edits of fixes are made of it.
#include "fixes/plan.h"
#include "fuzzer.h"

#include <fstream>
#include <iterator>

namespace {

using namespace model_validator;
using fuzz::Choices;

std::string expression(Choices& choices, std::size_t depth);

std::string nested(Choices& choices, std::size_t depth) {
  const std::string inner = expression(choices, depth + 1);
  const std::string name = choices.name();
  switch (choices.below(8)) {
  case 0: return "torch.relu(" + inner + ")";
  case 1: return "self.act(" + inner + ", " + expression(choices, depth + 1) + ")";
  case 2: return '(' + inner + ')';
  case 3: return inner + " + " + expression(choices, depth + 1);
  case 4: return '[' + inner + " for " + name + " in " + inner + ']';
  case 5: return inner + ".relu_()";
  case 6: return "lambda " + name + ": " + inner;
  default: return name + '(' + name + '=' + inner + ')';
  }
}

std::string expression(Choices& choices, std::size_t depth) {
  constexpr std::size_t deepest = 6;
  if (depth < deepest && !choices.one_in(3)) return nested(choices, depth);
  const std::string around =
      choices.of<std::string>({"(", "f(", "-", "not ", "[", "x.", "{", "(\n"});
  const std::string end =
      choices.of<std::string>({"x", "1", "'''", "\"", "torch.relu(x)", "self.x"});
  const std::size_t times = choices.times(100'000, around.size() + 1);
  return fuzz::repeated(around, times) + end +
         (choices.one_in(2) ? fuzz::repeated(")", times) : "");
}

std::string statement(Choices& choices, const std::string& indent) {
  const std::string made = expression(choices, 0);
  switch (choices.below(8)) {
  case 0: return indent + "return " + made + '\n';
  case 1: return indent + "x += " + made + '\n';
  case 2: return indent + "self.act = nn.ReLU()\n";
  case 3:
    return indent + "for " + choices.name() + " in " + made + ":\n" + indent +
           "  x = self.act(x)\n";
  case 4: return indent + "if " + made + ":\n" + statement(choices, indent + "  ");
  case 5: return indent + "# mv: ignore[" + choices.name() + "]\n";
  case 6: return "from torch import nn, relu as " + choices.name() + '\n';
  default: return indent + choices.name() + " = " + made + '\n';
  }
}

std::string class_of(Choices& choices) {
  std::string text = "class " + choices.name() + '(' + choices.name() + ", nn.Module):\n";
  for (const char* method : {"__init__", "forward"}) {
    text += "  def " + std::string(method) + "(self, x):\n    super().__init__()\n";
    for (std::size_t left = choices.below(5); left > 0; --left) text += statement(choices, "    ");
  }
  return fuzz::repeated(text, 1 + choices.times(1000, text.size()));
}

/// One file, whatever its name.
class OneFile final : public fixes::SourceFiles {
public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  File find(const std::string& recorded) override { return {recorded, text_, {}}; }
  std::optional<std::string> read(const std::string&) override { return std::nullopt; }
  bool may_make(const std::string&) override { return true; }
  std::vector<std::string> all() override { return {}; }

private:
  std::string text_;
};

Diagnostic finding_at(Rewrite::Kind kind, int line) {
  Rewrite rewrite;
  rewrite.kind = kind;
  rewrite.operation = line % 2 == 0 ? "relu" : "add";
  rewrite.attribute = "relu";
  rewrite.expression = "nn.ReLU()";
  SourceCall call;
  call.place = {"net.py", line, line % 3 == 0 ? -1 : 4, 0};
  call.class_name = "net.x";
  call.attribute = "act";
  rewrite.calls = {call};
  rewrite.operand_made = {{"net.py", 4, 0, 0}};
  Diagnostic finding;
  finding.fix = Fix{Applicability::unsafe, "", {}, rewrite};
  return finding;
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  std::string text = "import torch\nfrom torch import nn\n";
  for (std::size_t left = 1 + choices.below(4); left > 0; --left)
    text += choices.one_in(4) ? statement(choices, "") : class_of(choices);
  return text;
}

bool fuzz::read_file(const std::filesystem::path& file) {
  constexpr int lines = 16;
  std::ifstream in(file, std::ios::binary);
  OneFile files({std::istreambuf_iterator<char>(in), {}});
  std::vector<Diagnostic> findings;
  for (const auto kind : {Rewrite::Kind::use_module, Rewrite::Kind::separate_calls,
                          Rewrite::Kind::separate_owners, Rewrite::Kind::make_buffer})
    for (int line = 1; line < lines; ++line) findings.push_back(finding_at(kind, line));
  std::vector<Diagnostic*> pointers;
  for (Diagnostic& finding : findings) pointers.push_back(&finding);
  return !fixes::plan_fixes(pointers, files, {}).empty();
}
