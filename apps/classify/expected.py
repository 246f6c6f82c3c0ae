#!/usr/bin/env python3
"""What TFLite's reference kernels compute for the sample pictures: expected/MODEL.npz, with every layer.

    python3 expected.py MODEL.tflite...
"""
import pathlib
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from PIL import Image

HERE = pathlib.Path(__file__).parent


def interpreter(data):
    it = Interpreter(model_content=data, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, experimental_preserve_all_tensors=True)
    it.allocate_tensors()
    return it


def model_input(data, picture):
    """u8 28 28 1 -> the model's input: [0, 1] as float, or the same number as int8."""
    quantized = interpreter(data).get_input_details()[0]["dtype"] == np.int8
    return (picture.astype(np.int16) - 128).astype(np.int8)[None] if quantized else (picture.astype(np.float32) / np.float32(255))[None]


def run(data, model_input):
    """Every tensor the network computes, in order: [(layer's name, array)]; the last one is the output."""
    it = interpreter(data)
    it.set_tensor(it.get_input_details()[0]["index"], model_input)
    it.invoke()
    outputs = [op["outputs"][0] for op in it._get_ops_details()]
    names = {t["index"]: t["name"] for t in it.get_tensor_details()}
    return [(names[i], it.get_tensor(i)) for i in outputs]


def write(path):
    data, arrays = path.read_bytes(), {}
    for case, picture in enumerate(sorted((HERE / "pictures").glob("*.png"))[:3]):
        arrays[f"in0_{case}"] = model_input(data, np.asarray(Image.open(picture))[:, :, None])
        layers = run(data, arrays[f"in0_{case}"])
        arrays[f"ref0_{case}"] = layers[-1][1]
        arrays |= {f"layer:{name}_{case}": array for name, array in layers}
    folder = path.parent / "expected"
    folder.mkdir(exist_ok=True)
    np.savez_compressed(folder / f"{path.stem}.npz", **arrays)


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        write(pathlib.Path(argument))
