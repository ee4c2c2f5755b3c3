#!/usr/bin/env python3
"""Real models that no profile was tuned on, with random weights: traced, scripted and exported where that works.

usage: python tools/rules/holdout.py FOLDER [--only WORD]… [--formats traced,scripted,pt2]

Needs torch and the packages of the models (torchvision, timm, transformers, torchaudio, segmentation_models_pytorch,
monai, torch_geometric, diffusers, vit_pytorch); models of a package that is missing are left out. Each model is made in a
process of its own. Its inputs are in NAME.inputs.pt, next to NAME.traced.pt, NAME.scripted.pt and NAME.pt2.
"""
from __future__ import annotations

import argparse
import contextlib
import importlib
import multiprocessing
import pathlib

import exporting
import operators
import torch

SECONDS = 240
KEPT: list = []     # definitions of operators live as long as their library
ALSO_NAMED = ("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
              "box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor")


def without_libraries(action):
    """torchaudio, imported by other packages as well, without its libraries: its models need none of them."""
    glob = pathlib.Path.glob
    pathlib.Path.glob = lambda self, pattern, *rest, **named: (
        iter(()) if "torchaudio" in str(pattern) else glob(self, pattern, *rest, **named))
    try:
        return action()
    finally:
        pathlib.Path.glob = glob


def define_operators() -> None:
    """Those of torchvision, whose wheel may be built for another device than torch's: its models need only their names."""
    if KEPT:
        return
    KEPT.append(operators.define_torchvision())
    for schema in ALSO_NAMED:
        KEPT[0].define(schema)
    with contextlib.suppress(ImportError):
        without_libraries(lambda: importlib.import_module("torchaudio"))


def image(size: int, batch: int = 1):
    return lambda: (torch.rand(batch, 3, size, size),)


def tokens(length: int = 12, vocabulary: int = 99):
    return lambda: (torch.randint(2, vocabulary, (1, length)), torch.ones(1, length, dtype=torch.long))


def torchvision(name: str, **arguments):
    define_operators()
    models = importlib.import_module("torchvision").models
    return models.get_model(name, weights=None, **arguments)


def timm(name: str):
    define_operators()
    return importlib.import_module("timm").create_model(name, pretrained=False)


def transformers(kind: str, configuration: str, **settings):
    define_operators()
    package = importlib.import_module("transformers")
    config = getattr(package, configuration)(**settings)
    config.return_dict = False
    config.use_cache = False
    return getattr(package, kind)(config)


def torchaudio(name: str, *arguments, **settings):
    return of("torchaudio.models", name, *arguments, **settings)


def of(module: str, name: str, *arguments, **settings):
    define_operators()
    return getattr(importlib.import_module(module), name)(*arguments, **settings)


class Called(torch.nn.Module):
    """A model that takes its inputs by name, or returns more than tensors."""

    def __init__(self, model, call):
        super().__init__()
        self.model, self.call = model, call

    def forward(self, *inputs):
        return self.call(self.model, *inputs)


TEXT = {"vocab_size": 99, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 37}
VIT = {"dim": 48, "depth": 2, "heads": 3, "mlp_dim": 64, "num_classes": 10}


def graph():
    return torch.rand(10, 16), torch.randint(0, 10, (2, 30))


MODELS = {
    **{
        f"tv_{name}": ((lambda n=name: torchvision(n)), image(size))
        for name, size in (
            ("alexnet", 96),
            ("vgg11_bn", 64),
            ("densenet121", 64),
            ("squeezenet1_1", 96),
            ("mnasnet0_5", 64),
            ("efficientnet_b0", 64),
            ("efficientnet_v2_s", 64),
            ("regnet_y_400mf", 64),
            ("mobilenet_v2", 64),
            ("inception_v3", 128),
            ("convnext_tiny", 64),
            ("vit_b_32", 224),
            ("maxvit_t", 224),
            ("swin_v2_t", 64),
            ("resnext50_32x4d", 64),
        )
    },
    **{
        f"tv_{name}": ((lambda n=name: torchvision(n, weights_backbone=None, num_classes=4)), image(64))
        for name in ("lraspp_mobilenet_v3_large", "deeplabv3_mobilenet_v3_large", "fcn_resnet50")
    },
    "tv_r2plus1d_18": (lambda: torchvision("r2plus1d_18"), lambda: (torch.rand(1, 3, 4, 32, 32),)),
    **{
        f"timm_{name}": ((lambda n=name: timm(n)), image(size))
        for name, size in (
            ("efficientnet_lite0", 64),
            ("mobilenetv3_small_050", 64),
            ("regnetx_002", 64),
            ("repvgg_a0", 64),
            ("ghostnet_050", 64),
            ("resnest14d", 64),
            ("vit_tiny_patch16_224", 224),
            ("mixer_s32_224", 224),
            ("pit_ti_224", 224),
            ("xcit_nano_12_p16_224", 224),
            ("edgenext_xx_small", 64),
            ("efficientformer_l1", 224),
            ("mobileone_s0", 64),
            ("fastvit_t8", 64),
            ("poolformer_s12", 64),
            ("hrnet_w18_small", 64),
            ("twins_svt_small", 224),
            ("crossvit_tiny_240", 240),
            ("res2net50_14w_8s", 64),
            ("gmlp_ti16_224", 224),
            ("dm_nfnet_f0", 64),
            ("cait_xxs24_224", 224),
            ("beit_base_patch16_224", 224),
            ("volo_d1_224", 224),
            ("eca_resnet33ts", 64),
            ("skresnet18", 64),
            ("halonet26t", 256),
            ("botnet26t_256", 256),
            ("selecsls42b", 64),
            ("dpn48b", 64),
            ("vovnet39a", 64),
            ("tinynet_e", 64),
        )
    },
    "hf_distilbert": (
        lambda: transformers("DistilBertModel", "DistilBertConfig", vocab_size=99, dim=32, n_layers=2, n_heads=4, hidden_dim=37),
        tokens(),
    ),
    **{
        f"hf_{kind.lower()}": ((lambda k=kind, c=config, s=settings: transformers(k, c, **{**TEXT, **s})), tokens())
        for kind, config, settings in (
            ("RobertaModel", "RobertaConfig", {}),
            ("ElectraModel", "ElectraConfig", {"embedding_size": 16}),
            ("DebertaV2Model", "DebertaV2Config", {}),
            ("MPNetModel", "MPNetConfig", {}),
            ("SqueezeBertModel", "SqueezeBertConfig", {"embedding_size": 32}),
            ("ErnieModel", "ErnieConfig", {}),
            ("NystromformerModel", "NystromformerConfig", {"num_landmarks": 4, "segment_means_seq_len": 12}),
            ("RoFormerModel", "RoFormerConfig", {"embedding_size": 32}),
            ("YosoModel", "YosoConfig", {}),
            ("MobileBertModel", "MobileBertConfig", {"embedding_size": 32, "true_hidden_size": 32, "intra_bottleneck_size": 32}),
            ("ConvBertModel", "ConvBertConfig", {"embedding_size": 32}),
            ("FNetModel", "FNetConfig", {}),
        )
    },
    **{
        f"hf_{kind.lower()}": (
            (
                lambda k=kind, c=config, s=settings: Called(
                    transformers(k, c, **{**TEXT, **s}), lambda m, i, a: m(input_ids=i, attention_mask=a)[0]
                )
            ),
            tokens(),
        )
        for kind, config, settings in (
            ("LlamaModel", "LlamaConfig", {}),
            ("GPTNeoXModel", "GPTNeoXConfig", {}),
            ("Qwen2Model", "Qwen2Config", {"num_key_value_heads": 2}),
            ("OPTModel", "OPTConfig", {"ffn_dim": 37, "word_embed_proj_dim": 32}),
            ("BloomModel", "BloomConfig", {"n_layer": 2, "n_head": 4}),
            ("GPT2Model", "GPT2Config", {"n_embd": 32, "n_layer": 2, "n_head": 4}),
        )
    },
    "hf_segformer": (
        lambda: transformers(
            "SegformerForSemanticSegmentation",
            "SegformerConfig",
            depths=[1, 1, 1, 1],
            hidden_sizes=[8, 16, 24, 32],
            decoder_hidden_size=16,
        ),
        image(64),
    ),
    "hf_wav2vec2": (
        lambda: transformers("Wav2Vec2Model", "Wav2Vec2Config", **{**TEXT, "num_conv_pos_embeddings": 8}),
        lambda: (torch.rand(1, 4000),),
    ),
    "hf_mobilenet_v1": (lambda: transformers("MobileNetV1Model", "MobileNetV1Config"), image(64)),
    "ta_wav2letter": (lambda: torchaudio("Wav2Letter"), lambda: (torch.rand(1, 1, 2000),)),
    "ta_deepspeech": (lambda: torchaudio("DeepSpeech", 40, n_hidden=32), lambda: (torch.rand(1, 1, 10, 40),)),
    "ta_conv_tasnet": (lambda: torchaudio("ConvTasNet", msk_num_layers=2, msk_num_stacks=1), lambda: (torch.rand(1, 1, 2000),)),
    "ta_wavernn": (
        lambda: torchaudio("WaveRNN", [2, 2, 3], 8, 12, n_rnn=16, n_fc=16, n_freq=20, n_hidden=16, n_output=16, n_res_block=2),
        lambda: (torch.rand(1, 1, 48), torch.rand(1, 1, 20, 8)),
    ),
    "ta_wav2vec2": (
        lambda: torchaudio(
            "wav2vec2_model", "group_norm", None, False, 32, 0.0, 16, 4, 2, 4, 0.0, 0.0, 32, 0.0, 0.0, False, 0.0, None
        ),
        lambda: (torch.rand(1, 4000),),
    ),
    "ta_hdemucs": (lambda: torchaudio("HDemucs", ["a", "b"], nfft=512, depth=3, channels=8), lambda: (torch.rand(1, 2, 4096),)),
    **{
        f"smp_{name.lower()}": (
            (lambda n=name: of("segmentation_models_pytorch", n, "resnet18", encoder_weights=None)),
            image(64),
        )
        for name in ("FPN", "Linknet", "PSPNet", "UnetPlusPlus", "MAnet")
    },
    "monai_unet": (lambda: of("monai.networks.nets", "UNet", 2, 1, 2, (4, 8, 16), (2, 2)), lambda: (torch.rand(1, 1, 32, 32),)),
    "monai_segresnet": (lambda: of("monai.networks.nets", "SegResNet", 2, 8), lambda: (torch.rand(1, 1, 32, 32),)),
    "monai_unetr": (
        lambda: of("monai.networks.nets", "UNETR", 1, 2, (32, 32, 32), feature_size=8, hidden_size=48, mlp_dim=64, num_heads=4),
        lambda: (torch.rand(1, 1, 32, 32, 32),),
    ),
    "monai_vnet": (lambda: of("monai.networks.nets", "VNet", 3, 1, 2), lambda: (torch.rand(1, 1, 32, 32, 32),)),
    **{
        f"pyg_{name.lower()}": ((lambda n=name: of("torch_geometric.nn", n, 16, 8, 2, 4)), graph) for name in ("GraphSAGE", "GAT")
    },
    "df_autoencoder": (
        lambda: Called(
            of("diffusers", "AutoencoderKL", block_out_channels=(32,), norm_num_groups=8), lambda m, x: m(x, return_dict=False)[0]
        ),
        image(32),
    ),
    "vitp_vit": (lambda: of("vit_pytorch", "ViT", image_size=32, patch_size=8, **VIT), image(32)),
    "vitp_deepvit": (lambda: of("vit_pytorch.deepvit", "DeepViT", image_size=32, patch_size=8, **VIT), image(32)),
    "vitp_t2t": (
        lambda: of("vit_pytorch.t2t", "T2TViT", dim=48, image_size=64, depth=2, heads=3, mlp_dim=64, num_classes=10),
        image(64),
    ),
    "vitp_cct": (
        lambda: of(
            "vit_pytorch.cct",
            "CCT",
            img_size=32,
            embedding_dim=48,
            n_conv_layers=1,
            num_layers=2,
            num_heads=3,
            num_classes=10,
            kernel_size=3,
            stride=2,
            padding=1,
            pooling_kernel_size=3,
            pooling_stride=2,
            pooling_padding=1,
        ),
        image(32),
    ),
}


def write(folder: pathlib.Path, name: str, formats: list[str]) -> None:
    exporting.quiet()
    made: list = []
    make, inputs_of = MODELS[name]
    if failed := exporting.failure(lambda: made.append((make().eval(), inputs_of())), SECONDS):
        print(f"{name}: not made: {failed}", flush=True)
        return
    failed = exporting.write(folder, name, *made[0], formats, SECONDS, strict=False)
    print(f"{name}: " + ", ".join(f"{each} {why or 'ok'}" for each, why in failed.items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", action="append", default=[], help="models whose name has this word in it")
    parser.add_argument("--formats", default="traced,scripted,pt2")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in MODELS:
        if not options.only or any(word in name for word in options.only):
            child = multiprocessing.Process(target=write, args=(options.folder, name, options.formats.split(",")))
            child.start()
            child.join()


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    main()
