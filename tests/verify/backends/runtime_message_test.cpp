#include "verify/backends/runtime_message.h"

#include <catch2/catch.hpp>

using model_validator::verify::runtime_message;

TEST_CASE("places in a runtime's own source are left out of its message") {
  CHECK(runtime_message("Exception from src/inference/core.cpp:84:\nCheck 'false' failed at "
                        "src/frontends/report.cpp:151:\nNo conversion rule found for Nonsense\n") ==
        "No conversion rule found for Nonsense");
}

TEST_CASE("of the checks of a front end, the first is told, which it names last") {
  CHECK(runtime_message("FrontEnd API failed with OpConversionFailure: Model wasn't converted.\n"
                        "Check 'rank.is_static()' failed at src/conv.cpp:90:\n"
                        "FrontEnd API failed with GeneralFailure: The rank is open\n") ==
        "FrontEnd API failed with GeneralFailure: The rank is open");
}

TEST_CASE("a reason of several lines is reported as one line") {
  CHECK(runtime_message("Got invalid dimensions:\n index: 0 Got: 4\r\n\n Expected: 7") ==
        "Got invalid dimensions: index: 0 Got: 4 Expected: 7");
}

TEST_CASE("a runtime that names its own source only is quoted") {
  CHECK(runtime_message("Exception from src/core.cpp:84:\n") == "Exception from src/core.cpp:84:");
}

TEST_CASE("a runtime's message is not quoted without limit") {
  CHECK(runtime_message(std::string(10000, 'x')).size() == 400);
}
