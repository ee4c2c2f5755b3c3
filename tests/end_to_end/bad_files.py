"""Files that people hand to the program by mistake, and files made to hurt it."""

import zipfile

import torch
from torch import nn


def rewritten(source, target, ending, change, compression=zipfile.ZIP_STORED):
    """Copies a zip, with `change` applied to the bytes of the records whose name ends so; None drops the record."""
    changed = False
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", compression) as new:
        for name in old.namelist():
            before = after = old.read(name)
            if name.endswith(ending):
                after = change(before)
                changed = changed or after != before
            if after is not None:
                new.writestr(name, after)
    if not changed:
        raise ValueError(f"{target.name} is the same as {source.name}")


def not_torchscript(folder, good):
    (folder / "empty.pt").touch()
    (folder / "text.pt").write_text("just some words\n")
    (folder / "git_lfs_pointer.pt").write_text(
        "version https://git-lfs.github.com/spec/v1\n"
        "oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 46830571\n")
    with zipfile.ZipFile(folder / "other_zip.pt", "w") as other:
        other.writestr("notes.txt", "no model here\n")
    (folder / "truncated.pt").write_bytes(good.read_bytes()[:60000])
    (folder / "no_models_here").mkdir()
    (folder / "no_models_here" / "notes.txt").write_text("nothing to lint\n")
    unreadable = folder / "unreadable.pt"
    unreadable.write_bytes(good.read_bytes())
    unreadable.chmod(0)


def pickles(folder):
    model = nn.Sequential(nn.Linear(4, 4))
    torch.save(model.state_dict(), folder / "state_dict.pt")
    torch.save(model, folder / "whole_module.pt")
    torch.save(model.state_dict(), folder / "legacy.pt", _use_new_zipfile_serialization=False)


def tampered_models(folder, good):
    def tampered(name, ending, change, **options):
        rewritten(good, folder / name, ending, change, **options)

    nested = b"(" * 200_000 + b"x" + b")" * 200_000
    calls = b"torch.neg(" * 100_000 + b"x" + b")" * 100_000
    code, dropped = "aimet_models.py", lambda data: None
    tampered("newer_version.pt", "/version", lambda data: b"999\n")
    tampered("unknown_operator.pt", code, lambda data: data.replace(b"torch.view(", b"ops.nowhere.frobnicate("))
    tampered("garbage_code.pt", code, lambda data: data.replace(b"def forward", b"def \xff\x00("))
    tampered("deep_brackets.pt", code, lambda data: data.replace(b".forward(x, )", b".forward(" + nested + b", )"))
    tampered("deep_calls.pt", code, lambda data: data.replace(b".forward(x, )", b".forward(" + calls + b", )"))
    tampered("garbage_pickle.pt", "data.pkl", lambda data: b"\x80\x02}q\x01X")
    tampered("no_code.pt", (".py", ".debug_pkl"), dropped)
    tampered("no_constants.pt", "constants.pkl", dropped)
    tampered("zip_bomb.pt", "data/0", lambda data: bytes(512 << 20), compression=zipfile.ZIP_DEFLATED)


def make_all(folder, good):
    folder.mkdir()
    not_torchscript(folder, good)
    pickles(folder)
    tampered_models(folder, good)
