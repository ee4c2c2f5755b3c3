#pragma once

#include "choices.h"

#include <string>

namespace fuzz {

/// A pickle, instruction by instruction: values nested, shared through the memo and put into
/// themselves, tensors whose sizes do not fit, and now and then an instruction out of place.
std::string write_pickle(Choices& choices);

/// A table of the places in Python that code came from (`.debug_pkl`).
std::string write_debug_table(Choices& choices);

/// Values that other writers combine.
namespace pickled {
std::string text(std::string_view text);
std::string integer(std::int64_t number);
std::string real(double number);
/// A tensor in the record `data/KEY`.
std::string tensor(Choices& choices);
std::string document(const std::string& value);
} // namespace pickled

} // namespace fuzz
