#include <model_validator/error.h>
#include <model_validator/registry.h>

#include <catch2/catch.hpp>

#include <cctype>
#include <string>

using namespace model_validator;

namespace {

class Named final : public Validator {
public:
  explicit Named(RuleInfo info) : info_(info) {}
  const RuleInfo& info() const override { return info_; }
  void run(const ConnectedGraph& /*graph*/, const Context& /*context*/,
           Diagnostics& /*diagnostics*/) const override {}

private:
  RuleInfo info_;
};

RuleInfo rule(std::string_view name, std::string_view code) {
  return {name, code, "it", Severity::warning, true};
}

} // namespace

TEST_CASE("the built-in checks are sorted by code and found by name or code") {
  const Registry registry = Registry::builtin();
  std::string_view before;
  for (const auto& validator : registry.validators()) {
    const RuleInfo& info = validator->info();
    CHECK(before < info.code);
    before = info.code;
    CHECK(registry.find(info.name) == validator.get());
    CHECK(registry.find(info.code) == validator.get());
  }
  CHECK(registry.find("reused-modules") == registry.find("GRA001"));
  CHECK(registry.find("no-such-rule") == nullptr);
}

TEST_CASE("every built-in check says what it is in the common form") {
  const Registry registry = Registry::builtin();
  for (const auto& validator : registry.validators()) {
    const RuleInfo& info = validator->info();
    CAPTURE(info.name);
    CHECK(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") ==
          std::string_view::npos);
    CHECK(info.code.size() == 6);
    CHECK_FALSE(info.summary.empty());
    CHECK(std::islower(static_cast<unsigned char>(info.summary.front())));
    CHECK(info.summary.back() != '.');
  }
}

TEST_CASE("a check of the user's joins the others") {
  Registry registry = Registry::builtin();
  registry.add(std::make_shared<Named>(rule("mine", "OWN001")));
  CHECK(registry.find("OWN001")->info().name == "mine");
}

TEST_CASE("a name or a code that is taken is refused") {
  Registry registry = Registry::builtin();
  CHECK_THROWS_AS(registry.add(std::make_shared<Named>(rule("reused-modules", "OWN001"))), Error);
  CHECK_THROWS_AS(registry.add(std::make_shared<Named>(rule("mine", "GRA001"))), Error);
}
