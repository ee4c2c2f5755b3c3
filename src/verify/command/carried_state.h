#pragma once

#include "verify/command/compared_pair.h"

namespace model_validator::verify {

/// Lets inputs that one model alone takes be the state that the other keeps from call to call: they
/// start from what its file holds, and from then on take what the call before returned. Paired by
/// name, else by order and shape.
/// @param kept  what a call changes in the other model, as its file has it
/// @returns whether there are such inputs
bool share_state(ComparedPair& pair, StateTaker taker, const NamedTensors& kept);

/// Puts what a call returned in the place of the state that the next one takes.
void give_back_state(const std::vector<InputNeed>& needs, const std::vector<std::string>& wires,
                     const NamedTensors& outputs, Sample& next);

/// Leaves out of the results what is given back.
void leave_out_state(const std::vector<InputNeed>& needs, const std::vector<std::string>& wires,
                     RunResults& results);

} // namespace model_validator::verify
