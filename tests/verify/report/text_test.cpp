#include "sample_report.h"

#include <model_validator/verify/render.h>

#include <catch2/catch.hpp>

using namespace model_validator::verify;
using Catch::Contains;

TEST_CASE("outputs that agree are a table and one closing line") {
  const std::string text = render_text(sample::same_report());
  CHECK_THAT(text, Catch::StartsWith("comparing model.onnx (onnxruntime) with the reference "
                                     "model.pt, checker default\n\n"
                                     "output  shape      dtype"));
  CHECK_THAT(text, Contains("logits  [4, 1000]  float32"));
  CHECK_THAT(text, Contains("labels  [2]        int64"));
  CHECK_THAT(text, Catch::EndsWith("same: 2 outputs agree\n"));
  CHECK(text.find('\x1b') == std::string::npos);
}

TEST_CASE("what is compiled here goes by the name of its backend, once") {
  VerifyReport report = sample::same_report();
  report.candidate = report.backend;
  CHECK_THAT(render_text(report), Catch::StartsWith("comparing onnxruntime with the reference "));
}

TEST_CASE("a difference is reported with coordinates and both values") {
  const std::string text = render_text(sample::different_report());
  CHECK_THAT(text, Contains("different: logits\n"));
  CHECK_THAT(text, Contains("  = non-finite: NaN or Inf differ at 1 of 4000 elements"));
  CHECK_THAT(text, Contains("  = tolerance: max|d| 0.249998 > 0.0001 · max|reference|"));
  CHECK_THAT(text, Contains("(1, 234)"));
  CHECK_THAT(text, Contains("(0, 77)"));
  CHECK_THAT(text, Contains("0 → 1"));
  CHECK_THAT(text, Contains("[1, 2] → [2]"));
  CHECK_THAT(text, Contains("the candidate does not have this output"));
  CHECK_THAT(text, Contains("error: number-of-outputs: Number of outputs"));
  CHECK_THAT(text, Contains("warning: inputs-changed: the candidate wrote into its input `x`\n"
                            "  = help: give it a copy"));
  CHECK_THAT(text, Contains("first difference: conv2d_70 (layer2) at resnet.py:160"));
  CHECK_THAT(text, Contains("the op itself introduces it"));
  CHECK_THAT(text, Contains("tolerance for logits: --rtol 8.4e-02, the least that passes"));
  CHECK_THAT(text, Catch::EndsWith("different: 3 of 3 outputs\n"));
}

TEST_CASE("an op that only passes an error on is reported as such") {
  VerifyReport report = sample::different_report();
  report.ops[70].introduced = 1e-7;
  CHECK_THAT(render_text(report), Contains("the op passes on what came before"));
}

TEST_CASE("samples are distinguished") {
  VerifyReport report = sample::same_report();
  report.samples = 2;
  VerifyReport second = sample::same_report();
  for (OutputReport& output : second.outputs) output.sample = 1;
  merge(report, std::move(second));
  const std::string text = render_text(report);
  CHECK_THAT(text, Contains("logits (sample 1)"));
  CHECK_THAT(text, Catch::EndsWith("same: 4 outputs agree over 2 samples\n"));
}

TEST_CASE("names from a model cannot command the terminal") {
  VerifyReport report = sample::same_report();
  report.outputs[0].name = "log\x1b[2Jits";
  const std::string text = render_text(report);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK_THAT(text, Contains("log\\x1b[2Jits"));
}

TEST_CASE("colour is there when asked for") {
  CHECK_THAT(render_text(sample::different_report(), true), Contains("\x1b[1;31m"));
}

TEST_CASE("outputs that are the same share a line unless all are asked for") {
  VerifyReport report = sample::same_report();
  report.outputs[1].notes.emplace_back("a note on labels");
  const std::string folded = render_text(report, false, Detail::folded);
  CHECK_THAT(folded, Contains("logits and 1 more") && !Contains("labels"));
  CHECK_THAT(render_text(report, false, Detail::all),
             Contains("labels  [2]") && Contains("a note on labels"));
  CHECK(render_text(report, false, Detail::verdict) == "same: 2 outputs agree\n");
}

TEST_CASE("what differs is told however little is asked for") {
  VerifyReport report = sample::different_report();
  report.outputs.push_back(sample::same_report().outputs[0]);
  for (const Detail detail : {Detail::verdict, Detail::folded, Detail::all}) {
    const std::string text = render_text(report, false, detail);
    CHECK_THAT(text, Contains("different: logits\n") && Contains("error: number-of-outputs") &&
                         Contains("first difference"));
    CHECK_THAT(text, Catch::EndsWith("different: 3 of 4 outputs\n"));
  }
}

TEST_CASE("the last line says what fails where every output agrees") {
  VerifyReport report = sample::same_report();
  report.incidents.push_back({IncidentKind::state_lost, "the state is lost", "", true});
  CHECK_THAT(render_text(report),
             Catch::EndsWith("different: 1 error (state-lost), though 2 outputs agree\n"));
  report.outputs.clear();
  CHECK_THAT(render_text(report), Catch::EndsWith("not compared: 1 error (state-lost)\n"));
}

TEST_CASE("the cause stands below the op that differs, and below the layers of a quantised copy") {
  VerifyReport report = sample::different_report();
  report.ops[70].cause = "`pads` is (1, 1) against (2, 0)";
  CHECK_THAT(render_text(report), Contains("`pads` is (1, 1) against (2, 0)\n"));
  report.ops[70].first_divergent = false;
  report.ops[70].introduced_sqnr = -1000;
  const std::string layers = render_text(report);
  CHECK_THAT(layers, Contains("none left") && !Contains("-1000"));
  CHECK_THAT(layers, Contains("conv2d_70 (layer2) at resnet.py:160: `pads` is"));
}
