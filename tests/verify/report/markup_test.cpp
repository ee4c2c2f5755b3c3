#include "verify/report/markup.h"

#include <catch2/catch.hpp>

using namespace model_validator::verify;

TEST_CASE("characters special to a browser are escaped") {
  CHECK(markup("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
}

TEST_CASE("control characters, which XML cannot hold, become visible") {
  CHECK(markup(std::string("a\x01") + "b\n") == "a\\x01b\n");
}
