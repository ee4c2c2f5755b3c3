#include "temporary_file.h"

#include <model_validator/error.h>
#include <model_validator/target_profile.h>

#include <catch2/catch.hpp>

using namespace model_validator;
using tests::TemporaryFile;

TEST_CASE("module tables are read") {
  const TemporaryFile file("[functional]\nops = [\"view\"]\npassed_through = [\"t\"]\n"
                           "[op_type_map]\n\"torch.nn.modules.conv.Conv2d\" = \"Conv\"\n"
                           "Concat = \"Concat\"\n");
  const ModuleTables tables = load_module_tables(file.path());
  CHECK(tables.functional_ops.contains("view"));
  CHECK(tables.passed_through.contains("t"));
  REQUIRE(tables.op_type_of("torch.nn.modules.conv.Conv2d") != nullptr);
  CHECK(*tables.op_type_of("torch.nn.modules.conv.Conv2d") == "Conv");
  CHECK(tables.op_type_of("mine.Conv2d") == nullptr);
  CHECK(tables.op_type_of("mine.Concat") != nullptr);
  CHECK(tables.op_type_of("Concat") != nullptr);
}

TEST_CASE("a file without a type map is no module table") {
  const TemporaryFile empty("[functional]\nops = []\n");
  CHECK_THROWS_WITH(load_module_tables(empty.path()), Catch::Contains("no [op_type_map]"));
  const TemporaryFile misspelt("[op_type_map]\n[functional]\nopps = []\n");
  CHECK_THROWS_WITH(load_module_tables(misspelt.path()), Catch::Contains("unknown key `opps`"));
}

TEST_CASE("AIMET's tables hold what AIMET's do") {
  const ModuleTables tables = load_module_tables(rules_folder() / "aimet.toml");
  CHECK(tables.functional_ops.size() == 28);
  CHECK(tables.passed_through.size() == 6);
  CHECK(tables.op_type_of("torch.nn.modules.batchnorm.BatchNorm2d") != nullptr);
  for (const char* absent : {"torch.nn.modules.conv.Conv3d", "torch.nn.modules.activation.SiLU",
                             "torch.nn.modules.activation.MultiheadAttention"})
    CHECK(tables.op_type_of(absent) == nullptr);
}
