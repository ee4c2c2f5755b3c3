// Written by tools/rules/onnx_output_types.py from onnx 1.23.2, onnxruntime 1.32.0.
#include "connected_graph/onnx/output_types_table.h"

namespace model_validator::onnx_format {

const std::string_view output_types_table = R"(
*0: ConcatFromSequence OptionalGetElement SequenceAt
0: Abs Acos Acosh Add Affine AffineGrid Asin Asinh Atan Atanh AveragePool BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Ceil Celu CenterCropPad Clip Col2Im Compress Concat Conv ConvTranspose Cos Cosh Crop CumProd CumSum DFT DeformConv DepthToSpace Det DisentangledAttention_TRT Div DynamicSlice Einsum Elu Erf Exp Expand Flatten Floor GRUUnit Gather GatherElements GatherND Gelu Gemm GivenTensorFill GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample GroupNormalization HardSigmoid HardSwish Hardmax Identity ImageScaler InstanceNormalization LRN LeakyRelu Log LogSoftmax LpNormalization LpPool MatMul Max MaxRoiPool MaxUnpool Mean MeanVarianceNormalization MemcpyFromHost MemcpyToHost Min Mish Mod Mul MultilevelCropAndResize_TRT Neg NegativeLogLikelihoodLoss Not PRelu Pad ParametricSoftplus Pow PyramidROIAlign_TRT Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize ReverseSequence RoiAlign RotaryEmbedding Round STFT Scale ScaledTanh Scatter ScatterElements ScatterND Selu SequenceErase SequenceInsert Shrink Sigmoid Sign Sin Sinh Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze StringConcat StringNormalizer Sub Sum SwiGLU Swish Tan Tanh TensorScatter ThresholdedRelu Tile Transpose Trilu Unsqueeze Upsample ai.onnx.ml::ArrayFeatureExtractor ai.onnx.ml::Binarizer ai.onnx.ml::Imputer ai.onnx.ml::TreeEnsemble com.microsoft::BiasAdd com.microsoft::BiasGelu com.microsoft::BiasSoftmax com.microsoft::BiasSplitGelu com.microsoft::BranchwiseRMSNorm com.microsoft::CDist com.microsoft::ComplexMul com.microsoft::ComplexMulConj com.microsoft::ConvStateReplay com.microsoft::ConvTransposeWithDynamicPads com.microsoft::CropAndResize com.microsoft::DynamicQuantizeMatMul com.microsoft::EPContext com.microsoft::ExpandDims com.microsoft::FastGelu com.microsoft::FusedConv com.microsoft::FusedGemm com.microsoft::FusedMatMul com.microsoft::FusedMatMulActivation com.microsoft::GatedAdd com.microsoft::GatedDeltaNetStateReplay com.microsoft::GatedRMSNorm com.microsoft::GatedRelativePositionBias com.microsoft::GatherND com.microsoft::Gelu com.microsoft::GemmFastGelu com.microsoft::GroupNorm com.microsoft::HyperConnectionPostMix com.microsoft::HyperConnectionPreMix com.microsoft::Inverse com.microsoft::Irfft com.microsoft::LongformerAttention com.microsoft::MRotaryEmbedding com.microsoft::MatMulBlockQuantizedFp4Weight com.microsoft::MatMulBlockQuantizedFp8Weight com.microsoft::MatMulBnb4 com.microsoft::MatMulFpQ4 com.microsoft::MatMulNBits com.microsoft::MatMulNBitsQLoRA com.microsoft::MatMulPacked com.microsoft::MaxpoolWithMask com.microsoft::MoE com.microsoft::MoEPacked com.microsoft::NhwcConv com.microsoft::NhwcFusedConv com.microsoft::NhwcMaxPool com.microsoft::PackedAttention com.microsoft::PackedMultiHeadAttention com.microsoft::Pad com.microsoft::QLinearAdd com.microsoft::QLinearAveragePool com.microsoft::QLinearGlobalAveragePool com.microsoft::QLinearLeakyRelu com.microsoft::QLinearMul com.microsoft::QLinearReduceMean com.microsoft::QLinearSigmoid com.microsoft::QLinearSoftmax com.microsoft::QMoE com.microsoft::QOrderedAttention com.microsoft::QOrderedGelu com.microsoft::QOrderedLayerNormalization com.microsoft::QOrderedLongformerAttention com.microsoft::QOrderedMatMul com.microsoft::QuickGelu com.microsoft::Range com.microsoft::RelativePositionBias com.microsoft::RestorePadding com.microsoft::Rfft com.microsoft::RotaryEmbedding com.microsoft::SampleOp com.microsoft::ScaledSiLU com.microsoft::Snpe com.microsoft::SwiGLU com.microsoft::Tokenizer com.microsoft::TorchEmbedding com.microsoft::TransposeMatMul com.microsoft::Trilu com.microsoft::UnfoldTensor
0 0: CausalConvWithState GRU RNN SoftmaxCrossEntropyLoss com.microsoft::Attention com.microsoft::BifurcationDetector com.microsoft::DecoderMaskedSelfAttention com.microsoft::EngramGate com.microsoft::LinearAttentionGate com.microsoft::MatMulNBitsMlp com.microsoft::NGramHashMapping com.microsoft::RouterGateUpProj com.microsoft::SkipGroupNorm
0 0 0: LSTM com.microsoft::AttnLSTM com.microsoft::CausalConvWithState com.microsoft::DecoderAttention com.microsoft::DynamicQuantizeLSTM com.microsoft::HyperConnectionLowRankMix com.microsoft::PackedSparseAttentionIndexerMerge com.microsoft::SparseAttention com.microsoft::VarlenCausalConvWithState
0 0 0 0: com.microsoft::MatMulNBitsQkv
0 0 0 ?: com.microsoft::DecoderMaskedMultiHeadAttention com.microsoft::MultiHeadAttention
0 0 2 0: Attention
0 0 2 0 2: com.microsoft::Mamba2Verify
0 0 3 0: com.microsoft::VarlenNGramHashMapping
0 1 1: com.microsoft::MoEGroupRouter
0 1 1 1: com.microsoft::RemovePadding
0 3: LinearAttention com.microsoft::LinearAttention
0 3 3: BatchNormalization com.microsoft::PagedAttention com.microsoft::SparsePagedAttention
0 3 3 0: com.microsoft::GroupQueryAttention
0 4: com.microsoft::BiasDropout
0 6 6: com.microsoft::GatedDeltaNet
0 ?: Dropout
0 float float 0: com.microsoft::SkipLayerNormalization com.microsoft::SkipSimplifiedLayerNormalization
0 int64: MaxPool TopK
0 int64 int64: com.microsoft::Unique
0 int64 int64 int64: Unique
0 stash_type=float stash_type=float: LayerNormalization
0 uint32: com.microsoft::BitmaskBiasDropout com.microsoft::BitmaskDropout
1: CastLike RMSNormalization Where com.microsoft::DequantizeLinear com.microsoft::NGramRepeatBlock com.microsoft::QLinearConcat com.microsoft::QLinearWhere com.microsoft::SparseToDenseMatMul com.microsoft::WordConvEmbedding
1 1: com.microsoft::GemmaRotaryEmbedding
1 ?: SimplifiedLayerNormalization
12 0 0: com.microsoft::SparseAttentionIndexer
2: NonMaxSuppression OneHot ai.onnx.preview.training::Adagrad ai.onnx.preview.training::Adam ai.onnx.preview.training::Momentum com.microsoft::GatherBlockQuantized com.microsoft::MatMulIntegerToFloat
2 0 0: com.microsoft::SpeculativePrefixCommit
2 0 2: com.microsoft::EmbedLayerNormalization
2 2: com.microsoft::QAttention
2/uint8: com.microsoft::QuantizeLinear
5 3 3 7: com.microsoft::DynamicSparseAttention
6 6 12 0 0 6 0 6 6: com.microsoft::PackedSparseAttentionIndexer
7: QLinearConv QLinearMatMul com.microsoft::QLinearConv
8 0: com.microsoft::QEmbedLayerNormalization
? 1: com.microsoft::RMSNormRotary
? float: ai.onnx.ml::LinearClassifier ai.onnx.ml::SVMClassifier ai.onnx.ml::TreeEnsembleClassifier
?type=0: Optional
[0: SequenceConstruct SplitToSequence
[dtype=float: SequenceEmpty
bool: And Equal Greater GreaterOrEqual IsInf IsNaN Less LessOrEqual OptionalHasElement Or RegexFullMatch Xor com.microsoft::IsAllFinite
dtype=0: Bernoulli EyeLike RandomNormalLike RandomUniformLike
dtype=float: RandomNormal RandomUniform
dtype=int32: Multinomial
float: TfIdfVectorizer ai.onnx.ml::FeatureVectorizer ai.onnx.ml::LinearRegressor ai.onnx.ml::Normalizer ai.onnx.ml::OneHotEncoder ai.onnx.ml::SVMRegressor ai.onnx.ml::Scaler ai.onnx.ml::TreeEnsembleRegressor
int32: ConvInteger MatMulInteger com.microsoft::DynamicTimeWarping com.microsoft::MulInteger
int32 0 0 int32: EfficientNMS_TRT
int64: ArgMax ArgMin NonZero SequenceLength Shape Size
int8: com.microsoft::QuantizeWithOrder
output_datatype=float: BlackmanWindow HammingWindow HannWindow MelWeightMatrix
output_dtype=1: DequantizeLinear
output_dtype=2/uint8: QuantizeLinear
string int64: StringSplit
to: BitCast Cast
uint8: ImageDecoder
uint8 float uint8: DynamicQuantizeLinear
uint8 int64 int64: com.microsoft::QuantizeBFP
value=float: ConstantOfShape
)";

} // namespace model_validator::onnx_format
