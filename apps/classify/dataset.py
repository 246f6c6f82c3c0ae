"""Fashion-MNIST as the Debian package dataset-fashion-mnist installs it (MIT licence; Xiao, Rasul, Vollgraf 2017)."""
import gzip
import pathlib

import numpy as np

FOLDER = pathlib.Path("/usr/share/datasets/fashion-mnist")
LABELS = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")


def load(part):
    """part: "train" or "t10k". Pictures u8 N 28 28 1, classes u8 N."""
    with gzip.open(FOLDER / f"{part}-images-idx3-ubyte.gz") as file:
        pictures = np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28, 1)
    with gzip.open(FOLDER / f"{part}-labels-idx1-ubyte.gz") as file:
        classes = np.frombuffer(file.read(), np.uint8, offset=8)
    return pictures, classes


def scaled(pictures):
    return pictures.astype(np.float32) / 255
