// A configuration file, as a repository brings it, applied to a model's findings.
#include "fuzzer.h"
#include "lint/settings.h"
#include "lint/suppressions.h"
#include "rules/config_file.h"

#include <model_validator/registry.h>

namespace {

using namespace model_validator;
using fuzz::Choices;

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return made + '"';
}

std::string selector(Choices& choices) {
  return choices.one_in(12) ? choices.name()
                            : choices.of<std::string>({"all", "GRA", "reused-modules", "NUM",
                                                       "missing-modules", "GRA001", "MET"});
}

std::string pattern(Choices& choices) {
  const std::string part =
      choices.of<std::string>({"*", "*a", "?", "[a-z]", "[!a]*", "a", "[", "\\"});
  return fuzz::repeated(part, 1 + choices.times(3000, part.size()));
}

std::string list(Choices& choices, const std::string& item) {
  std::string text = "[";
  for (std::size_t left = 1 + choices.times(20'000, item.size() + 4); left > 0; --left)
    text += quoted(item) + ", ";
  return text + (choices.one_in(16) ? quoted(choices.name()) : "") + "]";
}

std::string number(Choices& choices) { return std::to_string(choices.integer()); }

/// A value of a type that may or may not be what the key wants.
std::string any_value(Choices& choices) {
  switch (choices.below(8)) {
  case 0: return number(choices);
  case 1: return choices.of<std::string>({"1e400", "nan", "-inf", "0x7f", "1_0", "true"});
  case 2: return choices.of<std::string>({"2027-01-31", "2027-01-31T00:00:00Z", "00:00:00"});
  case 3: return fuzz::repeated("[", choices.times(2000, 2)) + "1";
  case 4: return "{ a = " + number(choices) + ", b.c.d = 1 }";
  case 5: return list(choices, choices.name());
  case 6: return quoted(choices.odd_name());
  default: return quoted(choices.name());
  }
}

std::string setting(Choices& choices) {
  const auto line = [&](const std::string& key, const std::string& wanted) {
    return key + " = " + (choices.one_in(10) ? any_value(choices) : wanted) + '\n';
  };
  switch (choices.below(14)) {
  case 0: return line("select", list(choices, selector(choices)));
  case 1: return line("extend-select", list(choices, selector(choices)));
  case 2: return line("ignore", quoted(selector(choices)));
  case 3: return line("target", list(choices, choices.of<std::string>({"onnx", "openvino", "x"})));
  case 4: return line("profile", list(choices, choices.of<std::string>({"x.toml", "../x", "/x"})));
  case 5: return line("opset", number(choices));
  case 6: return line("fail-on", quoted(choices.of<std::string>({"error", "never", "x"})));
  case 7: return line("baseline", quoted(choices.of<std::string>({"b.json", "../b", "a/../../b"})));
  case 8: return line("sandbox", quoted(choices.of<std::string>({"require", "auto", "off"})));
  case 9: return line("preset", quoted(choices.of<std::string>({"deploy", "all", "x"})));
  case 10:
    return line("extend", quoted(choices.of<std::string>({"0", "../x", ".", "/etc/passwd"})));
  case 11: return line(quoted(choices.odd_name()), any_value(choices));
  case 12: return line("a." + fuzz::repeated("a.", choices.times(3000, 2)) + "a", "1");
  default: return line("aimet.functional-ops", list(choices, choices.name()));
  }
}

std::string table(Choices& choices) {
  switch (choices.below(7)) {
  case 0: return "[severity]\n" + selector(choices) + " = \"error\"\n";
  case 1: return "[rule.large-constant]\nbytes = " + any_value(choices) + '\n';
  case 2:
    return "[fix]\nmodules = " + quoted(choices.path()) + "\n[fix.source-root]\n\"/a\" = \"b\"\n";
  case 3: return "[[per-file]]\nfiles = " + quoted(pattern(choices)) + '\n' + setting(choices);
  case 4: return "[aimet.op-type-map]\nA = " + any_value(choices) + '\n';
  default: {
    const std::string entry = "[[suppress]]\nrule = " + quoted(selector(choices)) +
                              "\nmodule = " + quoted(pattern(choices)) +
                              "\nreason = \"known\"\nexpires = 2027-01-31\n";
    return fuzz::repeated(entry, 1 + choices.times(5000, entry.size()));
  }
  }
}

ModelReport report_of(const std::string& path) {
  constexpr int findings = 200;
  ModelReport report;
  report.path = path;
  for (int i = 0; i < findings; ++i) {
    Diagnostic& finding = report.findings.emplace_back();
    finding.rule = i % 2 == 0 ? "reused-modules" : "missing-modules";
    finding.code = i % 2 == 0 ? "GRA001" : "GRA002";
    finding.module = fuzz::repeated("a", static_cast<std::size_t>(i) * 10);
    finding.locations.push_back({{"net.py", i, 0, 0}, "", "call", "x()  # mv: ignore[all]"});
  }
  return report;
}

} // namespace

std::string fuzz::write_file(Choices& choices) {
  std::string text;
  for (std::size_t left = choices.below(6); left > 0; --left) text += setting(choices);
  for (std::size_t left = choices.below(4); left > 0; --left) text += table(choices);
  if (choices.one_in(4)) damage(text, choices);
  return text;
}

bool fuzz::read_file(const std::filesystem::path& file) {
  static const Registry registry = Registry::builtin();
  const std::string model =
      (file.parent_path() / "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.pt").string();
  const ConfigFile config = load_config_file(file, ConfigOrigin::found);
  const Settings settings = resolve_settings(registry, layers_for(config, model));
  Suppressions suppressions("2026-01-01");
  ModelReport report = report_of(model);
  suppressions.expect(model, settings);
  suppressions.apply(settings, {}, report);
  return true;
}
