#include "partition/torchscript/flat_attributes.h"

#include <cctype>

namespace model_validator::partition {

std::string identifier(const std::string& text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? "v" + name : name;
}

TensorIdentity identity_of(const at::Tensor& tensor) {
  if (!tensor.has_storage() || tensor.layout() != c10::kStrided)
    return {tensor.unsafeGetTensorImpl(), 0, {}, {}, tensor.scalar_type()};
  return {tensor.storage().unsafeGetStorageImpl(), tensor.storage_offset(), tensor.sizes().vec(),
          tensor.strides().vec(), tensor.scalar_type()};
}

Value* FlatAttributes::read(const std::string& path, const c10::IValue& value,
                            const c10::TypePtr& type) {
  const bool tensor = value.isTensor() && value.toTensor().defined();
  Value*& read = tensor ? tensors_[identity_of(value.toTensor())] : others_[path];
  if (read == nullptr) {
    Node* node = graph_.create(prim::GetAttr, {graph_.inputs()[0]}, 1);
    node->s_(attr::name, add(path, value, type));
    read = graph_.prependNode(node)->output()->setType(type);
  }
  return read;
}

std::string FlatAttributes::add(const std::string& path, const c10::IValue& value,
                                const c10::TypePtr& type) {
  std::string name = "p_" + identifier(path);
  while (module_.hasattr(name)) name += "_";
  const bool buffer = type->kind() == c10::TypeKind::TensorType;
  module_.register_attribute(name, type, value, /*is_param=*/false, buffer);
  return name;
}

} // namespace model_validator::partition
