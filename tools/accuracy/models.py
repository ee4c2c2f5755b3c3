"""Models of third-party packages, with random weights: each a name, and a function that yields the module and its inputs."""

import functools

import torch


def allow_torchvision():
    """PyPI's torchvision is built for CUDA: with a torch without it, its operators do not load, and importing it fails
    where it registers something for an operator that is not there. Declared first, it imports; no model here calls one."""
    library = torch.library.Library("torchvision", "DEF")
    for name in ("nms", "qnms"):
        library.define(f"{name}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    library.define("box_iou_rotated(Tensor boxes1, Tensor boxes2) -> Tensor")
    return library


KEPT_DECLARATIONS = allow_torchvision()


def image(size, batch=1):
    return (torch.rand(batch, 3, size, size),)


def torchvision_model(name, size=96, **options):
    import torchvision

    return torchvision.models.get_model(name, weights=None, **options), image(size)


def timm_model(name, size=96):
    import timm

    return timm.create_model(name, pretrained=False), image(size)


def transformers_model(model_class, config_class, **config):
    import transformers

    settings = getattr(transformers, config_class)(**config)
    settings.return_dict = settings.use_cache = False
    ids = torch.randint(2, 100, (1, 12))
    return getattr(transformers, model_class)(settings), (ids, torch.ones_like(ids))


TORCHVISION = {
    "alexnet": 96, "densenet121": 64, "efficientnet_b0": 64, "googlenet": 96, "inception_v3": 128, "mnasnet0_5": 64,
    "mobilenet_v2": 64, "mobilenet_v3_small": 64, "regnet_y_400mf": 64, "resnet18": 64, "resnext50_32x4d": 64,
    "shufflenet_v2_x0_5": 64, "squeezenet1_0": 96, "swin_t": 64, "vgg11": 64, "vit_b_32": 224, "convnext_tiny": 64,
    "fcn_resnet50": 64, "lraspp_mobilenet_v3_large": 64, "r3d_18": None,
}  # fmt: skip
# Without these they would spend a minute on initial weights, or fetch some.
TORCHVISION_OPTIONS = {
    "googlenet": {"init_weights": False}, "inception_v3": {"init_weights": False},
    "fcn_resnet50": {"weights_backbone": None}, "lraspp_mobilenet_v3_large": {"weights_backbone": None},
}  # fmt: skip
TIMM = {
    "cait_xxs24_224": 224, "convnextv2_atto": 64, "crossvit_tiny_240": 240, "deit3_small_patch16_224": 224, "dm_nfnet_f0": 96,
    "edgenext_xx_small": 96, "efficientformer_l1": 224, "ghostnet_050": 96, "hardcorenas_a": 96, "lcnet_035": 96,
    "mixer_s32_224": 224, "mobilenetv4_conv_small": 96, "mobileone_s0": 64, "pit_ti_224": 224, "poolformer_s12": 96,
    "repvgg_a0": 64, "res2net50_14w_8s": 64, "resmlp_12_224": 224, "sebotnet33ts_256": 256, "tf_efficientnetv2_b0": 64,
    "tiny_vit_5m_224": 224, "visformer_tiny": 224, "xcit_nano_12_p16_224": 224,
}  # fmt: skip
SMALL = {"vocab_size": 100, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
TRANSFORMERS = {
    "bert": ("BertModel", "BertConfig", SMALL),
    "electra": ("ElectraModel", "ElectraConfig", SMALL | {"embedding_size": 32}),
    "mpnet": ("MPNetModel", "MPNetConfig", SMALL),
    "roberta": ("RobertaForSequenceClassification", "RobertaConfig", SMALL),
}


def video():
    model, _ = torchvision_model("r3d_18")
    return model, (torch.rand(1, 3, 4, 32, 32),)


def builders():
    """Name → function that builds it."""
    found = {f"torchvision/{name}": functools.partial(torchvision_model, name, size) for name, size in TORCHVISION.items()}
    found["torchvision/r3d_18"] = video
    for name, options in TORCHVISION_OPTIONS.items():
        found[f"torchvision/{name}"] = functools.partial(torchvision_model, name, TORCHVISION[name], **options)
    found |= {f"timm/{name}": functools.partial(timm_model, name, size) for name, size in TIMM.items()}
    for name, (model, config, settings) in TRANSFORMERS.items():
        found[f"transformers/{name}"] = functools.partial(transformers_model, model, config, **settings)
    return found
