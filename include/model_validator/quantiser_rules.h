#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace model_validator {

/// A reason for which a quantiser fails, or does nothing, as the float file shows it.
struct QuantiserFailure {
  enum class Cause : char {
    quantised,          ///< the model is quantised already
    shared_bias,        ///< a bias is shared, and its copy would get the name of another value
    below_opset,        ///< the file's opset is below `opset`
    constant_rank,      ///< a constant operand has the rank `rank`
    bias_row,           ///< a bias has the shape [1, N]
    declared_weight,    ///< a weight that is turned (`transB`) is declared among the values too
    all_in_subgraphs,   ///< every such node stands in a body of an If, Loop or Scan
    integer_operand,    ///< an operand is a tensor of integers
    integer_and_number, ///< of integers, combined with a number of Python
    reused_module,      ///< a module is called several times, once right behind one of `after`
  };
  Cause cause = Cause::quantised;
  std::vector<std::string> operators; ///< the nodes it is about: `Gemm`; for some causes
  std::vector<std::string> after;     ///< for some causes; empty: anything
  std::vector<std::string> past;      ///< what may stand between
  int opset = 0;
  int rank = 0;
  std::string when;   ///< the option of the quantiser with which it fails: `per_channel=True`
  std::string reason; ///< what the quantiser does
  std::string remedy; ///< what to do before quantising
};

/// What a quantiser does with nodes of some operators. Operands are counted from 0.
struct QuantisedOperators {
  std::vector<std::string> operators; ///< without the domain: `Conv`, `conv2d`
  std::vector<int> operands;          ///< those it quantises
  bool all_operands = false;          ///< it quantises every one
  std::optional<int> bias;            ///< a constant that becomes int32
  std::vector<int> needs;             ///< operands without which, quantised, it leaves the node
  bool or_constant = false;           ///< or the first of them is a constant, which it quantises
  bool removed = false; ///< it is dropped if nothing else reads its operand: what makes that does
                        ///< the work
  std::vector<std::string> into;            ///< only if one of these makes the operand
  std::vector<int> claims;                  ///< weights that it quantises for one node only
  bool claimed_once = false;                ///< and leaves later nodes with the same ones
  bool one_dtype = false;                   ///< it leaves the node if an operand has another dtype
  std::map<std::string, std::int64_t> only; ///< the only values of attributes, where they are given
  std::optional<double> largest;            ///< it leaves a node with a larger constant argument
  int since_opset = 0;                      ///< it leaves the node below
  std::vector<std::string> classes;         ///< it takes only the work of modules of these classes
  std::vector<std::string> joins;           ///< it takes the node only with what makes an operand,
                                            ///< one of these, whose result is then none of its own
  bool joins_alone = false;                 ///< and only if nothing else reads that
  std::vector<std::string> read_by;         ///< only if one of these reads the result
  bool needs_all = false;                   ///< every tensor operand must be quantised
  bool same_shape = false;                  ///< its operands are two tensors of one shape
};

/// One way to store numbers that a quantiser offers: `int8`, `int4` in groups, `fp16`.
struct QuantisationScheme {
  std::string name;
  int bits = 8;
  bool per_channel = false;           ///< a scale for each channel of a weight
  bool grouped = false;               ///< a scale for each group, whose size is named: `int4:g128`
  bool weights_only = false;          ///< values between the nodes stay as they are
  bool everything = false;            ///< all constants become so, not those of layers alone
  std::vector<std::string> operators; ///< of weights alone: whose weights
  std::vector<std::string> except;    ///< of everything: the operators that stay
  bool group_divides = false;         ///< a weight that the group does not divide is left
  int group = 0;                      ///< the size asked for
};

/// What a quantiser needs of a float model, and what it does with it.
struct QuantiserRules {
  std::vector<QuantiserFailure> failures;
  std::vector<QuantisedOperators> operators;
  std::vector<QuantisationScheme> schemes;
  std::vector<std::string> dtypes; ///< of the values that it quantises
  bool asks_maker = false; ///< a value counts as quantised if its maker's result is, not its
                           ///< reader's operand
};

} // namespace model_validator
