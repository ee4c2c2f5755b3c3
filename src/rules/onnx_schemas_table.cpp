// Written by tools/rules/onnx_schemas.py from onnx 1.23.2, onnxruntime 1.31.1.
#include "rules/onnx_schemas_table.h"

namespace model_validator::rules {

const std::string_view onnx_schemas_table = R"(28
t0=float16 float32 float64
t1=float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
t2=bfloat16 float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
t3=bfloat16 float16 float32 float64
t4=float16 float32 float64 int32 int64 uint32 uint64
t5=bfloat16 float16 float32 float64 int32 int64 uint32 uint64
t6=bfloat16 bool float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
t7=bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 uint16 uint2 uint32 uint4 uint64 uint8
t8=uint16 uint32 uint64 uint8
t9=int16 int32 int64 int8 uint16 uint32 uint64 uint8
t10=int32 int64
t11=bool float16 float32 float64 int16 int32 int64 int8 uint16 uint32 uint64 uint8
t12=bool float16 float32 float64 int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t13=bfloat16 bool float16 float32 float64 int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t14=bfloat16 bool float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t15=bfloat16 bool float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t16=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t17=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t18=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 string uint16 uint2 uint32 uint4 uint64 uint8
t19=bfloat16 bool float16 float32 float4_e2m1fn float64 float6e2m3 float6e3m2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 string uint16 uint2 uint32 uint4 uint64 uint8
t20=bfloat16 float16 float32
t21=bfloat16 bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t22=bool complex128 complex64 float16 float32 float64 int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t23=bfloat16 bool complex128 complex64 float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int64 int8 string uint16 uint32 uint64 uint8
t24=bfloat16 bool complex128 complex64 float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t25=bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t26=bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int32 int4 int64 int8 string uint16 uint32 uint4 uint64 uint8
t27=bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 string uint16 uint2 uint32 uint4 uint64 uint8
t28=bfloat16 bool float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int64 int8 uint16 uint32 uint64 uint8
t29=bfloat16 bool float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 uint16 uint32 uint4 uint64 uint8
t30=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int64 int8 uint16 uint32 uint4 uint64 uint8
t31=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int32 int4 int64 int8 uint16 uint32 uint4 uint64 uint8
t32=bfloat16 bool float16 float32 float4_e2m1fn float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 uint16 uint2 uint32 uint4 uint64 uint8
t33=int8 uint8
t34=float32 float64 int32 int64 uint32 uint64
t35=int32 int8 uint8
t36=float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int32 int8 uint8
t37=float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int8 uint16 uint4 uint8
t38=float4_e2m1fn float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int32 int4 int8 uint16 uint4 uint8
t39=bfloat16 float16 float32 float8_e8m0fnu
t40=float4_e2m1fn float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int2 int32 int4 int8 uint16 uint2 uint4 uint8
t41=float4_e2m1fn float6e2m3 float6e3m2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int2 int32 int4 int8 uint16 uint2 uint4 uint8
t42=bfloat16 float16 float32 float64 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
t43=bool int32 int64
t44=float32 float64
t45=bfloat16 float32
t46=float16 float32 float64 int8 uint8
t47=bfloat16 float16 float32 float64 int8 uint8
t48=float16 float32 float64 int16 int32 int64 int8
t49=bfloat16 float16 float32 float64 int16 int32 int64 int8
t50=bfloat16 bool complex128 complex64 float16 float32 float4_e2m1fn float64 float6e2m3 float6e3m2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu int16 int2 int32 int4 int64 int8 string uint16 uint2 uint32 uint4 uint64 uint8
t51=float16 float32 float64 int32 int64
t52=bfloat16 float16 float32 float64 int32 int64
t53=float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int8 uint8
t54=float32 int32
t55=bfloat16 float16 float32 int32
t56=float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int4 int8 uint16 uint4 uint8
t57=float4_e2m1fn float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int4 int8 uint16 uint4 uint8
t58=bfloat16 float16 float32 float8_e8m0fnu int32
t59=float4_e2m1fn float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int2 int4 int8 uint16 uint2 uint4 uint8
t60=float4_e2m1fn float6e2m3 float6e3m2 float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int16 int2 int4 int8 uint16 uint2 uint4 uint8
t61=float32 float64 int16 int32 int64
t62=bfloat16 float16 float32 float64 int16 int32 int64
t63=float16 float32 float64 int32 int64 int8 uint32 uint64 uint8
t64=bfloat16 float16 float32 float64 int32 int64 int8 uint32 uint64 uint8
t65=bfloat16 bool float16 float32 float64 int32 int64 int8 uint32 uint64 uint8
t66=int32 int64 string
t67=bool float16 float32 float64 int32 int64
Abs;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t1|*;13|T|T||T=t2|*
Acos;7|T|T||T=t0|*;22|T|T||T=t3|*
Acosh;9|T|T||T=t0|*;22|T|T||T=t3|*
Add;1|T T|T|axis:i broadcast:i consumed_inputs:is|T=t0|*;6|T T|T|axis:i broadcast:i|T=t4|*;7|T T|T||T=t4|*;13|T T|T||T=t5|*;14|T T|T||T=t2|*
AffineGrid;20|T1 T2|T1|align_corners:i|T1=t3 T2=int64|*
And;1|T T|T1|axis:i broadcast:i|T=bool T1=bool|*;7|T T|T1||T=bool T1=bool|*
ArgMax;1|T|int64|axis:i keepdims:i|T=t1|*;11|T|int64|axis:i keepdims:i|T=t1|*;12|T|int64|axis:i keepdims:i select_last_index:i|T=t1|*;13|T|int64|axis:i keepdims:i select_last_index:i|T=t2|*
ArgMin;1|T|int64|axis:i keepdims:i|T=t1|*;11|T|int64|axis:i keepdims:i|T=t1|*;12|T|int64|axis:i keepdims:i select_last_index:i|T=t1|*;13|T|int64|axis:i keepdims:i select_last_index:i|T=t2|*
Asin;7|T|T||T=t0|*;22|T|T||T=t3|*
Asinh;9|T|T||T=t0|*;22|T|T||T=t3|*
Atan;7|T|T||T=t0|*;22|T|T||T=t3|*
Atanh;9|T|T||T=t0|*;22|T|T||T=t3|*
Attention;23|T1 T1 T2 U? T1? T2?|T1 T1? T2? T1?|is_causal:i kv_num_heads:i q_num_heads:i qk_matmul_output_mode:i scale:f softcap:f softmax_precision:i|T1=t3 T2=t3 U=t6|*;24|T1 T1 T2 U? T1? T2? int64?|T1 T1? T2? T1?|is_causal:i kv_num_heads:i q_num_heads:i qk_matmul_output_mode:i scale:f softcap:f softmax_precision:i|T1=t3 T2=t3 U=t6|*;25|T1 T1 T2 U? T1? T2? int64?|T1 T1? T2? T1?|is_causal:i kv_num_heads:i left_window_size:i q_num_heads:i qk_matmul_output_mode:i right_window_size:i scale:f softcap:f softmax_precision:i|T1=t3 T2=t3 U=t6|*
AveragePool;1|T|T|auto_pad:s kernel_shape:is! pads:is strides:is|T=t0|*;7|T|T|auto_pad:s count_include_pad:i kernel_shape:is! pads:is strides:is|T=t0|*;10|T|T|auto_pad:s ceil_mode:i count_include_pad:i kernel_shape:is! pads:is strides:is|T=t0|*;11|T|T|auto_pad:s ceil_mode:i count_include_pad:i kernel_shape:is! pads:is strides:is|T=t0|*;19|T|T|auto_pad:s ceil_mode:i count_include_pad:i dilations:is kernel_shape:is! pads:is strides:is|T=t0|*;22|T|T|auto_pad:s ceil_mode:i count_include_pad:i dilations:is kernel_shape:is! pads:is strides:is|T=t3|*
BatchNormalization;1|T T T T T|T T? T? T? T?|consumed_inputs:is! epsilon:f is_test:i momentum:f spatial:i|T=t0|*;6|T T T T T|T T? T? T? T?|epsilon:f is_test:i momentum:f spatial:i|T=t0|*;7|T T T T T|T T? T? T? T?|epsilon:f momentum:f spatial:i|T=t0|*;9|T T T T T|T T? T? T? T?|epsilon:f momentum:f|T=t0|*;14|T T T U U|T U? U?|epsilon:f momentum:f training_mode:i|T=t3 U=t3|*;15|T T1 T1 T2 T2|T T2? T2?|epsilon:f momentum:f training_mode:i|T=t3 T1=t3 T2=t3|*
Bernoulli;15|T1|T2|dtype:i seed:f|T1=t0 T2=t6|*;22|T1|T2|dtype:i seed:f|T1=t3 T2=t6|*
BitCast;26|T1|T2|to:i!|T1=t7 T2=t7|*
BitShift;11|T T|T|direction:s!|T=t8|*;28|T T|T|direction:s!|T=t9|*
BitwiseAnd;18|T T|T||T=t9|*
BitwiseNot;18|T|T||T=t9|*
BitwiseOr;18|T T|T||T=t9|*
BitwiseXor;18|T T|T||T=t9|*
BlackmanWindow;17|T1|T2|output_datatype:i periodic:i|T1=t10 T2=t2|*
Cast;1|T1|T2|to:s!|T1=t11 T2=t11|*;6|T1|T2|to:i!|T1=t11 T2=t11|*;9|T1|T2|to:i!|T1=t12 T2=t12|*;13|T1|T2|to:i!|T1=t13 T2=t13|*;19|T1|T2|saturate:i to:i!|T1=t14 T2=t14|*;21|T1|T2|saturate:i to:i!|T1=t15 T2=t15|*;23|T1|T2|saturate:i to:i!|T1=t16 T2=t16|*;24|T1|T2|round_mode:s saturate:i to:i!|T1=t17 T2=t17|*;25|T1|T2|round_mode:s saturate:i to:i!|T1=t18 T2=t18|*;28|T1|T2|round_mode:s saturate:i to:i!|T1=t19 T2=t19|*
CastLike;15|T1 T2|T2||T1=t13 T2=t13|*;19|T1 T2|T2|saturate:i|T1=t14 T2=t14|*;21|T1 T2|T2|saturate:i|T1=t15 T2=t15|*;23|T1 T2|T2|saturate:i|T1=t16 T2=t16|*;24|T1 T2|T2|round_mode:s saturate:i|T1=t17 T2=t17|*;25|T1 T2|T2|round_mode:s saturate:i|T1=t18 T2=t18|*
CausalConvWithState;27|T T T? T?|T T|activation:s|T=t20|*
Ceil;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
Celu;12|T|T|alpha:f|T=float32|*;28|T|T|alpha:f|T=t3|*
CenterCropPad;18|T Tind|T|axes:is|T=t21 Tind=t10|*
Clip;1|T|T|consumed_inputs:is max:f min:f|T=t0|*;6|T|T|max:f min:f|T=t0|*;11|T T? T?|T||T=t0|*;12|T T? T?|T||T=t1|*;13|T T? T?|T||T=t2|*
Col2Im;18|T int64 int64|T|dilations:is pads:is strides:is|T=t21|*
Compress;9|T T1|T|axis:i|T=t22 T1=bool|*;11|T T1|T|axis:i|T=t22 T1=bool|*;28|T T1|T|axis:i|T=t21 T1=bool|*
Concat;1|T+|T|axis:i|T=t0|*;4|T+|T|axis:i!|T=t22|*;11|T+|T|axis:i!|T=t22|*;13|T+|T|axis:i!|T=t21|*
ConcatFromSequence;11|T/s|T|axis:i! new_axis:i|T=t22|*
Constant;1||T|value:t!|T=t0|*;9||T|value:t!|T=t22|*;11||T|sparse_value:st value:t|T=t22|*;12||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t22|*;13||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t21|*;19||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t23|*;21||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t24|*;23||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t25|*;24||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t26|*;25||T|sparse_value:st value:t value_float:f value_floats:fs value_int:i value_ints:is value_string:s value_strings:ss *|T=t27|*
ConstantOfShape;9|T1|T2|value:t|T1=int64 T2=t11|*;20|T1|T2|value:t|T1=int64 T2=t28|*;21|T1|T2|value:t|T1=int64 T2=t29|*;23|T1|T2|value:t|T1=int64 T2=t30|*;24|T1|T2|value:t|T1=int64 T2=t31|*;25|T1|T2|value:t|T1=int64 T2=t32|*
Conv;1|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t0|*;11|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t0|*;22|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t3|*
ConvInteger;10|T1 T2 T1? T2?|T3|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T1=t33 T2=t33 T3=int32|*
ConvTranspose;1|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is output_padding:is output_shape:is pads:is strides:is|T=t0|*;11|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is output_padding:is output_shape:is pads:is strides:is|T=t0|*;22|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is output_padding:is output_shape:is pads:is strides:is|T=t3|*
Cos;7|T|T||T=t0|*;22|T|T||T=t3|*
Cosh;9|T|T||T=t0|*;22|T|T||T=t3|*
CumProd;26|T T2|T|exclusive:i reverse:i|T=t5 T2=t10|*
CumSum;11|T T2|T|exclusive:i reverse:i|T=t34 T2=t10|*;14|T T2|T|exclusive:i reverse:i|T=t5 T2=t10|*
DFT;17|T1 T2?|T1|axis:i inverse:i onesided:i|T1=t3 T2=t10|*;20|T1 T2? int64?|T1|inverse:i onesided:i|T1=t3 T2=t10|*
DeformConv;19|T T T T? T?|T|dilations:is group:i kernel_shape:is offset_group:i pads:is strides:is|T=t0|*;22|T T T T? T?|T|dilations:is group:i kernel_shape:is offset_group:i pads:is strides:is|T=t3|*
DepthToSpace;1|T|T|blocksize:i!|T=t22|*;11|T|T|blocksize:i! mode:s|T=t22|*;13|T|T|blocksize:i! mode:s|T=t21|*;28|T|T|blocksize:i! mode:s|T=t21|*
DequantizeLinear;10|T float32 T?|float32||T=t35|*;13|T float32 T?|float32|axis:i|T=t35|*;19|T1 T2 T1?|T2|axis:i|T1=t36 T2=t20|*;21|T1 T2 T1?|T2|axis:i block_size:i|T1=t37 T2=t20|*;23|T1 T2 T1?|T3|axis:i block_size:i output_dtype:i|T1=t38 T2=t20 T3=t20|*;24|T1 T2 T1?|T3|axis:i block_size:i output_dtype:i|T1=t38 T2=t39 T3=t20|*;25|T1 T2 T1?|T3|axis:i block_size:i output_dtype:i|T1=t40 T2=t39 T3=t20|*;28|T1 T2 T1?|T3|axis:i block_size:i output_dtype:i|T1=t41 T2=t39 T3=t20|*
Det;11|T|T||T=t0|*;22|T|T||T=t3|*
Div;1|T T|T|axis:i broadcast:i consumed_inputs:is|T=t0|*;6|T T|T|axis:i broadcast:i|T=t4|*;7|T T|T||T=t4|*;13|T T|T||T=t5|*;14|T T|T||T=t2|*
Dropout;1|T|T T?|consumed_inputs:is is_test:i ratio:f|T=t0|*;6|T|T T?|is_test:i ratio:f|T=t0|*;7|T|T T?|ratio:f|T=t0|*;10|T|T T1?|ratio:f|T=t0 T1=bool|*;12|T T1? T2?|T T2?|seed:i|T=t0 T1=t0 T2=bool|*;13|T T1? T2?|T T2?|seed:i|T=t3 T1=t0 T2=bool|*;22|T T1? T2?|T T2?|seed:i|T=t42 T1=t42 T2=bool|*
DynamicQuantizeLinear;11|T1|T2 float32 T2||T1=float32 T2=uint8|*
Einsum;12|T+|T|equation:s!|T=t1|*;28|T+|T|equation:s!|T=t2|*
Elu;1|T|T|alpha:f consumed_inputs:is|T=t0|*;6|T|T|alpha:f|T=t0|*;22|T|T|alpha:f|T=t3|*
Equal;1|T T|T1|axis:i broadcast:i|T=t43 T1=bool|*;7|T T|T1||T=t43 T1=bool|*;11|T T|T1||T=t11 T1=bool|*;13|T T|T1||T=t6 T1=bool|*;19|T T|T1||T=t13 T1=bool|*
Erf;9|T|T||T=t1|*;13|T|T||T=t3|*
Exp;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
Expand;8|T int64|T||T=t22|*;13|T int64|T||T=t21|*
EyeLike;9|T1|T2|dtype:i k:i|T1=t11 T2=t11|*;22|T1|T2|dtype:i k:i|T1=t6 T2=t6|*
Flatten;1|T|T|axis:i|T=t0|*;9|T|T|axis:i|T=t22|*;11|T|T|axis:i|T=t22|*;13|T|T|axis:i|T=t21|*;21|T|T|axis:i|T=t24|*;23|T|T|axis:i|T=t25|*;24|T|T|axis:i|T=t26|*;25|T|T|axis:i|T=t27|*
Floor;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
GRU;1|T T T T? T1? T?|T? T|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i output_sequence:i|T=t0 T1=int32|*;3|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i linear_before_reset:i output_sequence:i|T=t0 T1=int32|*;7|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i linear_before_reset:i|T=t0 T1=int32|*;14|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i linear_before_reset:i|T=t0 T1=int32|*;22|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i linear_before_reset:i|T=t3 T1=int32|*
Gather;1|T Tind|T|axis:i|T=t22 Tind=t10|*;11|T Tind|T|axis:i|T=t22 Tind=t10|*;13|T Tind|T|axis:i|T=t21 Tind=t10|*
GatherElements;11|T Tind|T|axis:i|T=t22 Tind=t10|*;13|T Tind|T|axis:i|T=t21 Tind=t10|*
GatherND;11|T int64|T||T=t22|*;12|T int64|T|batch_dims:i|T=t22|*;13|T int64|T|batch_dims:i|T=t21|*
Gelu;20|T|T|approximate:s|T=t3|*
Gemm;1|T T T|T|alpha:f beta:f broadcast:i transA:i transB:i|T=t0|*;6|T T T|T|alpha:f beta:f broadcast:i transA:i transB:i|T=t0|*;7|T T T|T|alpha:f beta:f transA:i transB:i|T=t0|*;9|T T T|T|alpha:f beta:f transA:i transB:i|T=t4|*;11|T T T?|T|alpha:f beta:f transA:i transB:i|T=t4|*;13|T T T?|T|alpha:f beta:f transA:i transB:i|T=t5|*
GlobalAveragePool;1|T|T||T=t0|*;22|T|T||T=t3|*
GlobalLpPool;1|T|T|p:f|T=t0|*;2|T|T|p:i|T=t0|*;22|T|T|p:i|T=t3|*
GlobalMaxPool;1|T|T||T=t0|*;22|T|T||T=t3|*
Greater;1|T T|T1|axis:i broadcast:i|T=t0 T1=bool|*;7|T T|T1||T=t0 T1=bool|*;9|T T|T1||T=t1 T1=bool|*;13|T T|T1||T=t2 T1=bool|*
GreaterOrEqual;12|T T|T1||T=t1 T1=bool|*;16|T T|T1||T=t2 T1=bool|*
GridSample;16|T1 T2|T1|align_corners:i mode:s padding_mode:s|T1=t22 T2=t0|*;20|T1 T2|T1|align_corners:i mode:s padding_mode:s|T1=t22 T2=t0|*;22|T1 T2|T1|align_corners:i mode:s padding_mode:s|T1=t21 T2=t3|*
GroupNormalization;18|T T T|T|epsilon:f num_groups:i!|T=t3|*;21|T T T|T|epsilon:f num_groups:i! stash_type:i|T=t3|*
HammingWindow;17|T1|T2|output_datatype:i periodic:i|T1=t10 T2=t2|*
HannWindow;17|T1|T2|output_datatype:i periodic:i|T1=t10 T2=t2|*
HardSigmoid;1|T|T|alpha:f beta:f consumed_inputs:is|T=t0|*;6|T|T|alpha:f beta:f|T=t0|*;22|T|T|alpha:f beta:f|T=t3|*
HardSwish;14|T|T||T=t0|*;22|T|T||T=t3|*
Hardmax;1|T|T|axis:i|T=t0|*;11|T|T|axis:i|T=t0|*;13|T|T|axis:i|T=t3|*
Identity;1|T|T||T=t22|*;13|T|T||T=t21|*;14|V/ts|V/ts||V=t21|*;16|V/tsoq|V/tsoq||V=t21|*;19|V/tsoq|V/tsoq||V=t23|*;21|V/tsoq|V/tsoq||V=t24|*;23|V/tsoq|V/tsoq||V=t25|*;24|V/tsoq|V/tsoq||V=t26|*;25|V/tsoq|V/tsoq||V=t27|*
If;1|B|V**|else_branch:g! then_branch:g!|B=bool V=t22|*;11|B|V**|else_branch:g! then_branch:g!|B=bool V=t22|*;13|B|V/ts**|else_branch:g! then_branch:g!|B=bool V=t22|*;16|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t21|*;19|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t23|*;21|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t24|*;23|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t25|*;24|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t26|*;25|B|V/tsoq**|else_branch:g! then_branch:g!|B=bool V=t27|*
ImageDecoder;20|T1|T2|pixel_format:s|T1=uint8 T2=uint8|*
InstanceNormalization;1|T T T|T|consumed_inputs:is epsilon:f|T=t0|*;6|T T T|T|epsilon:f|T=t0|*;22|T T T|T|epsilon:f|T=t3|*
IsInf;10|T1|T2|detect_negative:i detect_positive:i|T1=t44 T2=bool|*;20|T1|T2|detect_negative:i detect_positive:i|T1=t42 T2=bool|*
IsNaN;9|T1|T2||T1=t0 T2=bool|*;13|T1|T2||T1=t3 T2=bool|*;20|T1|T2||T1=t42 T2=bool|*
LRN;1|T|T|alpha:f beta:f bias:f size:i!|T=t0|*;13|T|T|alpha:f beta:f bias:f size:i!|T=t3|*
LSTM;1|T T T T? T1? T? T? T?|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i output_sequence:i|T=t0 T1=int32|*;7|T T T T? T1? T? T? T?|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i|T=t0 T1=int32|*;14|T T T T? T1? T? T? T?|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i layout:i|T=t0 T1=int32|*;22|T T T T? T1? T? T? T?|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i layout:i|T=t3 T1=int32|*
LayerNormalization;1|T V V?|V U? U?|axis:i epsilon:f stash_type:i *|T=t3 U=t44 V=t3|*;17|T T T?|T U? U?|axis:i epsilon:f stash_type:i *|T=t3 U=t45|*
LeakyRelu;1|T|T|alpha:f consumed_inputs:is|T=t0|*;6|T|T|alpha:f|T=t0|*;16|T|T|alpha:f|T=t3|*
Less;1|T T|T1|axis:i broadcast:i|T=t0 T1=bool|*;7|T T|T1||T=t0 T1=bool|*;9|T T|T1||T=t1 T1=bool|*;13|T T|T1||T=t2 T1=bool|*
LessOrEqual;12|T T|T1||T=t1 T1=bool|*;16|T T|T1||T=t2 T1=bool|*
LinearAttention;27|T T T S? T? T?|T S|chunk_size:i kv_num_heads:i! q_num_heads:i! scale:f update_rule:s|S=t20 T=t20|*
Log;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
LogSoftmax;1|T|T|axis:i|T=t0|*;11|T|T|axis:i|T=t0|*;13|T|T|axis:i|T=t3|*
Loop;1|I? B? V**|V**|body:g!|B=bool I=int64 V=t22|*;11|I? B? V**|V**|body:g!|B=bool I=int64 V=t22|*;13|I? B? V/ts**|V/ts**|body:g!|B=bool I=int64 V=t22|*;16|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t21|*;19|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t23|*;21|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t24|*;23|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t25|*;24|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t26|*;25|I? B? V/tsoq**|V/tsoq**|body:g!|B=bool I=int64 V=t27|*
LpNormalization;1|T|T|axis:i p:i|T=t0|*;22|T|T|axis:i p:i|T=t3|*
LpPool;1|T|T|auto_pad:s kernel_shape:is p:f pads:is strides:is|T=t0|*;2|T|T|auto_pad:s kernel_shape:is! p:i pads:is strides:is|T=t0|*;11|T|T|auto_pad:s kernel_shape:is! p:i pads:is strides:is|T=t0|*;18|T|T|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! p:i pads:is strides:is|T=t0|*;22|T|T|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! p:i pads:is strides:is|T=t3|*
MatMul;1|T T|T||T=t0|*;9|T T|T||T=t4|*;13|T T|T||T=t5|*
MatMulInteger;10|T1 T2 T1? T2?|T3||T1=t33 T2=t33 T3=int32|*
Max;1|T+|T|consumed_inputs:is|T=t0|*;6|T+|T||T=t0|*;8|T+|T||T=t0|*;12|T+|T||T=t1|*;13|T+|T||T=t2|*
MaxPool;1|T|T|auto_pad:s kernel_shape:is! pads:is strides:is|T=t0|*;8|T|T I?|auto_pad:s kernel_shape:is! pads:is storage_order:i strides:is|I=int64 T=t0|*;10|T|T I?|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is storage_order:i strides:is|I=int64 T=t0|*;11|T|T I?|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is storage_order:i strides:is|I=int64 T=t0|*;12|T|T I?|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is storage_order:i strides:is|I=int64 T=t46|*;22|T|T I?|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is storage_order:i strides:is|I=int64 T=t47|*
MaxRoiPool;1|T T|T|pooled_shape:is! spatial_scale:f|T=t0|*;22|T T|T|pooled_shape:is! spatial_scale:f|T=t3|*
MaxUnpool;9|T1 T2 T2?|T1|kernel_shape:is! pads:is strides:is|T1=t0 T2=int64|*;11|T1 T2 T2?|T1|kernel_shape:is! pads:is strides:is|T1=t0 T2=int64|*;22|T1 T2 T2?|T1|kernel_shape:is! pads:is strides:is|T1=t3 T2=int64|*
Mean;1|T+|T|consumed_inputs:is|T=t0|*;6|T+|T||T=t0|*;8|T+|T||T=t0|*;13|T+|T||T=t3|*
MeanVarianceNormalization;1|T|T|across_channels:i normalize_variance:i|T=t0|*;9|T|T|axes:is|T=t0|*;13|T|T|axes:is|T=t3|*
MelWeightMatrix;17|T1 T1 T1 T2 T2|T3|output_datatype:i|T1=t10 T2=t3 T3=t2|*
Min;1|T+|T|consumed_inputs:is|T=t0|*;6|T+|T||T=t0|*;8|T+|T||T=t0|*;12|T+|T||T=t1|*;13|T+|T||T=t2|*
Mish;18|T|T||T=t0|*;22|T|T||T=t3|*
Mod;10|T T|T|fmod:i|T=t1|*;13|T T|T|fmod:i|T=t2|*;28|T T|T|fmod:i|T=t2|*
Mul;1|T T|T|axis:i broadcast:i consumed_inputs:is|T=t0|*;6|T T|T|axis:i broadcast:i|T=t4|*;7|T T|T||T=t4|*;13|T T|T||T=t5|*;14|T T|T||T=t2|*
Multinomial;7|T1|T2|dtype:i sample_size:i seed:f|T1=t0 T2=t10|*;22|T1|T2|dtype:i sample_size:i seed:f|T1=t3 T2=t10|*
Neg;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t48|*;13|T|T||T=t49|*
NegativeLogLikelihoodLoss;12|T Tind T?|T|ignore_index:i reduction:s|T=t0 Tind=t10|*;13|T Tind T?|T|ignore_index:i reduction:s|T=t0 Tind=t10|*;22|T Tind T?|T|ignore_index:i reduction:s|T=t3 Tind=t10|*
NonMaxSuppression;10|float32 float32 int64? float32? float32?|int64|center_point_box:i||*;11|float32 float32 int64? float32? float32?|int64|center_point_box:i||*
NonZero;9|T|int64||T=t22|*;13|T|int64||T=t21|*
Not;1|T|T||T=bool|*
OneHot;9|T1 T2 T3|T3|axis:i|T1=t1 T2=t1 T3=t22|*;11|T1 T2 T3|T3|axis:i|T1=t1 T2=t1 T3=t22|*;28|T1 T2 T3|T3|axis:i|T1=t1 T2=t1 T3=t21|*
Optional;15|V/ts?|V/oq|type:tp|V=t22|*;28|V/ts?|V/oq|type:tp|V=t50|*
OptionalGetElement;15|V/oq|V/ts||V=t22|*;18|O/tsoq|V/ts||O=t22 V=t22|*;28|O/tsoq|V/ts||O=t50 V=t50|*
OptionalHasElement;15|O/oq|B||B=bool O=t22|*;18|O/tsoq?|B||B=bool O=t22|*;28|O/tsoq?|B||B=bool O=t50|*
Or;1|T T|T1|axis:i broadcast:i|T=bool T1=bool|*;7|T T|T1||T=bool T1=bool|*
PRelu;1|T T|T|consumed_inputs:is|T=t0|*;6|T T|T||T=t0|*;7|T T|T||T=t0|*;9|T T|T||T=t4|*;16|T T|T||T=t5|*
Pad;1|T|T|mode:s paddings:is! value:f|T=t0|*;2|T|T|mode:s pads:is! value:f|T=t0|*;11|T int64 T?|T|mode:s|T=t1|*;13|T int64 T?|T|mode:s|T=t21|*;18|T int64 T? Tind?|T|mode:s|T=t21 Tind=t10|*;19|T int64 T? Tind?|T|mode:s|T=t21 Tind=t10|*;21|T int64 T? Tind?|T|mode:s|T=t24 Tind=t10|*;23|T int64 T? Tind?|T|mode:s|T=t25 Tind=t10|*;24|T int64 T? Tind?|T|mode:s|T=t26 Tind=t10|*;25|T int64 T? Tind?|T|mode:s|T=t27 Tind=t10|*
Pow;1|T T|T|axis:i broadcast:i|T=t0|*;7|T T|T||T=t0|*;12|T T1|T||T=t51 T1=t1|*;13|T T1|T||T=t52 T1=t1|*;15|T T1|T||T=t52 T1=t2|*
QLinearConv;10|T1 float32 T1 T2 float32 T2 float32 T3 T4?|T3|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T1=t33 T2=t33 T3=t33 T4=int32|*
QLinearMatMul;10|T1 float32 T1 T2 float32 T2 float32 T3|T3||T1=t33 T2=t33 T3=t33|*;21|T1 TS T1 T2 TS T2 TS T3|T3||T1=t53 T2=t53 T3=t53 TS=t20|*
QuantizeLinear;10|T1 float32 T2?|T2||T1=t54 T2=t33|*;13|T1 float32 T2?|T2|axis:i|T1=t54 T2=t33|*;19|T1 T1 T2?|T2|axis:i saturate:i|T1=t55 T2=t53|*;21|T1 T1 T2?|T2|axis:i block_size:i output_dtype:i saturate:i|T1=t55 T2=t56|*;23|T1 T2 T3?|T3|axis:i block_size:i output_dtype:i precision:i saturate:i|T1=t55 T2=t55 T3=t57|*;24|T1 T2 T3?|T3|axis:i block_size:i output_dtype:i precision:i saturate:i|T1=t55 T2=t58 T3=t57|*;25|T1 T2 T3?|T3|axis:i block_size:i output_dtype:i precision:i saturate:i|T1=t55 T2=t58 T3=t59|*;28|T1 T2 T3?|T3|axis:i block_size:i output_dtype:i precision:i saturate:i|T1=t55 T2=t58 T3=t60|*
RMSNormalization;23|T V|V|axis:i epsilon:f stash_type:i|T=t3 V=t3|*
RNN;1|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i output_sequence:i|T=t0 T1=int32|*;7|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i|T=t0 T1=int32|*;14|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i|T=t0 T1=int32|*;22|T T T T? T1? T?|T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i layout:i|T=t3 T1=int32|*
RandomNormal;1||T|dtype:i mean:f scale:f seed:f shape:is!|T=t0|*;22||T|dtype:i mean:f scale:f seed:f shape:is!|T=t3|*
RandomNormalLike;1|T1|T2|dtype:i mean:f scale:f seed:f|T1=t22 T2=t0|*;22|T1|T2|dtype:i mean:f scale:f seed:f|T1=t21 T2=t3|*
RandomUniform;1||T|dtype:i high:f low:f seed:f shape:is!|T=t0|*;22||T|dtype:i high:f low:f seed:f shape:is!|T=t3|*
RandomUniformLike;1|T1|T2|dtype:i high:f low:f seed:f|T1=t22 T2=t0|*;22|T1|T2|dtype:i high:f low:f seed:f|T1=t21 T2=t3|*
Range;11|T T T|T||T=t61|*;27|T T T|T|stash_type:i|T=t62|*
Reciprocal;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
ReduceL1;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
ReduceL2;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
ReduceLogSum;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*;28|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t3|*
ReduceLogSumExp;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*;28|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t3|*
ReduceMax;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;12|T|T|axes:is keepdims:i|T=t63|*;13|T|T|axes:is keepdims:i|T=t64|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t64|*;20|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t65|*
ReduceMean;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
ReduceMin;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;12|T|T|axes:is keepdims:i|T=t63|*;13|T|T|axes:is keepdims:i|T=t64|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t64|*;20|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t65|*
ReduceProd;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
ReduceSum;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
ReduceSumSquare;1|T|T|axes:is keepdims:i|T=t4|*;11|T|T|axes:is keepdims:i|T=t4|*;13|T|T|axes:is keepdims:i|T=t5|*;18|T int64?|T|keepdims:i noop_with_empty_axes:i|T=t5|*
RegexFullMatch;20|T1|T2|pattern:s|T1=string T2=bool|*
Relu;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*;14|T|T||T=t49|*
Reshape;1|T|T|consumed_inputs:is shape:is|T=t0|*;5|T int64|T||T=t22|*;13|T int64|T||T=t21|*;14|T int64|T|allowzero:i|T=t21|*;19|T int64|T|allowzero:i|T=t23|*;21|T int64|T|allowzero:i|T=t24|*;23|T int64|T|allowzero:i|T=t25|*;24|T int64|T|allowzero:i|T=t26|*;25|T int64|T|allowzero:i|T=t27|*
Resize;10|T float32|T|mode:s|T=t22|*;11|T1 T2 float32 int64?|T1|coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f mode:s nearest_mode:s|T1=t22 T2=t0|*;13|T1 T2? float32? int64?|T1|coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f mode:s nearest_mode:s|T1=t21 T2=t0|*;18|T1 T2? float32? int64?|T1|antialias:i axes:is coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f keep_aspect_ratio_policy:s mode:s nearest_mode:s|T1=t21 T2=t0|*;19|T1 T2? float32? int64?|T1|antialias:i axes:is coordinate_transformation_mode:s cubic_coeff_a:f exclude_outside:i extrapolation_value:f keep_aspect_ratio_policy:s mode:s nearest_mode:s|T1=t21 T2=t0|*
ReverseSequence;10|T int64|T|batch_axis:i time_axis:i|T=t22|*;28|T int64|T|batch_axis:i time_axis:i|T=t21|*
RoiAlign;10|T1 T1 T2|T1|mode:s output_height:i output_width:i sampling_ratio:i spatial_scale:f|T1=t0 T2=int64|*;16|T1 T1 T2|T1|coordinate_transformation_mode:s mode:s output_height:i output_width:i sampling_ratio:i spatial_scale:f|T1=t0 T2=int64|*;22|T1 T1 T2|T1|coordinate_transformation_mode:s mode:s output_height:i output_width:i sampling_ratio:i spatial_scale:f|T1=t3 T2=int64|*
RotaryEmbedding;23|T T T M?|T|interleaved:i num_heads:i rotary_embedding_dim:i|M=int64 T=t20|*
Round;11|T|T||T=t0|*;22|T|T||T=t3|*
STFT;17|T1 T2 T1? T2?|T1|onesided:i|T1=t3 T2=t10|*
Scan;8|I? V**|V**|body:g! directions:is num_scan_inputs:i!|I=int64 V=t22|*;9|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t22|*;11|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t22|*;16|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t21|*;19|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t23|*;21|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t24|*;23|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t25|*;24|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t26|*;25|V**|V**|body:g! num_scan_inputs:i! scan_input_axes:is scan_input_directions:is scan_output_axes:is scan_output_directions:is|V=t27|*
Scatter;9|T Tind T|T|axis:i|T=t22 Tind=t10|*;11|T Tind T|T|axis:i|T=t22 Tind=t10|
ScatterElements;11|T Tind T|T|axis:i|T=t22 Tind=t10|*;13|T Tind T|T|axis:i|T=t21 Tind=t10|*;16|T Tind T|T|axis:i reduction:s|T=t21 Tind=t10|*;18|T Tind T|T|axis:i reduction:s|T=t21 Tind=t10|*
ScatterND;11|T int64 T|T||T=t22|*;13|T int64 T|T||T=t21|*;16|T int64 T|T|reduction:s|T=t21|*;18|T int64 T|T|reduction:s|T=t21|*
Selu;1|T|T|alpha:f consumed_inputs:is gamma:f|T=t0|*;6|T|T|alpha:f gamma:f|T=t0|*;22|T|T|alpha:f gamma:f|T=t3|*
SequenceAt;11|T/s I|T||I=t10 T=t22|*
SequenceConstruct;11|T+|T/s||T=t22|*
SequenceEmpty;11||S/s|dtype:i|S=t22|*
SequenceErase;11|S/s I?|S/s||I=t10 S=t22|*
SequenceInsert;11|T/s T I?|T/s||I=t10 T=t22|*
SequenceLength;11|S/s|I||I=int64 S=t22|*
SequenceMap;17|V/s V/ts**|V/s**|body:g!|V=t22|*
Shape;1|T|T1||T=t22 T1=int64|*;13|T|T1||T=t21 T1=int64|*;15|T|T1|end:i start:i|T=t21 T1=int64|*;19|T|T1|end:i start:i|T=t23 T1=int64|*;21|T|T1|end:i start:i|T=t24 T1=int64|*;23|T|T1|end:i start:i|T=t25 T1=int64|*;24|T|T1|end:i start:i|T=t26 T1=int64|*;25|T|T1|end:i start:i|T=t27 T1=int64|*
Shrink;9|T|T|bias:f lambd:f|T=t1|*
Sigmoid;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
Sign;9|T|T||T=t1|*;13|T|T||T=t2|*
Sin;7|T|T||T=t0|*;22|T|T||T=t3|*
Sinh;9|T|T||T=t0|*;22|T|T||T=t3|*
Size;1|T|T1||T=t22 T1=int64|*;13|T|T1||T=t21 T1=int64|*;19|T|T1||T=t23 T1=int64|*;21|T|T1||T=t24 T1=int64|*;23|T|T1||T=t25 T1=int64|*;24|T|T1||T=t26 T1=int64|*;25|T|T1||T=t27 T1=int64|*
Slice;1|T|T|axes:is ends:is! starts:is!|T=t22|*;10|T Tind Tind Tind? Tind?|T||T=t22 Tind=t10|*;11|T Tind Tind Tind? Tind?|T||T=t22 Tind=t10|*;13|T Tind Tind Tind? Tind?|T||T=t21 Tind=t10|*
Softmax;1|T|T|axis:i|T=t0|*;11|T|T|axis:i|T=t0|*;13|T|T|axis:i|T=t3|*
SoftmaxCrossEntropyLoss;12|T Tind T?|T T?|ignore_index:i reduction:s|T=t0 Tind=t10|*;13|T Tind T?|T T?|ignore_index:i reduction:s|T=t3 Tind=t10|*
Softplus;1|T|T||T=t0|*;22|T|T||T=t3|*
Softsign;1|T|T||T=t0|*;22|T|T||T=t3|*
SpaceToDepth;1|T|T|blocksize:i!|T=t22|*;13|T|T|blocksize:i!|T=t21|*;28|T|T|blocksize:i! mode:s|T=t21|*
Split;1|T T?|T+|axis:i split:is|T=t0|*;2|T|T+|axis:i split:is|T=t22|*;11|T|T+|axis:i split:is|T=t22|*;13|T int64?|T+|axis:i|T=t21|*;18|T int64?|T+|axis:i num_outputs:i|T=t21|*
SplitToSequence;11|T I?|T/s|axis:i keepdims:i|I=t10 T=t22|*;24|T I?|T/s|axis:i keepdims:i|I=t10 T=t21|*
Sqrt;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
Squeeze;1|T|T|axes:is|T=t22|*;11|T|T|axes:is|T=t22|*;13|T int64?|T||T=t21|*;21|T int64?|T||T=t24|*;23|T int64?|T||T=t25|*;24|T int64?|T||T=t26|*;25|T int64?|T||T=t27|*
StringConcat;20|T T|T||T=string|*
StringNormalizer;10|string|string|case_change_action:s is_case_sensitive:i locale:s stopwords:ss||*
StringSplit;20|T1|T2 T3|delimiter:s maxsplit:i|T1=string T2=string T3=int64|*
Sub;1|T T|T|axis:i broadcast:i consumed_inputs:is|T=t0|*;6|T T|T|axis:i broadcast:i|T=t4|*;7|T T|T||T=t4|*;13|T T|T||T=t5|*;14|T T|T||T=t2|*
Sum;1|T+|T|consumed_inputs:is|T=t0|*;6|T+|T||T=t0|*;8|T+|T||T=t0|*;13|T+|T||T=t3|*
SwiGLU;28|T T|T|alpha:f|T=t3|*
Swish;24|T|T|alpha:f|T=t3|*
Tan;7|T|T||T=t0|*;22|T|T||T=t3|*
Tanh;1|T|T|consumed_inputs:is|T=t0|*;6|T|T||T=t0|*;13|T|T||T=t3|*
TensorScatter;24|T T int64?|T|axis:i mode:s|T=t26|*
TfIdfVectorizer;9|T|T1|max_gram_length:i! max_skip_count:i! min_gram_length:i! mode:s! ngram_counts:is! ngram_indexes:is! pool_int64s:is pool_strings:ss weights:fs|T=t66 T1=float32|*
ThresholdedRelu;1|T|T|alpha:f|T=t0|*;10|T|T|alpha:f|T=t0|*;22|T|T|alpha:f|T=t3|*
Tile;1|T T T|T||T=t0 T1=int64|*;6|T T1|T||T=t22 T1=int64|*;13|T T1|T||T=t21 T1=int64|*
TopK;1|T|T I|axis:i k:i!|I=int64 T=t0|*;10|T int64|T I|axis:i|I=int64 T=t0|*;11|T int64|T I|axis:i largest:i sorted:i|I=int64 T=t1|*;24|T int64|T I|axis:i largest:i sorted:i|I=int64 T=t2|*
Transpose;1|T|T|perm:is|T=t22|*;13|T|T|perm:is|T=t21|*;21|T|T|perm:is|T=t24|*;23|T|T|perm:is|T=t25|*;24|T|T|perm:is|T=t26|*;25|T|T|perm:is|T=t27|*
Trilu;14|T int64?|T|upper:i|T=t21|*
Unique;11|T|T int64? int64? int64?|axis:i sorted:i|T=t22|*;28|T|T int64? int64? int64?|axis:i sorted:i|T=t21|*
Unsqueeze;1|T|T|axes:is!|T=t22|*;11|T|T|axes:is!|T=t22|*;13|T int64|T||T=t21|*;21|T int64|T||T=t24|*;23|T int64|T||T=t25|*;24|T int64|T||T=t26|*;25|T int64|T||T=t27|*
Upsample;1|T|T|height_scale:f! mode:s width_scale:f!|T=t67|*;7|T|T|mode:s scales:fs!|T=t22|*;9|T float32|T|mode:s|T=t22|*;10|T float32|T|mode:s|T=t22|
Where;9|B T T|T||B=bool T=t22|*;16|B T T|T||B=bool T=t21|*
Xor;1|T T|T1|axis:i broadcast:i|T=bool T1=bool|*;7|T T|T1||T=bool T1=bool|*
onnx: ATen Affine ConstantFill Crop DisentangledAttention_TRT DynamicSlice EfficientNMS_TRT GRUUnit GivenTensorFill ImageScaler MemcpyFromHost MemcpyToHost MultilevelCropAndResize_TRT ParametricSoftplus PyramidROIAlign_TRT Scale ScaledTanh SimplifiedLayerNormalization
ai.onnx.ml: ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer Imputer LabelEncoder LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor ZipMap
ai.onnx.preview: FlexAttention
ai.onnx.preview.training: Adagrad Adam Gradient Momentum
)";

} // namespace model_validator::rules
