#pragma once

#include <model_validator/connected_graph.h>

namespace model_validator::verify {

/// Whether the ones of a mask hide elements, as in a `key_padding_mask` of torch, and do not leave
/// them: by the first operator that fills or adds low numbers where the mask says so.
/// @param mask  the input of the model
bool ones_hide(const ConnectedGraph& graph, OpId mask);

} // namespace model_validator::verify
