#include "fixes/python/unified_diff.h"

#include <catch2/catch.hpp>

using model_validator::fixes::unified_diff;

TEST_CASE("texts that are the same have no diff") {
  CHECK(unified_diff("a.py", "x\n", "x\n", false).empty());
}

TEST_CASE("a change has three unchanged lines around it") {
  CHECK(unified_diff("a.py", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
                     false) ==
        "--- a/a.py\n+++ b/a.py\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("changes that are far apart are hunks of their own") {
  std::string before;
  for (int i = 0; i < 30; ++i) before += std::to_string(i) + '\n';
  std::string after = "new\n" + before + "last";
  const std::string diff = unified_diff("a.py", before, after, false);
  CHECK(diff.find("@@ -1,3 +1,4 @@\n+new\n 0\n") != std::string::npos);
  CHECK(diff.find("@@ -28,3 +29,4 @@\n") != std::string::npos);
  CHECK(diff.ends_with("+last\n\\ No newline at end of file\n"));
}

TEST_CASE("a new file has no old version in the diff") {
  CHECK(unified_diff("a.py", "", "x\n", true) == "--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+x\n");
}
