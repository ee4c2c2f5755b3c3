#pragma once

#include <model_validator/connected_graph.h>

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace model_validator::exported_program {

/// Whether a text is arithmetic on sizes, as torch writes it: `Mul(Integer(2), Symbol('s77'))`,
/// `L['x'].size()[0] % 8 == 0`. Not for a text that calls, imports or looks up anything else.
bool is_arithmetic(std::string_view text);

/// Adds what torch evaluates or imports of some JSON besides pickles, where that is more than
/// arithmetic: sizes (`expr_str`), guards, and the classes that the nesting of arguments names.
/// (Source: `_parse_sym_expr` of `torch/_export/serde/serialize.py`, `_convert_guards_code_to_fn`
/// of `torch/export/_unlift.py`, `enum_object_hook` and `_defaultdict_deserialize` of
/// `torch/utils/_pytree.py` of torch 2.13.)
void note_evaluated(const nlohmann::json& json, Unpickled& to);
/// The same, of JSON as text; of what torch could not read either, nothing.
void note_evaluated_text(std::string_view json, Unpickled& to);

} // namespace model_validator::exported_program
