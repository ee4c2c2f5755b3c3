#include "validators/module_fixes.h"

#include "validators/op_family.h"
#include "validators/written_operand.h"

namespace model_validator {

Rewrite ModuleFixes::rewrite_of(OpId id, Rewrite::Kind kind) {
  const Op& op = graph_.op(id);
  Rewrite rewrite;
  rewrite.kind = kind;
  rewrite.operation = op_family(op.type);
  rewrite.schema = op.schema;
  rewrite.calls.push_back(calls_.of_op(id));
  rewrite.scripted = !graph_.origin.traced && graph_.origin.format == FileFormat::torchscript;
  rewrite.attribute = names_.for_call(graph_.module_path(op.parent),
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
  rewrite.expression = construct_for(graph_, op, module);
  const std::string help =
      "use a module: " + assignment(rewrite.attribute, rewrite.expression) +
      in_init_of(op.parent == none ? std::string() : graph_.module(op.parent).class_name) +
      ", and call it here";
  Fix fix{module.weights || module.random ? Applicability::unsafe : Applicability::safe,
          help,
          {},
          std::move(rewrite)};
  if (module.weights) fix.refusal = "it has weights, and a module would have its own";
  return fix;
}

} // namespace model_validator
