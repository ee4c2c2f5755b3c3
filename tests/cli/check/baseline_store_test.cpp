#include "cli/check/baseline_store.h"
#include "support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace model_validator;

namespace {

Baseline found_in(const std::string& model, const std::string& fingerprint) {
  Baseline baseline;
  Diagnostic finding;
  finding.rule = "a-rule";
  finding.fingerprint = fingerprint;
  baseline.record(model, fingerprint.empty() ? std::vector<Diagnostic>{} : std::vector{finding});
  return baseline;
}

} // namespace

TEST_CASE("a run replaces what a baseline holds of its own models, and keeps the rest") {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "base.json";
  CHECK(cli::store_baseline(file, found_in("a.pt", "1")) == 1);
  CHECK(cli::store_baseline(file, found_in("b.pt", "2")) == 2);
  CHECK(cli::store_baseline(file, found_in("a.pt", "3")) == 2);
  CHECK(test::content_of(file).find("\"1\"") == std::string::npos);
  CHECK(cli::store_baseline(file, found_in("b.pt", "")) == 1);
  CHECK(test::content_of(file).find("b.pt") == std::string::npos);
}
