// Written by tools/rules/onnx_output_types.py from onnx 1.23.2.
#include "connected_graph/onnx/output_types_table.h"

namespace model_validator::onnx_format {

const std::string_view output_types_table = R"(
*0: ConcatFromSequence OptionalGetElement SequenceAt
0: Abs Acos Acosh Add AffineGrid Asin Asinh Atan Atanh AveragePool BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Ceil Celu CenterCropPad Clip Col2Im Compress Concat Conv ConvTranspose Cos Cosh CumProd CumSum DFT DeformConv DepthToSpace Det Div Einsum Elu Erf Exp Expand Flatten Floor Gather GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample GroupNormalization HardSigmoid HardSwish Hardmax Identity InstanceNormalization LRN LeakyRelu Log LogSoftmax LpNormalization LpPool MatMul Max MaxRoiPool MaxUnpool Mean MeanVarianceNormalization Min Mish Mod Mul Neg NegativeLogLikelihoodLoss Not PRelu Pad Pow Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ReverseSequence RoiAlign RotaryEmbedding Round STFT Scatter ScatterElements ScatterND Selu SequenceErase SequenceInsert Shrink Sigmoid Sign Sin Sinh Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze StringConcat StringNormalizer Sub Sum SwiGLU Swish Tan Tanh TensorScatter ThresholdedRelu Tile Transpose Trilu Unsqueeze Upsample
0 0: CausalConvWithState GRU RNN SoftmaxCrossEntropyLoss
0 0 0: LSTM
0 0 2 0: Attention
0 3: LinearAttention
0 3 3: BatchNormalization
0 ?: Dropout
0 int64: MaxPool TopK
0 int64 int64 int64: Unique
0 stash_type=float stash_type=float: LayerNormalization
1: CastLike RMSNormalization Where
2: NonMaxSuppression OneHot
7: QLinearConv QLinearMatMul
?type=0: Optional
[0: SequenceConstruct SplitToSequence
[dtype=float: SequenceEmpty
bool: And Equal Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual OptionalHasElement Or RegexFullMatch Xor
dtype=0: Bernoulli EyeLike RandomNormalLike RandomUniformLike
dtype=float: RandomNormal RandomUniform
dtype=int32: Multinomial
float: TfIdfVectorizer
int32: ConvInteger MatMulInteger
int64: ArgMax ArgMin NonZero SequenceLength Shape Size
output_datatype=float: BlackmanWindow HammingWindow HannWindow MelWeightMatrix
output_dtype=1: DequantizeLinear
output_dtype=2/uint8: QuantizeLinear
string int64: StringSplit
to: BitCast Cast
uint8: ImageDecoder
uint8 float uint8: DynamicQuantizeLinear
value=float: ConstantOfShape
)";

} // namespace model_validator::onnx_format
