#pragma once

// What most files of this front end include; compiling these headers takes longer than our code.
#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/ir/ir.h>
