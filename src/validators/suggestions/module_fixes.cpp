#include "validators/suggestions/module_fixes.h"

#include "validators/suggestions/written_operand.h"

namespace model_validator {

Rewrite ModuleFixes::rewrite_of(OpId id, Rewrite::Kind kind) {
  Rewrite rewrite = calls_.rewrite_of(id, kind);
  rewrite.scripted = !graph_.origin.traced && graph_.origin.format == FileFormat::torchscript;
  rewrite.attribute = names_.for_call(graph_.module_path(graph_.op(id).parent),
                                      module_name_of(rewrite.operation), rewrite.calls.front());
  return rewrite;
}

Fix ModuleFixes::use_module(OpId id, const ModuleForOp& module) {
  const Op& op = graph_.op(id);
  Rewrite rewrite = rewrite_of(id, Rewrite::Kind::use_module);
  rewrite.class_name = own_class_for(op);
  WrittenOperand operand = written_operand(graph_, id);
  rewrite.operand_made = std::move(operand.made);
  rewrite.operand_read_later = operand.read_later;
  rewrite.expression = construct_for(op, module);
  const std::string help =
      "use a module: " + assignment(rewrite.attribute, rewrite.expression) +
      in_init_of(op.parent == none ? std::string() : graph_.module(op.parent).class_name) +
      ", and call it here";
  return {
      module.random ? Applicability::unsafe : Applicability::safe, help, {}, std::move(rewrite)};
}

} // namespace model_validator
