#include "fixes/known_source.h"

#include <model_validator/data/words.h>

namespace model_validator::fixes {
namespace {

/// Calls and names by which code gets at all modules or buffers of a network, at their classes, or
/// at its graph.
constexpr auto& looks = word_array<
    "modules( children _modules .apply( buffers( register_module_ getmembers( 'modules "
    "\"modules 'named_ \"named_ .__dict__ vars( named_apply( symbolic_trace "
    "create_feature_extractor get_graph_node_names LayerGetter prepare_fx( prepare_qat_fx( "
    "fuse_modules GraphModule( Tracer captum pytorch_grad_cam nncf brevitas zennit "
    "__setattr__ __getattr__ to_empty( init_empty_weights assign=True setattr( "
    "set_submodule( get_submodule( attrgetter( quantization">;

/// Whether a line of Python is of that kind: also `isinstance(m, nn.ReLU)`.
bool looks_at_modules(std::string_view line) {
  const auto code = line.find_first_not_of(" \t");
  if (code == std::string_view::npos || line[code] == '#') return false;
  return has_any_of(line, looks) || (line.find("isinstance(") != std::string_view::npos &&
                                     line.find("nn.") != std::string_view::npos);
}

} // namespace

KnownSource::KnownSource(SourceFiles& files) : files_(files), index_(files), mentions_(index_) {}
KnownSource::~KnownSource() = default;

bool KnownSource::shares_mode(const Node& type) {
  if (!sets_modes_) {
    sets_modes_ = index_.has_line_with(".training", "training =");
    for (const char* asks : {"isinstance(", "__name__", "type("})
      *sets_modes_ = *sets_modes_ || index_.has_line_with("Dropout", asks);
  }
  return *sets_modes_ || index_.family_of(type).sets_mode;
}

const std::vector<Mention>& KnownSource::looks_at_modules() {
  if (!looks_) looks_ = index_.lines_where(fixes::looks_at_modules);
  return *looks_;
}

} // namespace model_validator::fixes
