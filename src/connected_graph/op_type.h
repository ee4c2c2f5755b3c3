#pragma once

#include <string>
#include <string_view>

namespace model_validator {

/// The name of an operator without namespace, overload and in-place underscore: `aten::add_.Tensor`
/// gives `add`, `onnx::MaxPool` gives `max_pool`.
std::string type_of_schema(std::string_view schema);

/// The same as written, in-place underscore included: `Conv` of `onnx::Conv`, `add_` of
/// `aten::add_.Tensor`.
std::string_view bare_operator(std::string_view schema);

/// The class of a module spelled as an operator: `torch.nn.modules.pooling.MaxPool2d` gives
/// `max_pool2d`, `torch.nn.modules.activation.LeakyReLU` gives `leaky_relu`.
std::string type_of_class(std::string_view class_name);

/// What the names of ops of that type start with: the type, cut to a hundred bytes, because every
/// value that an op takes or makes repeats its name.
std::string_view start_of_name(std::string_view type);

/// Whether the class is one of `torch.nn` or `torch.ao.nn`.
bool is_torch_nn(std::string_view class_name);

/// Whether modules of the class only hold the packed weights of a quantized module above them.
bool holds_packed_weights(std::string_view class_name);

} // namespace model_validator
