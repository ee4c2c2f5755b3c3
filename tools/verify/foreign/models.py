"""Small models of many architectures, with random weights, as transformers and diffusers define them."""
from __future__ import annotations

from typing import Any

import torch
from torch import nn

ROWS, WIDTH, LAYERS, HEADS = 160, 64, 2, 4
DECODER: dict[str, Any] = {
    "vocab_size": ROWS, "hidden_size": WIDTH, "intermediate_size": 96, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
    "num_key_value_heads": 2, "max_position_embeddings": 128, "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
ENCODER: dict[str, Any] = {
    "vocab_size": ROWS, "hidden_size": WIDTH, "intermediate_size": 96, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
    "max_position_embeddings": 128}


def _stirred(model: nn.Module) -> nn.Module:
    """Weights as large as trained ones: a fresh model's are so small that layers hardly change what they read."""
    generator = torch.Generator().manual_seed(1)
    for name, weight in model.named_parameters():
        with torch.no_grad():
            if weight.dim() > 1:
                weight.copy_(torch.randn(weight.shape, generator=generator) / max(weight[0].numel(), 1) ** 0.5)
            elif "bias" in name:
                weight.copy_(0.1 * torch.randn(weight.shape, generator=generator))
            else:
                weight.copy_(1 + 0.1 * torch.randn(weight.shape, generator=generator))
    return model.eval()


class Policy(nn.Module):
    """A robot's policy in the manner of ACT: images and joints in, a chunk of actions out."""

    def __init__(self) -> None:
        super().__init__()
        self.eyes = nn.Sequential(nn.Conv2d(3, 16, 5, 4), nn.BatchNorm2d(16), nn.ReLU(), nn.Conv2d(16, WIDTH, 3, 4))
        self.joints = nn.Linear(6, WIDTH)
        encoder = nn.TransformerEncoderLayer(WIDTH, HEADS, 64, dropout=0, batch_first=True)
        decoder = nn.TransformerDecoderLayer(WIDTH, HEADS, 64, dropout=0, batch_first=True)
        self.encoder = nn.TransformerEncoder(encoder, LAYERS, enable_nested_tensor=False)
        self.decoder = nn.TransformerDecoder(decoder, LAYERS)
        self.queries = nn.Parameter(torch.randn(10, WIDTH))
        self.hand = nn.Linear(WIDTH, 6)

    def forward(self, observation_image: torch.Tensor, observation_state: torch.Tensor) -> torch.Tensor:
        seen = self.eyes(observation_image).flatten(2).transpose(1, 2)
        memory = self.encoder(torch.cat([seen, self.joints(observation_state)[:, None]], 1))
        result: torch.Tensor = self.hand(self.decoder(self.queries.expand(memory.shape[0], -1, -1), memory))
        return result


class Controller(nn.Module):
    """A policy whose state is an input and an output."""

    def __init__(self) -> None:
        super().__init__()
        self.core = nn.GRUCell(12, WIDTH)
        self.hand = nn.Linear(WIDTH, 4)

    def forward(self, observation: torch.Tensor, past_hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.core(observation, past_hidden)
        return self.hand(hidden).tanh(), hidden


def decoders() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Name: class of configuration, class of model, settings."""
    gpt = {"vocab_size": ROWS, "n_embd": WIDTH, "n_layer": LAYERS, "n_head": HEADS, "n_positions": 128, "bos_token_id": 1, "eos_token_id": 2}
    opt = {"vocab_size": ROWS, "hidden_size": WIDTH, "ffn_dim": 64, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS,
           "max_position_embeddings": 128, "word_embed_proj_dim": WIDTH}
    return {
        "llama": ("LlamaConfig", "LlamaForCausalLM", DECODER),
        "qwen2": ("Qwen2Config", "Qwen2ForCausalLM", DECODER),
        "qwen3": ("Qwen3Config", "Qwen3ForCausalLM", DECODER | {"head_dim": 16}),
        "mistral": ("MistralConfig", "MistralForCausalLM", DECODER | {"sliding_window": None}),
        "phi": ("PhiConfig", "PhiForCausalLM", DECODER | {"num_key_value_heads": HEADS}),
        "phi3": ("Phi3Config", "Phi3ForCausalLM", DECODER | {"original_max_position_embeddings": 128}),
        "gemma2": ("Gemma2Config", "Gemma2ForCausalLM", DECODER | {"head_dim": 16, "sliding_window": 64}),
        "gpt2": ("GPT2Config", "GPT2LMHeadModel", gpt),
        "opt": ("OPTConfig", "OPTForCausalLM", opt),
        "bloom": ("BloomConfig", "BloomForCausalLM", {"vocab_size": ROWS, "hidden_size": WIDTH, "n_layer": LAYERS, "n_head": HEADS}),
        "gpt_neox": ("GPTNeoXConfig", "GPTNeoXForCausalLM", {k: v for k, v in DECODER.items() if k != "num_key_value_heads"}),
    }


def others() -> dict[str, tuple[str, str, dict[str, Any]]]:
    """Name: class of configuration, class of model, settings."""
    picture = {"hidden_size": WIDTH, "intermediate_size": 96, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "image_size": 32,
               "patch_size": 8}
    text = ENCODER | {"eos_token_id": 2, "bos_token_id": 1}
    both = {"vocab_size": ROWS, "d_model": WIDTH, "encoder_layers": LAYERS, "decoder_layers": LAYERS, "encoder_attention_heads": HEADS,
            "decoder_attention_heads": HEADS, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "bos_token_id": 1, "eos_token_id": 2,
            "pad_token_id": 0, "decoder_start_token_id": 2}
    sound = {"hidden_size": WIDTH, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "intermediate_size": 96, "vocab_size": 30,
             "conv_dim": (16, 16), "conv_kernel": (10, 4), "conv_stride": (5, 4), "num_feat_extract_layers": 2,
             "num_conv_pos_embeddings": 16, "num_conv_pos_embedding_groups": 4}
    t5 = {"vocab_size": ROWS, "d_model": WIDTH, "d_kv": 8, "d_ff": 64, "num_layers": LAYERS, "num_heads": HEADS, "decoder_start_token_id": 0}
    return {
        "bert": ("BertConfig", "BertModel", ENCODER),
        "roberta": ("RobertaConfig", "RobertaForSequenceClassification", ENCODER),
        "distilbert": ("DistilBertConfig", "DistilBertForTokenClassification",
                       {"vocab_size": ROWS, "dim": WIDTH, "hidden_dim": 64, "n_layers": LAYERS, "n_heads": HEADS, "max_position_embeddings": 128}),
        "albert": ("AlbertConfig", "AlbertForQuestionAnswering", ENCODER | {"embedding_size": 16}),
        "vit": ("ViTConfig", "ViTForImageClassification", picture),
        "clip": ("CLIPConfig", "CLIPModel", {"text_config": text, "vision_config": picture, "projection_dim": 16}),
        "wav2vec2": ("Wav2Vec2Config", "Wav2Vec2ForCTC", sound),
        "t5": ("T5Config", "T5ForConditionalGeneration", t5),
        "bart": ("BartConfig", "BartForConditionalGeneration", both | {"max_position_embeddings": 64}),
        "whisper": ("WhisperConfig", "WhisperForConditionalGeneration",
                    both | {"num_mel_bins": 80, "max_source_positions": 1500, "max_target_positions": 64}),
    }


def of_transformers(name: str) -> Any:
    import transformers

    configuration, model, settings = (decoders() | others())[name]
    torch.manual_seed(0)
    config = getattr(transformers, configuration)(**settings)
    config._attn_implementation = "eager"
    return _stirred(getattr(transformers, model)(config)).requires_grad_(False)


def unet() -> nn.Module:
    from diffusers import UNet2DConditionModel

    return _stirred(UNet2DConditionModel(
        sample_size=16, block_out_channels=(16, 32), layers_per_block=1, down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"), cross_attention_dim=WIDTH, attention_head_dim=8, norm_num_groups=8))


def policy() -> nn.Module:
    torch.manual_seed(0)
    return _stirred(Policy())


def controller() -> nn.Module:
    torch.manual_seed(0)
    return _stirred(Controller())
