#include "connected_graph/torchscript/allowance.h"

#include <model_validator/error.h>

namespace model_validator::torchscript {

void Allowance::charge(std::size_t count, std::size_t bytes_each) {
  if (count > left_ / bytes_each)
    throw Error("too-large", "", "lists and choices of the model hold more than makes sense",
                "do not trust this file; if it is yours, export a part of it");
  left_ -= count * bytes_each;
}

} // namespace model_validator::torchscript
