// Written by tools/rules/onnx_schemas.py from onnx 1.23.2, onnxruntime 1.32.0.
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
t68=float16 float32 int32
t69=float16 float32
t70=int16 int32 int4 int8 uint16 uint4 uint8
t71=bfloat16 float16 float32 int8
t72=float4_e2m1fn float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz int4 uint4 uint8
t73=bfloat16 float16 float32 float8_e4m3fn float8_e5m2
t74=bfloat16 float16 float32 float8_e4m3fn int8 uint8
t75=bfloat16 float16
t76=int16 uint16
t77=int32 uint32
t78=bfloat16 float16 float32 uint8
t79=float32 float64 int32 int64 string uint32 uint64
t80=bfloat16 float16 float8_e4m3fn int8 uint8
t81=float32 int8 uint8
t82=float8_e4m3fn uint8
t83=bfloat16 float16 float32 float8_e4m3fn float8_e8m0fnu
t84=int16 int4 int8 uint16 uint4 uint8
t85=float32 uint16 uint8
t86=bfloat16 float16 int8
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
com.microsoft.Attention;1|T T T? M? T? T? M?|T T?|do_rotary:i mask_filter_value:f num_heads:i! past_present_share_buffer:i qkv_hidden_sizes:is rotary_embedding_dim:i scale:f unidirectional:i|M=int32 T=t20|*
com.microsoft.AttnLSTM;1|T T T T? T1? T? T? T? T? T? T? T? T1? T?|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i|T=t44 T1=int32|*
com.microsoft.BeamSearch;1|F I I? I I T? T? M? M? I? I? I?|I T? T?|decoder:g! decoder_start_token_id:i early_stopping:i encoder:g eos_token_id:i! init_decoder:g model_type:i no_repeat_ngram_size:i pad_token_id:i! vocab_size:i|F=t68 I=int32 M=int32 T=t69|*
com.microsoft.BiasAdd;1|T T T|T||T=t69|*
com.microsoft.BiasDropout;1|T T T? T1? T2?|T T2?|seed:i|T=t3 T1=t3 T2=bool|*
com.microsoft.BiasGelu;1|T T|T||T=t3|*
com.microsoft.BiasSoftmax;1|T T|T|axis:i is_inner_broadcast:i!|T=t0|*
com.microsoft.BiasSplitGelu;1|T T|T||T=t69|*
com.microsoft.BifurcationDetector;1|T T T T?|T T|max_ngram_size:i min_ngram_size:i|T=int64|*
com.microsoft.BitmaskBiasDropout;1|T T T? T1? T2?|T T3?|seed:i|T=t3 T1=t3 T2=bool T3=uint32|*
com.microsoft.BitmaskDropout;1|T T1? T2?|T T3?|seed:i|T=t3 T1=t3 T2=bool T3=uint32|*
com.microsoft.BranchwiseRMSNorm;1|T M?|T|epsilon:f num_branches:i|M=t20 T=t20|*
com.microsoft.CDist;1|T T|T|metric:s|T=t44|*
com.microsoft.CausalConvWithState;1|T T T? T?|T T T?|activation:s channels_last:i dilation:i input_channel_offset:i input_channels:i ndim:i state_channels_last:i state_length:i state_update_capacity:i state_window:i|T=t20|*
com.microsoft.ComplexMul;1|T T|T||T=t0|*
com.microsoft.ComplexMulConj;1|T T|T||T=t0|*
com.microsoft.ConvStateReplay;1|T T T TI|T||T=t69 TI=int64|*
com.microsoft.ConvTransposeWithDynamicPads;1|T T int64? T?|T|auto_pad:s dilations:is group:i kernel_shape:is output_padding:is strides:is|T=t0|*
com.microsoft.CropAndResize;1|T1 T1 T2 T2|T1|extrapolation_value:f mode:s|T1=t0 T2=int32|*
com.microsoft.DecoderAttention;1|T T T T T B? T? T? B B B B|T T? T?|mask_filter_value:f num_heads:i!|B=bool T=t69|*
com.microsoft.DecoderMaskedMultiHeadAttention;1|T T? T? M? T? T? T? M? M? M? T?|T T? T? QK?|mask_filter_value:f num_heads:i! output_qk:i past_present_share_buffer:i scale:f|M=int32 QK=t69 T=t69|*
com.microsoft.DecoderMaskedSelfAttention;1|T T T M? T T? M M? M?|T T|do_rotary:i mask_filter_value:f num_heads:i! past_present_share_buffer:i scale:f|M=int32 T=t69|*
com.microsoft.DequantizeBFP;1|T1 T2 T2|T3|bfp_type:i! block_dim:i dtype:i|T1=uint8 T2=int64 T3=t20|*
com.microsoft.DequantizeLinear;1|T1 T2 T1?|T2|axis:i|T1=t70 T2=t69|*
com.microsoft.DequantizeWithOrder;1|Q S|F|order_input:i! order_output:i! to:i!|F=t69 Q=int8 S=float32|*
com.microsoft.DynamicQuantizeLSTM;1|T T2 T2 T? T1? T? T? T? T T2 T T2|T? T? T?|activation_alpha:fs activation_beta:fs activations:ss clip:f direction:s hidden_size:i input_forget:i|T=float32 T1=int32 T2=t33|*
com.microsoft.DynamicQuantizeMatMul;1|T1 T2 T1 T2? T1?|T1||T1=float32 T2=t33|*
com.microsoft.DynamicSparseAttention;1|TQuery TQuery? TValue? TCache? TCache? T? T? M M M M T? T? int64? T? T? T? M? S? S?|T TCache? TCache? M?|attention_mode:s auxiliary_kv_shared:i do_rotary:i is_causal:i kv_num_heads:i! local_window_size:i num_heads:i! output_bf16:i qk_norm_epsilon:f rotary_interleaved:i rotary_offset:i scale:f selected_kv_source:s smooth_softmax:i|M=int32 S=float32 T=t20 TCache=t71 TQuery=t20 TValue=t20|*
com.microsoft.DynamicTimeWarping;1|F|I||F=float32 I=int32|*
com.microsoft.EPContext;1|T**|T**|embed_mode:i ep_cache_context:s ep_sdk_version:s hardware_architecture:s main_context:i max_size:i notes:s onnx_model_filename:s partition_name:s source:s|T=t6|*
com.microsoft.EmbedLayerNormalization;1|T1 T1? T T T? T T T1? T1?|T T1? T?|epsilon:f mask_index_type:i|T=t69 T1=int32|*
com.microsoft.EngramGate;1|T T T T T T?|T T?|epsilon:f|T=t20|*
com.microsoft.ExpandDims;1|T int32|T||T=t22|*
com.microsoft.FastGelu;1|T T?|T||T=t3|*
com.microsoft.FusedConv;1|T T T? T?|T|activation:s activation_params:fs auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t0|*
com.microsoft.FusedGemm;1|T T T?|T|activation:s activation_alpha:f activation_beta:f activation_gamma:f alpha:f beta:f transA:i transB:i|T=t4|*
com.microsoft.FusedMatMul;1|T T|T|alpha:f transA:i transB:i transBatchA:i transBatchB:i|T=t3|*
com.microsoft.FusedMatMulActivation;1|T T|T|activation:s! activation_alpha:f activation_axis:i activation_beta:f activation_gamma:f alpha:f transA:i transB:i transBatchA:i transBatchB:i|T=t3|*
com.microsoft.GatedAdd;1|T T T T?|T||T=t20|*
com.microsoft.GatedDeltaNet;1|T T? T? TI? TG? TG? TS? TS? TS? TI? TI?|T TS? TS?|beta_activation:s chunk_size:i gate_activation:s gate_lower_bound:f qk_l2_norm:i scale:f state_update_capacity:i update_rule:s|T=t20 TG=t20 TI=int32 TS=float32|*
com.microsoft.GatedDeltaNetStateReplay;1|T T T TI|T||T=float32 TI=int64|*
com.microsoft.GatedRMSNorm;1|T T T|T|activation:s epsilon:f|T=t20|*
com.microsoft.GatedRelativePositionBias;1|T T T T T T M?|T|num_heads:i!|M=int32 T=t69|*
com.microsoft.GatherBlockQuantized;1|T1 Tind T2 T1?|T2|bits:i block_size:i gather_axis:i quantize_axis:i|T1=t72 T2=t20 Tind=t10|*
com.microsoft.GatherND;1|T Tind|T||T=t22 Tind=t10|*
com.microsoft.GatherPacked;1|T1 Tind|T2|K:i! output_dtype:i packed_type:i!|T1=uint8 T2=t20 Tind=t10|*
com.microsoft.Gelu;1|T|T||T=t3|*
com.microsoft.GemmFastGelu;1|T T T?|T||T=t20|*
com.microsoft.GemmFloat8;1|TA TB TC? TS? TS? TS?|TR|activation:s alpha:f beta:f dtype:i transA:i transB:i|TA=t73 TB=t73 TC=t20 TR=t73 TS=float32|*
com.microsoft.GemmaRotaryEmbedding;1|U T T T T|T T||T=float16 U=float32|*
com.microsoft.GreedySearch;1|I I I? T? I? I? I?|I|decoder:g! decoder_start_token_id:i encoder:g eos_token_id:i! init_decoder:g model_type:i no_repeat_ngram_size:i pad_token_id:i! vocab_size:i|I=int32 T=float32|*
com.microsoft.GridSample;1|T1 T1|T2|align_corners:i mode:s padding_mode:s|T1=t22 T2=t0|*
com.microsoft.GroupNorm;1|T M M|T|activation:i! channels_last:i epsilon:f groups:i!|M=t69 T=t69|*
com.microsoft.GroupQueryAttention;1|T T? T? T_CACHE? T_CACHE? M M T? T? int64? T? T? T_KV_SCALE? T_KV_SCALE? T? T? M?|T T_CACHE? T_CACHE? T?|causal:i do_rotary:i k_norm_epsilon:f k_quant_type:s kv_cache_bit_width:i kv_num_heads:i! local_window_size:i num_heads:i! q_norm_epsilon:f qk_norm_epsilon:f qk_output:i rotary_interleaved:i scale:f sliding_window_cache:i smooth_softmax:i softcap:f v_quant_type:s|M=int32 T=t20 T_CACHE=t74 T_KV_SCALE=float32|*
com.microsoft.HyperConnectionLowRankMix;1|T T T T T T? T?|T T T?|epsilon:f gate_div:f gate_mul:f num_branches:i! reduction_scale:f silu_alpha:f|T=t20|*
com.microsoft.HyperConnectionPostMix;1|T T M M?|T|num_branches:i|M=t20 T=t20|*
com.microsoft.HyperConnectionPreMix;1|T M|T|num_branches:i reduction_scale:f|M=t20 T=t20|*
com.microsoft.Inverse;1|T|T||T=t0|*
com.microsoft.Irfft;1|T|T|normalized:i onesided:i signal_ndim:i!|T=t0|*
com.microsoft.IsAllFinite;1|V+|T|isinf_only:i isnan_only:i|T=bool V=t3|*
com.microsoft.LinearAttention;1|T T T S? T? T?|T S|chunk_size:i kv_num_heads:i! q_num_heads:i! scale:f state_window:i update_rule:s|S=t20 T=t20|*
com.microsoft.LinearAttentionGate;1|T TF TF T?|T T?||T=t20 TF=float32|*
com.microsoft.LongformerAttention;1|T T T T T T G|T|num_heads:i! window:i!|G=int32 T=t69|*
com.microsoft.MRotaryEmbedding;1|T M T T|T|interleaved:i is_packed_batching:i mrope_layout:i mrope_section:is! num_heads:i rotary_embedding_dim:i scale:f|M=int64 T=t20|*
com.microsoft.Mamba2Verify;1|T T F T T F F F F I|T T F T? F?|d_state:i epsilon:f head_dim:i heads:i! n_groups:i! time_step_min:f|F=float32 I=int32 T=bfloat16|*
com.microsoft.MatMulBlockQuantizedFp4Weight;1|T T1 T2 T3 T3? T?|T|block_size:i|T=t75 T1=uint8 T2=uint8 T3=float32|*
com.microsoft.MatMulBlockQuantizedFp8Weight;1|T T1 T2 T2? T?|T|block_size:i|T=t75 T1=float8_e4m3fn T2=float32|*
com.microsoft.MatMulBnb4;1|T1 T2 T1|T1|K:i! N:i! block_size:i! quant_type:i! training_mode:i transB:i|T1=t20 T2=uint8|*
com.microsoft.MatMulFpQ4;1|T1 T2 T3|T1|blk_quant_type:i|T1=float32 T2=uint8 T3=int64|*
com.microsoft.MatMulInteger16;1|T1 T2|T3||T1=t76 T2=t76 T3=t77|*
com.microsoft.MatMulIntegerToFloat;1|T1 T2 T3 T3 T1? T2? T3?|T3||T1=t33 T2=t33 T3=t69|*
com.microsoft.MatMulNBits;1|T1 T2 T1 T3? T4? T1?|T1|K:i! N:i! accuracy_level:i bits:i block_size:i! weight_prepacked:i|T1=t20 T2=uint8 T3=t78 T4=int32|*
com.microsoft.MatMulNBitsMlp;1|T1 T1? T1? T2 T1 T1? T2 T1 T1?|T1 T1?|K:i! N:i! accuracy_level:i activation:s! bits:i block_size:i! epsilon:f|T1=t20 T2=uint8|*
com.microsoft.MatMulNBitsQLoRA;1|T TQ T TQ T TQ T|T|K:i! N:i! accuracy_level:i bits:i block_size:i lora_bits:i lora_block_size:i|T=t69 TQ=uint8|*
com.microsoft.MatMulNBitsQkv;1|T1 T1? T1 T2 T1 T1? T2 T1 T1? T2 T1 T1?|T1 T1 T1 T1?|K:i! Nkv:i! Nq:i! accuracy_level:i bits:i block_size:i! epsilon:f|T1=t20 T2=uint8|*
com.microsoft.MatMulPacked;1|T1 T2 Tscale?|T1|K:i! N:i! activation_type:s packed_type:i!|T1=t75 T2=uint8 Tscale=float32|*
com.microsoft.MaxpoolWithMask;1|T int32|T|auto_pad:s kernel_shape:is pads:is storage_order:i strides:is|T=float32|*
com.microsoft.MoE;1|T T T T? T T? T? T?|T|activation_alpha:f activation_beta:f activation_type:s k:i normalize_routing_weights:i swiglu_fusion:i swiglu_limit:f swiglu_limit_after_activation:i use_sparse_mixer:i|T=t20|*
com.microsoft.MoEGroupRouter;1|T TF T?|T? TF? TF?|group_topk:i n_group:i router_sentinel:f top_k:i! topk_group:i|T=t20 TF=float32|*
com.microsoft.MoEPacked;1|T TR T2 T2? T2 TR?|T|activation_type:s down_type:i! gate_type:i! k:i normalize_routing_weights:i routed_scaling_factor:f routing_epsilon:f up_type:i|T=t75 T2=uint8 TR=t20|*
com.microsoft.MulInteger;1|T T? T T?|T1||T=t33 T1=int32|*
com.microsoft.MultiHeadAttention;1|T T? T? T? M? T? T? T? M? M?|T T? T? QK?|mask_filter_value:f num_heads:i! scale:f unidirectional:i|M=int32 QK=t20 T=t20|*
com.microsoft.MurmurHash3;1|T1|T2|positive:i seed:i|T1=t79 T2=t77|*
com.microsoft.NGramHashMapping;1|M M M M? M? M? int32?|M M?|max_ngram_size:i! n_head_per_ngram:i! pad_id:i! reset_on_eos:i|M=t10|*
com.microsoft.NGramRepeatBlock;1|Tid T|T|ngram_size:i!|T=float32 Tid=int64|*
com.microsoft.NhwcConv;1|T T T?|T|auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t0|*
com.microsoft.NhwcFusedConv;1|T T T? T?|T|activation:s activation_params:fs auto_pad:s dilations:is group:i kernel_shape:is pads:is strides:is|T=t69|*
com.microsoft.NhwcMaxPool;1|T|T|auto_pad:s ceil_mode:i dilations:is kernel_shape:is! pads:is strides:is|T=t33|*
com.microsoft.PackedAttention;1|T T T M M T?|T|num_heads:i! qkv_hidden_sizes:is scale:f|M=int32 T=t69|*
com.microsoft.PackedMultiHeadAttention;1|T T? T? T? M M T?|T|mask_filter_value:f num_heads:i! scale:f|M=int32 T=t69|*
com.microsoft.PackedSparseAttentionIndexer;1|T T? T T T T M M T? T? T? I? T_KEY T T? M M? M? M? M? M? M?|M M T_KEY T T? M T? M? M?|compress_ratio:i! epsilon:f head_weight_scale:f index_topk:i indexshare_state_policy:s max_output_entries:i policy_mode:s! scale:f state_capacity:i! state_update_capacity:i token_budget:i|I=int64 M=int32 T=t20 T_KEY=t20|*
com.microsoft.PackedSparseAttentionIndexerMerge;1|T T T T? T? T? T?|T T T|max_output_entries:i! policy_mode:s!|T=int32|*
com.microsoft.Pad;1|T int64 T?|T|mode:s|T=t0|*
com.microsoft.PagedAttention;1|T T? T? T_CACHE T_CACHE? S S S T? T? S? T? T? T? T_KV_SCALE? T_KV_SCALE? S?|T T_CACHE? T_CACHE?|do_rotary:i is_causal:i k_cache_dtype:s k_quant_type:s kv_cache_layout:s kv_num_heads:i! local_window_size:i num_heads:i! qk_norm_epsilon:f rotary_interleaved:i rotary_offset:i scale:f softcap:f v_cache_dtype:s v_head_size:i v_quant_type:s|S=int32 T=t75 T_CACHE=t80 T_KV_SCALE=float32|*
com.microsoft.QAttention;1|T1 T2 T3 T3 T3 T4? T1? T2? T3?|T3 T3?|do_rotary:i mask_filter_value:f num_heads:i! past_present_share_buffer:i scale:f unidirectional:i|T1=t33 T2=t33 T3=t69 T4=int32|*
com.microsoft.QEmbedLayerNormalization;1|T1 T1? T2 T2 T2? T2 T2 T1? T T T? T T T2 T2 T2? T2 T2|T T1|epsilon:f|T=float32 T1=int32 T2=t33|*
com.microsoft.QGemm;1|TA T TA TB T TB TC? T? TYZ?|TY|alpha:f transA:i transB:i|T=float32 TA=t33 TB=t33 TC=int32 TY=t81 TYZ=t33|*
com.microsoft.QLinearAdd;1|T float32 T? T float32 T? float32 T?|T||T=t33|*
com.microsoft.QLinearAveragePool;1|T float32 T? float32 T?|T|auto_pad:s ceil_mode:i channels_last:i count_include_pad:i kernel_shape:is! pads:is strides:is|T=t33|*
com.microsoft.QLinearConcat;1|TF T8 TV**|T8|axis:i!|T8=t33 TF=float32 TV=t81|*
com.microsoft.QLinearConv;1|T1 float32 T1 T2 float32 T2 float32 T3 T4?|T3|auto_pad:s channels_last:i dilations:is group:i kernel_shape:is pads:is strides:is|T1=t33 T2=t33 T3=t33 T4=int32|*
com.microsoft.QLinearGlobalAveragePool;1|T float32 T float32 T|T|channels_last:i|T=t33|*
com.microsoft.QLinearLeakyRelu;1|T float32 T? float32 T?|T|alpha:f|T=t33|*
com.microsoft.QLinearMul;1|T float32 T? T float32 T? float32 T?|T||T=t33|*
com.microsoft.QLinearReduceMean;1|T float32 T? float32 T?|T|axes:is! keepdims:i!|T=t33|*
com.microsoft.QLinearSigmoid;1|T float32 T? float32 T?|T||T=t33|*
com.microsoft.QLinearSoftmax;1|T float32 T? float32 T|T|axis:i opset:i!|T=t33|*
com.microsoft.QLinearWhere;1|B T TF T T TF T TF T|T||B=bool T=t33 TF=float32|*
com.microsoft.QMoE;1|T T T1 T2? T? T1 T2? T? T1? T2? T? T1? T1? T1? T? T4? T4? T4? T4? T2? T2?|T|accuracy_level:i activation_alpha:f activation_beta:f activation_type:s block_size:i expert_weight_bits:i fc1_expert_weight_bits:i fc2_expert_weight_bits:i fc3_expert_weight_bits:i k:i normalize_routing_weights:i quant_type:s swiglu_fusion:i swiglu_limit:f swiglu_limit_after_activation:i use_sparse_mixer:i weights_prepacked:i|T=t20 T1=t82 T2=t83 T4=float32|*
com.microsoft.QOrderedAttention;1|Q S S S S Q Q Q S S S S S S S? S? S G? Q? S?|Q|num_heads:i! order_input:i! order_output:i! order_weight:i! qkv_hidden_sizes:is unidirectional:i|G=int32 Q=int8 S=float32|*
com.microsoft.QOrderedGelu;1|Q S S|Q|order_X:i order_Y:i|Q=int8 S=float32|*
com.microsoft.QOrderedLayerNormalization;1|Q S F F? S|Q|axis:i epsilon:f order_X:i order_Y:i|F=t69 Q=int8 S=float32|*
com.microsoft.QOrderedLongformerAttention;1|Q S Q S S S S F Q S S S G S|Q|num_heads:i! order_global_weight:i! order_input:i! order_output:i! order_weight:i! window:i!|F=float16 G=int32 Q=int8 S=float32|*
com.microsoft.QOrderedMatMul;1|Q S Q S S S? Q? S?|Q|order_A:i! order_B:i! order_Y:i!|Q=int8 S=float32|*
com.microsoft.QuantizeBFP;1|T1|T2 T3 T3|bfp_type:i! block_dim:i|T1=t20 T2=uint8 T3=int64|*
com.microsoft.QuantizeLinear;1|T1 T1 T2?|T2|axis:i|T1=t69 T2=t84|*
com.microsoft.QuantizeWithOrder;1|F S|Q|order_input:i! order_output:i!|F=t69 Q=int8 S=float32|*
com.microsoft.QuickGelu;1|T|T|alpha:f|T=t3|*
com.microsoft.RMSNormRotary;1|T F I TCos TCos TI?|TOut F?|epsilon:f flatten_batch:i input_start:i input_width:i output_fp16:i rotary_embedding_dim:i! use_fp32_arithmetic:i|F=float32 I=int64 T=t75 TCos=t45 TI=int32 TOut=t75|*
com.microsoft.Range;1|T T T?|T||T=t61|*
com.microsoft.ReduceSumInteger;1|T1|T2|axes:is! keepdims:i!|T1=t33 T2=t77|*
com.microsoft.RelativePositionBias;1|T U U|T|is_bidirectional:i max_distance:i!|T=t69 U=int64|*
com.microsoft.RemovePadding;1|T M|T M M M||M=int32 T=t69|*
com.microsoft.RestorePadding;1|T M|T||M=int32 T=t69|*
com.microsoft.Rfft;1|T|T|normalized:i onesided:i signal_ndim:i|T=t0|*
com.microsoft.RotaryEmbedding;1|T M T T|T|interleaved:i is_packed_batching:i num_heads:i rotary_embedding_dim:i scale:f|M=int64 T=t20|*
com.microsoft.RouterGateUpProj;1|T T|T T|activation:s activation_alpha:f activation_beta:f limit:f router_size:i!|T=t75|*
com.microsoft.SampleOp;1|T|T||T=t4|*
com.microsoft.Sampling;1|I I I? T? I? I? I? I? I?|I T?|custom:i decoder:g! decoder_start_token_id:i encoder:g eos_token_id:i! filter_value:f init_decoder:g min_tokens_to_keep:i model_type:i no_repeat_ngram_size:i pad_token_id:i! presence_penalty:f temperature:f top_p:f vocab_size:i|I=int32 T=float32|*
com.microsoft.ScaledSiLU;1|T M?|T|alpha:f|M=t20 T=t20|*
com.microsoft.SkipGroupNorm;1|T M M T T?|T T?|activation:i! channels_last:i epsilon:f groups:i!|M=t69 T=t69|*
com.microsoft.SkipLayerNormalization;1|T T T T? T?|T U? U? T?|epsilon:f|T=t20 U=float32|*
com.microsoft.SkipSimplifiedLayerNormalization;1|T T T T?|T U? U? T?|epsilon:f|T=t20 U=float32|*
com.microsoft.Snpe;1|T+|T+|DLC:s! notes:s snpe_version:s target_device:s|T=t85|*
com.microsoft.SparseAttention;1|T T? T? T T M M M M T? T?|T T T|do_rotary:i kv_num_heads:i! num_heads:i! rotary_interleaved:i scale:f sparse_block_size:i!|M=int32 T=t20|*
com.microsoft.SparseAttentionIndexer;1|T T? T T T T TB? T T? T? T? I? M? T?|M T T?|compress_ratio:i! epsilon:f head_weight_scale:f index_topk:i policy_mode:s! scale:f token_budget:i|I=int64 M=int32 T=t20 TB=int64|*
com.microsoft.SparsePagedAttention;1|T T? T? T_CACHE T_CACHE S S S S? S S T? T? S? T? T? T? T? T? T_KV_SCALE? T_KV_SCALE? S?|T T_CACHE? T_CACHE?|attention_mode:s auxiliary_cache_layout:s auxiliary_kv_shared:i do_rotary:i is_causal:i k_quant_type:s kv_num_heads:i! local_window_size:i num_heads:i! qk_norm_epsilon:f rotary_interleaved:i rotary_offset:i scale:f selected_kv_source:s softcap:f v_quant_type:s|S=int32 T=t75 T_CACHE=t86 T_KV_SCALE=float32|*
com.microsoft.SparseToDenseMatMul;1|any/z T1|T1|alpha:f transA:i transB:i|T1=t34|*
com.microsoft.SpeculativePrefixCommit;1|I64 I64 I32 I64 I64 I64 I64|I32 I64 I64|head_rows:i|I32=int32 I64=int64|*
com.microsoft.SwiGLU;1|T T?|T|activation_alpha:f activation_beta:f limit:f round_activation:i|T=t20|*
com.microsoft.Tokenizer;1|T|T|mark:i! mincharnum:i! pad_value:s! separators:ss tokenexp:s|T=string|*
com.microsoft.TorchEmbedding;1|T int64 int64? bool?|T||T=t2|*
com.microsoft.TransposeMatMul;1|T T|T|alpha:f transA:i transB:i|T=t3|*
com.microsoft.Trilu;1|T int64?|T|upper:i|T=t6|*
com.microsoft.UnfoldTensor;1|T|T|dim:i size:i! step:i|T=t21|*
com.microsoft.Unique;1|T|T int64 int64||T=t22|*
com.microsoft.VarlenCausalConvWithState;1|T T M T? T M? T? T?|T T T?|activation:s delta_offset:i dilation:i group_size:i state_update_capacity:i|M=int32 T=t20|*
com.microsoft.VarlenNGramHashMapping;1|M M M S M? M? M? int32? S? S?|M M? S? M?|max_ngram_size:i! n_head_per_ngram:i! pad_id:i! reset_on_eos:i state_update_capacity:i|M=t10 S=int32|*
com.microsoft.WhisperBeamSearch;1|F I I? I I T? T? M? M? I? I? I? I? I? T?|I T? T? V? T?|beginning_timestamp_token_id:i decoder:g! decoder_output_cross_qk:i decoder_start_token_id:i early_stopping:i encoder:g eos_token_id:i! init_decoder:g model_type:i no_repeat_ngram_size:i no_speech_token_id:i no_timestamps_token_id:i pad_token_id:i! start_of_lm_token_id:i transcribe_token_id:i translate_token_id:i vocab_size:i|F=t68 I=int32 M=int32 T=t69 V=float32|*
com.microsoft.WordConvEmbedding;1|T T1 T1 T1|T1|char_embedding_size:i conv_window_size:i embedding_size:i|T=int32 T1=float32|*
onnx: ATen Affine ConstantFill Crop DisentangledAttention_TRT DynamicSlice EfficientNMS_TRT GRUUnit GivenTensorFill ImageScaler MemcpyFromHost MemcpyToHost MultilevelCropAndResize_TRT ParametricSoftplus PyramidROIAlign_TRT Scale ScaledTanh SimplifiedLayerNormalization
ai.onnx.ml: ArrayFeatureExtractor Binarizer CastMap CategoryMapper DictVectorizer FeatureVectorizer Imputer LabelEncoder LinearClassifier LinearRegressor Normalizer OneHotEncoder SVMClassifier SVMRegressor Scaler TreeEnsemble TreeEnsembleClassifier TreeEnsembleRegressor ZipMap
ai.onnx.preview: FlexAttention
ai.onnx.preview.training: Adagrad Adam Gradient Momentum
)";

} // namespace model_validator::rules
