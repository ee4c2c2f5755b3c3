// Python source, as a repository brings it with a model: the edits of fixes are made of it.
#include "fixes/plan.h"
#include "fixes/python/python_tree.h"
#include "fuzzer.h"
#include "guard.h"

#include <fstream>
#include <iterator>
#include <sstream>

namespace {

using namespace model_validator;
using fuzz::Choices;

/// An operation as Python may write it, and what a model calls it.
struct Written {
  std::string_view before;
  std::string_view after;
  Rewrite::Kind kind;
  const char* operation;
};

constexpr Written operations[] = {
    {"F.relu(", ")", Rewrite::Kind::use_module, "relu"},
    {"F.softmax(", ", dim=1)", Rewrite::Kind::use_module, "softmax"},
    {"F.dropout(", ", 0.1, self.training)", Rewrite::Kind::use_module, "dropout"},
    {"F.interpolate(", ", scale_factor=2.0, mode='nearest')", Rewrite::Kind::use_module,
     "upsample_nearest2d"},
    {"torch.cat([", ", y], 1)", Rewrite::Kind::use_module, "cat"},
    {"torch.matmul(", ", y)", Rewrite::Kind::use_module, "matmul"},
    {"1 + ", "", Rewrite::Kind::use_module, "add"},
    {"y * ", "", Rewrite::Kind::use_module, "mul"},
    {"-", "", Rewrite::Kind::use_module, "neg"},
    {"self.act(", ")", Rewrite::Kind::separate_calls, "act"},
    {"self.deep.act(", ")", Rewrite::Kind::separate_owners, "act"},
    {"torch.zeros(8) @ ", "", Rewrite::Kind::make_buffer, "zeros"},
};

/// What a person writes: operations on what went before.
std::string expression(Choices& choices, std::size_t depth) {
  constexpr std::size_t deepest = 4;
  if (depth == deepest || choices.one_in(3))
    return choices.of<std::string>({"x", "y", "x[0]", "x.T", "2", "self.a", "x if y else 0"});
  const Written& operation = operations[choices.below(std::size(operations))];
  std::string text =
      std::string(operation.before) + expression(choices, depth + 1) + std::string(operation.after);
  return choices.one_in(3) ? '(' + text + ')' : text;
}

/// What nobody writes: a few words a hundred thousand times, and what is not Python.
std::string oddity(Choices& choices) {
  const std::string around = choices.of<std::string>(
      {"(", "f(", "-", "not ", "[", "x.", "{", "(\n", "# ", "lambda: ", "[x for x in ",
       "x if x else ", "f'{", "\"\"\"", "\\\n", "\f"});
  const std::string end =
      choices.of<std::string>({"x", "1", "'''", "\"", "torch.relu(x)", "self.x", "\xff", "\0x"});
  const std::size_t times = choices.times(100'000, around.size() + 1);
  return fuzz::repeated(around, times) + end +
         (choices.one_in(2) ? fuzz::repeated(")", times) : "");
}

std::string statement(Choices& choices, const std::string& indent, bool odd) {
  const std::string made = odd && choices.one_in(6) ? oddity(choices) : expression(choices, 0);
  switch (choices.below(12)) {
  case 0: return indent + "x += " + made + '\n';
  case 1: return indent + "for layer in self.layers:\n" + indent + "  x = layer(" + made + ")\n";
  case 2:
    return indent + "for i, layer in enumerate(self.layers):\n" +
           statement(choices, indent + "  ", odd);
  case 3: return indent + "if " + made + ":\n" + statement(choices, indent + "\t", odd);
  case 4: return indent + "act = self.act; x = act(" + made + ")  # twice\n";
  case 5: return indent + "x = [" + made + " for x in y]\n";
  case 6: return indent + "x, y = " + made + ", (\n" + indent + expression(choices, 0) + ")\n";
  case 7: return indent + "with torch.no_grad(): x = " + made + '\n';
  case 8: return indent + choices.name() + " = " + made + '\n';
  case 9: return indent + "x = x = \\\n" + made + '\n';
  default: return indent + "x = " + made + '\n';
  }
}

std::string constructor(Choices& choices) {
  std::string text = choices.of<std::string>(
      {"  def __init__(self, n=1):\n    super().__init__()\n", "  def __init__(self):\n",
       "  def __init__(me):\n    nn.Module.__init__(me)\n", "  \"\"\"words\"\"\"\n", ""});
  if (text.find("__init__") == text.npos) return text;
  for (const char* line :
       {"self.act = nn.ReLU()", "self.act = F.relu", "self.layers = nn.ModuleList([A(), A()])",
        "self.a, self.add = 1, 2", "self.register_buffer('zeros', torch.zeros(8))", "return"})
    if (choices.one_in(3)) text += "    " + std::string(line) + '\n';
  return text;
}

std::string class_of(Choices& choices, bool odd) {
  std::string text = choices.of<std::string>({"", "@torch.jit.script\n", "@final\n"}) + "class " +
                     choices.of<std::string>({"Net", "Block", "A", "Net"}) +
                     choices.of<std::string>({"(nn.Module)", "(Block)", "(Net, A)", ""}) + ":\n" +
                     constructor(choices);
  text += choices.of<std::string>({"  def forward(self, x, y):\n", "  def forward(self, x, *y):\n",
                                   "  @property\n  def f(self):\n"});
  for (std::size_t left = 1 + choices.below(6); left > 0; --left)
    text += statement(choices, "    ", odd);
  text += "    return " + expression(choices, 0) + '\n';
  return odd ? fuzz::repeated(text, 1 + choices.times(1000, text.size())) : text;
}

/// One file, whatever its name.
class OneFile final : public fixes::SourceFiles {
public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  File find(const std::string& recorded) override { return {recorded, text_, {}}; }
  std::optional<std::string> read(const std::string&) override { return std::nullopt; }
  bool may_make(const std::string&) override { return true; }
  std::vector<std::string> all() override { return {}; }
  std::map<std::string, std::string> others() override { return {}; }
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

Diagnostic finding_at(const Written& operation, int line, const std::string& class_name) {
  Rewrite rewrite;
  rewrite.kind = operation.kind;
  rewrite.operation = operation.operation;
  rewrite.schema = std::string("aten::") + operation.operation;
  rewrite.attribute = operation.operation;
  rewrite.expression =
      operation.kind == Rewrite::Kind::make_buffer ? "torch.zeros(8)" : "nn.ReLU()";
  rewrite.scripted = line % 4 == 0;
  SourceCall call;
  call.place = {"net.py", line % 7 == 0 ? 0 : line, 0, 0};
  call.class_name = class_name;
  call.attribute = "act";
  rewrite.calls = {call};
  if (operation.kind == Rewrite::Kind::separate_calls) rewrite.calls.push_back(call);
  rewrite.operand_made = {{"net.py", 4, 0, 0}};
  Diagnostic finding;
  finding.fix = Fix{Applicability::unsafe, "", {}, rewrite};
  return finding;
}

/// A finding for every operation that stands somewhere, as a model may have.
std::vector<Diagnostic> findings_in(const std::string& text) {
  constexpr std::size_t most = 64;
  std::vector<Diagnostic> findings;
  std::istringstream lines(text);
  std::string class_name;
  std::string line;
  for (int number = 1; std::getline(lines, line) && findings.size() < most; ++number) {
    if (line.starts_with("class "))
      class_name = "net." + line.substr(6, line.find_first_of("(:") - 6);
    for (const Written& operation : operations)
      if (line.find(operation.before) != line.npos)
        findings.push_back(finding_at(operation, number, class_name));
  }
  return findings;
}

/// What is edited stays Python.
void require_python(const std::string& before, const std::string& after) {
  if (fixes::PythonTree(before).well_formed() && !fixes::PythonTree(after).well_formed())
    fuzz::found("an edited file is no Python any more");
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  const bool odd = choices.one_in(3);
  std::string text = choices.of<std::string>({"", "\xef\xbb\xbf", "\"\"\"Words.\"\"\"\n"}) +
                     "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n";
  for (std::size_t left = 1 + choices.below(4); left > 0; --left)
    text += odd && choices.one_in(4) ? statement(choices, "", odd) : class_of(choices, odd);
  if (choices.one_in(8)) text.resize(choices.below(text.size()));
  return text;
}

bool fuzz::read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  OneFile files({std::istreambuf_iterator<char>(in), {}});
  std::vector<Diagnostic> findings = findings_in(files.text());
  std::vector<Diagnostic*> pointers;
  for (Diagnostic& finding : findings) pointers.push_back(&finding);
  const auto changes = fixes::plan_fixes(pointers, files, {});
  for (const fixes::FileChange& change : changes)
    if (!change.is_new) require_python(change.before, change.after);
  return !changes.empty();
}
