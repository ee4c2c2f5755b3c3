#include "verify/run/narrowing.h"

namespace model_validator::verify {
namespace {

std::string words_of_weights(const Narrowing& narrowing) {
  switch (narrowing.weights) {
  case Narrowing::Weights::float16: return "float16";
  case Narrowing::Weights::bfloat16: return "bfloat16";
  case Narrowing::Weights::float8_e4m3:
  case Narrowing::Weights::float8_e5m2: return "float8";
  case Narrowing::Weights::whole_numbers: break;
  case Narrowing::Weights::as_they_are: return "";
  }
  return "int" + std::to_string(narrowing.bits);
}

} // namespace

std::string words_of(const Narrowing& narrowing) {
  const std::string weights = words_of_weights(narrowing);
  switch (narrowing.results) {
  case Narrowing::Results::float16: return "float16";
  case Narrowing::Results::bfloat16: return "bfloat16";
  case Narrowing::Results::int8:
    return weights == "int8" || weights.empty() ? "int8" : weights + " with values in int8";
  case Narrowing::Results::int16:
    return (weights.empty() ? "int8" : weights) + " with values in int16";
  case Narrowing::Results::as_they_are: break;
  }
  const std::string blocks =
      narrowing.block > 0 ? " in blocks of " + std::to_string(narrowing.block) : "";
  return weights + " weights" + blocks;
}

} // namespace model_validator::verify
