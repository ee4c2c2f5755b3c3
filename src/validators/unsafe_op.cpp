#include "connected_graph/attributes.h"
#include "text/places.h"
#include "validators/checks.h"
#include "validators/op_finding.h"
#include "validators/suggestions/operators.h"

#include <model_validator/data/contains.h>
#include <model_validator/data/standard_modules.h>
#include <model_validator/data/words.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace model_validator {
namespace {

constexpr RuleInfo rule{
    .name = "unsafe-op",
    .code = "SER001",
    .summary = "an operator reaches out of the model, or code runs when the file is loaded",
    .severity = Severity::error,
    .about_code = false};

/// What Python does when it unpickles a name.
enum class UnpickledName : std::uint8_t {
  data,   ///< makes tensors or plain values
  object, ///< makes an object of a package, which runs that package's code
  code,   ///< may run anything: a function, or a class of the standard library that does things
};

/// What torch's own restricted unpickler takes beside storages and tensors
/// (`torch._weights_only_unpickler._get_allowed_globals` of torch 2.13).
constexpr auto& of_torch = word_array<
    "_codecs.encode builtins.bytearray builtins.complex builtins.set collections.Counter "
    "collections.OrderedDict torch.Size torch.Tensor torch._tensor._rebuild_from_type_v2 "
    "torch._utils._rebuild_device_tensor_from_cpu_tensor "
    "torch._utils._rebuild_device_tensor_from_numpy "
    "torch._utils._rebuild_meta_tensor_no_storage torch._utils._rebuild_nested_tensor "
    "torch._utils._rebuild_parameter torch._utils._rebuild_parameter_with_state "
    "torch._utils._rebuild_qtensor torch._utils._rebuild_sparse_tensor "
    "torch._utils._rebuild_tensor torch._utils._rebuild_tensor_v2 "
    "torch._utils._rebuild_tensor_v3 torch._utils._rebuild_wrapper_subclass torch.bool "
    "torch.device torch.nn.parameter.Parameter torch.per_channel_affine "
    "torch.per_channel_affine_float_qparams torch.per_channel_symmetric "
    "torch.per_tensor_affine torch.per_tensor_symmetric torch.serialization._get_layout">;
/// `torch.float8_e4m3fn`; digits follow.
constexpr auto& dtypes = word_array<"bfloat bits complex float int qint quint uint">;

/// Other plain values that callers of models pass; and what torch itself writes for tensors that
/// were exported without values.
constexpr auto& plain = word_array<
    "builtins.bool builtins.bytes builtins.dict builtins.float builtins.frozenset "
    "builtins.int builtins.list builtins.object builtins.range builtins.slice builtins.str "
    "builtins.tuple collections.defaultdict collections.deque copyreg.__newobj__ "
    "copyreg._reconstructor datetime.date datetime.datetime datetime.timedelta "
    "decimal.Decimal fractions.Fraction numpy._core.multiarray._reconstruct "
    "numpy._core.multiarray.scalar numpy.core.multiarray._reconstruct "
    "numpy.core.multiarray.scalar numpy.dtype numpy.ndarray pathlib.PosixPath "
    "pathlib.PurePosixPath torch._export.serde.serialize._reconstruct_fake_tensor "
    "types.SimpleNamespace uuid.UUID">;

/// Names of Python 2, which pickles of the protocols before 3 have (`_compat_pickle` of Python).
const std::pair<std::string_view, std::string> renamed[] = {
    {"__builtin__.long", "builtins.int"},
    {"__builtin__.unicode", "builtins.str"},
    {"__builtin__.xrange", "builtins.range"},
    {"__builtin__.", "builtins."},
    {"copy_reg.", "copyreg."}};
/// Other modules that they name, which are Python's own under another name.
constexpr auto& modules_of_python_2 = word_array<
    "BaseHTTPServer CGIHTTPServer ConfigParser Cookie Dialog FileDialog HTMLParser Queue "
    "ScrolledText SimpleDialog SimpleHTTPServer SimpleXMLRPCServer SocketServer StringIO Tix "
    "Tkconstants Tkinter UserDict UserList UserString __builtin__ anydbm cPickle cStringIO "
    "commands cookielib dbhash dbm dumbdbm dummy_thread exceptions gdbm htmlentitydefs httplib "
    "itertools markupbase repr robotparser test thread tkColorChooser tkCommonDialog tkFileDialog "
    "tkFont tkMessageBox tkSimpleDialog ttk turtle urllib urllib2 urlparse whichdb xmlrpclib">;

bool is_dtype(std::string_view word) {
  for (const std::string_view start : dtypes)
    if (word.size() > start.size() && word.starts_with(start) &&
        std::isdigit(static_cast<unsigned char>(word[start.size()])) != 0)
      return true;
  return false;
}

/// `torch.cuda.sparse.FloatTensor`, `torch.LongStorage`.
bool is_kind_of_tensor(std::string_view module, std::string_view word) {
  const bool is_module = module == "torch" || module == "torch.storage" || module == "torch.cuda" ||
                         module == "torch.sparse" || module == "torch.cuda.sparse";
  return is_module && (word.ends_with("Storage") || word.ends_with("Tensor"));
}

/// Python's convention: functions and methods begin in lower case.
bool is_class(std::string_view word) {
  const auto letter = word.find_first_not_of('_');
  return letter != word.npos && std::isupper(static_cast<unsigned char>(word[letter])) != 0;
}

bool is_data(std::string_view name, std::string_view module, std::string_view word) {
  return contains(of_torch, name) || contains(plain, name) || is_kind_of_tensor(module, word) ||
         (module == "torch" && is_dtype(word));
}

/// Whether Python itself, or torch's own C++, has it.
bool is_of_python(std::string_view name) {
  const std::string_view package = name.substr(0, name.find('.'));
  return (package.starts_with('_') && package != "__main__") || is_standard_module(package) ||
         contains(modules_of_python_2, package) || name.starts_with("torch._C.");
}

/// @param name  of a module, and of what is in it
UnpickledName judge_joined(std::string_view name) {
  const auto dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return UnpickledName::code; // what is computed has no name
  const std::string_view word = name.substr(dot + 1);
  if (is_data(name, name.substr(0, dot), word)) return UnpickledName::data;
  return is_class(word) && !is_of_python(name) ? UnpickledName::object : UnpickledName::code;
}

/// @param name  `torch._utils._rebuild_tensor_v2`; `package:Class.Nested` where Python looks up one
/// name after the other
UnpickledName judge_unpickled(std::string_view name) {
  for (const auto& [old, now] : renamed)
    if (name.starts_with(old)) return judge_unpickled(now + std::string(name.substr(old.size())));
  const auto colon = name.find(':');
  if (colon == name.npos) return judge_joined(name);
  // A class in a class; another module is reached by a name in lower case.
  if (!is_class(name.substr(colon + 1))) return UnpickledName::code;
  std::string joined(name);
  joined[colon] = '.';
  return judge_unpickled(joined);
}

using Reach = std::pair<std::string_view, std::string_view>;
constexpr std::array reaching_out = std::to_array<Reach>({
    {"aten::from_file", "reads a file of the machine that runs the model"},
    {"aten::load", "reads a file of the machine that runs the model"},
    {"aten::save", "writes a file on the machine that runs the model"},
    {"prim::PythonOp", "runs Python code"},
    {"prim::rpc_async", "calls code on another machine"},
    {"prim::rpc_remote", "calls code on another machine"},
    {"prim::rpc_sync", "calls code on another machine"},
});

/// The side effect of an operator outside the model; empty for one that has none.
std::string_view reach_of(const std::string& schema) {
  const Reach* found = row_with(reaching_out, &Reach::first, schema_base(schema));
  return found == nullptr ? std::string_view() : found->second;
}

constexpr const char* do_not_run = "do not run this file unless you trust where it comes from";

void check_op(const ConnectedGraph& graph, OpId id, Diagnostics& diagnostics) {
  for (const Operator& each : operators_of(graph.op(id))) {
    const std::string_view reach = reach_of(each.schema);
    if (reach.empty()) continue;
    diagnostics.add(
        finding_of(graph, id, diagnostics,
                   '`' + std::string(schema_base(each.schema)) + "` " + std::string(reach)),
        do_not_run);
  }
}

/// Quantized modules of torch pack their weights when they are loaded.
bool packs_weights(const Module& module) {
  return module.class_name.starts_with("torch.ao.nn.") &&
         module.class_name.find("quantized") != std::string::npos;
}

/// LibTorch runs `__setstate__` when it loads a file.
void check_loading(const ConnectedGraph& graph, ModuleId id, Diagnostics& diagnostics) {
  const Module& module = graph.module(id);
  if (!is_true(module.attributes, "__setstate__") || packs_weights(module)) return;
  Diagnostic finding = finding_of_module(graph, id, diagnostics,
                                         "loading this file runs `" +
                                             short_class(module.class_name) + ".__setstate__`");
  finding.method = "__setstate__";
  diagnostics.add(std::move(finding), do_not_run);
}

/// The names of a pickle that are judged so, as far as a message can hold them.
std::string names_judged(const Unpickled& pickle, UnpickledName judgement) {
  constexpr std::size_t most = 12;
  std::string names;
  std::size_t count = 0;
  for (const std::string& name : pickle.names) {
    if (judge_unpickled(name) != judgement) continue;
    if (++count <= most) names += (names.empty() ? "`" : ", `") + name + '`';
  }
  return count <= most ? names : names + " and " + std::to_string(count - most) + " more";
}

Diagnostic finding_of_pickle(const Unpickled& pickle, const std::string& message,
                             const Diagnostics& diagnostics) {
  Diagnostic finding = diagnostics.start(message);
  finding.method = pickle.entry; // one finding per pickle, each with its own fingerprint
  finding.notes.push_back(pickle.entry.empty()
                              ? "`torch.export.load` evaluates the program's sizes and guards"
                              : "`torch.export.load` unpickles `" + pickle.entry + "`");
  finding.help = do_not_run;
  return finding;
}

/// Python's pickles call what they name when they are loaded.
void check_pickle(const Unpickled& pickle, Diagnostics& diagnostics) {
  if (const std::string code = names_judged(pickle, UnpickledName::code); !code.empty())
    diagnostics.add(finding_of_pickle(pickle, "loading this file runs " + code, diagnostics));
  else if (!pickle.failure.empty())
    diagnostics.add(finding_of_pickle(
        pickle, "what loading this file runs cannot be told: " + pickle.failure, diagnostics));
  if (const std::string objects = names_judged(pickle, UnpickledName::object); !objects.empty()) {
    Diagnostic finding =
        finding_of_pickle(pickle, "loading this file makes objects of " + objects, diagnostics);
    finding.severity = Severity::warning;
    finding.method += " objects";
    diagnostics.add(std::move(finding),
                    "load it where you trust these packages and the file, or export the model "
                    "again with tensors and plain values alone as example inputs");
  }
}

/// Operators that access files or the network, and code that runs at load.
void run(const ConnectedGraph& graph, const Context& /*context*/, Diagnostics& diagnostics) {
  for (OpId id = 0; id < graph.op_count(); ++id) check_op(graph, id, diagnostics);
  for (ModuleId id = 0; id < graph.modules().size(); ++id) check_loading(graph, id, diagnostics);
  for (const Unpickled& pickle : graph.origin.unpickled) check_pickle(pickle, diagnostics);
}

} // namespace

const Check checks::unsafe_op(rule, run);

} // namespace model_validator
