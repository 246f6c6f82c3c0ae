"""Writes litert_movement_cases.txt: as make_litert_cases.py, for operators that move, compare or index elements.

    python tests/graph/ops/make_litert_movement_cases.py > tests/graph/ops/litert_movement_cases.txt
"""
from ai_edge_litert import schema_py_generated as fb
import numpy as np

from make_litert_cases import ACTIVATIONS, T, emit, integers, options, quantised_input, random, real, run

B, O = fb.BuiltinOperator, fb.BuiltinOptions


def tensor(type, *shape):
    if type == "f32":
        return T("f32", real(*shape))
    if type == "boolean":
        return T("boolean", random.integers(0, 2, shape))
    return T(type, random.integers(-100 if type != "u8" else 0, 100, shape))


def like(x, shape):
    return T(x.type, None, x.scale or None, x.zero or None, shape=shape)


def resize(name, op, type, shape, size, align=False, half=False):
    x = tensor("f32", *shape) if type == "f32" else quantised_input(type, *shape)
    y = like(x, [shape[0], *size, shape[3]])
    code, kind, make = (B.RESIZE_BILINEAR, O.ResizeBilinearOptions, fb.ResizeBilinearOptionsT) if op == "resize_bilinear" else \
        (B.RESIZE_NEAREST_NEIGHBOR, O.ResizeNearestNeighborOptions, fb.ResizeNearestNeighborOptionsT)
    run(code, kind, options(make, alignCorners=align, halfPixelCenters=half), [x, T("i32", size, const=True)], [y], version=3)
    emit(name, op, dict(size=list(size), align_corners=int(align), half_pixel_centers=int(half)), [x], y)


def concat(name, types, axis, shapes, scales=None, out_scale=None):
    xs = [tensor("f32", *s) if types == "f32" else T(types, integers(types, *s), scales[k][0], scales[k][1]) for k, s in enumerate(shapes)]
    shape = list(shapes[0])
    shape[axis] = sum(s[axis] for s in shapes)
    y = T(types, None, *(out_scale or (None, None)), shape=shape)
    run(B.CONCATENATION, O.ConcatenationOptions, options(fb.ConcatenationOptionsT, axis=axis), xs, [y], version=2)
    emit(name, "concat", dict(axis=axis), xs, y)


COMPARE = {"equal": "EQUAL", "not_equal": "NOT_EQUAL", "less": "LESS", "less_equal": "LESS_EQUAL", "greater": "GREATER", "greater_equal": "GREATER_EQUAL"}


def compare(name, function, type, a_shape, b_shape, scales=((0.05, 3), (0.05, 3))):
    if type in ("i8", "u8"):
        a, b = (T(type, integers(type, *s), *q) for s, q in zip((a_shape, b_shape), scales))
    else:
        a, b = T(type, random.integers(-3, 4, a_shape)), T(type, random.integers(-3, 4, b_shape))
    y = T("boolean", None, shape=list(np.broadcast_shapes(a_shape, b_shape)))
    key = COMPARE[function]
    camel = "".join(w.capitalize() for w in key.split("_"))
    run(getattr(B, key), getattr(O, camel + "Options"), getattr(fb, camel + "OptionsT")(), [a, b], [y], version=2)
    emit(name, "compare", dict(function=function), [a, b], y)


def binary(name, op, code, kind, make, type, a, b, attributes, **fields):
    y = T(type, None, shape=list(np.broadcast_shapes(a.shape, b.shape)))
    run(code, kind, options(make, **fields), [a, b], [y], version=1)
    emit(name, op, attributes, [a, b], y)


def space_to_batch(name, type, shape, block, pad):
    x = quantised_input(type, *shape) if type != "f32" else tensor(type, *shape)
    h, w = shape[1] + pad[0] + pad[2], shape[2] + pad[1] + pad[3]
    y = like(x, [shape[0] * block[0] * block[1], h // block[0], w // block[1], shape[3]])
    inputs = [x, T("i32", block, const=True), T("i32", [[pad[0], pad[2]], [pad[1], pad[3]]], const=True)]
    run(B.SPACE_TO_BATCH_ND, O.SpaceToBatchNDOptions, fb.SpaceToBatchNDOptionsT(), inputs, [y], version=2)
    emit(name, "space_to_batch", dict(block=list(block), padding=list(pad)), [x], y)
    back = like(x, shape)
    inputs[0] = T(type, y.data, x.scale or None, x.zero or None)
    run(B.BATCH_TO_SPACE_ND, O.BatchToSpaceNDOptions, fb.BatchToSpaceNDOptionsT(), inputs, [back], version=2)
    emit(name.replace("space_to_batch", "batch_to_space"), "batch_to_space", dict(block=list(block), crop=list(pad)), inputs[:1], back)


def one_input(name, op, code, kind, o, x, y, attributes, constants=(), version=1):
    run(code, kind, o, [x, *constants], [y], version=version)
    emit(name, op, attributes, [x], y)


def main():
    print("# Made by make_litert_movement_cases.py; LiteRT reference kernels.")
    for type in ("f32", "u8", "i8", "i16"):
        for label, align, half in (("", False, False), ("_align", True, False), ("_half", False, True)):
            resize(f"resize_bilinear_{type}{label}_up", "resize_bilinear", type, (1, 5, 7, 3), (13, 17), align, half)
            resize(f"resize_bilinear_{type}{label}_down", "resize_bilinear", type, (2, 11, 9, 2), (4, 5), align, half)
            if type != "i16":
                resize(f"resize_nearest_{type}{label}_up", "resize_nearest", type, (1, 5, 7, 3), (13, 17), align, half)
                resize(f"resize_nearest_{type}{label}_down", "resize_nearest", type, (2, 11, 9, 2), (4, 5), align, half)
    resize("resize_nearest_i8_both", "resize_nearest", "i8", (1, 5, 7, 3), (13, 17), True, True)
    resize("resize_bilinear_u8_one", "resize_bilinear", "u8", (1, 1, 1, 5), (3, 4))
    concat("concat_f32", "f32", 3, [(1, 2, 3, 4), (1, 2, 3, 2)])
    concat("concat_i8", "i8", 1, [(1, 2, 3, 4), (1, 5, 3, 4)], [(0.1, 3)] * 2, (0.1, 3))
    concat("concat_u8_rescaled", "u8", 3, [(1, 2, 3, 40), (1, 2, 3, 25)], [(0.11, 100), (0.047, 128)], (0.11, 100))
    concat("concat_u8_rescaled_all", "u8", 1, [(3, 40), (3, 25), (3, 90)], [(0.11, 100), (0.047, 128), (0.3, 0)], (0.17, 90))
    for function in COMPARE:
        compare(f"compare_{function}_f32", function, "f32", (3, 4), (3, 4))
        compare(f"compare_{function}_i32", function, "i32", (3, 4), (4,))
        compare(f"compare_{function}_u8", function, "u8", (4, 60), (4, 60), ((0.05, 121), (0.03, 100)))
    compare("compare_equal_i8", "equal", "i8", (400,), (400,))
    compare("compare_less_i8_coarse", "less", "i8", (300,), (300,), ((0.0011, 3), (0.0013, -7)))
    binary("div_f32", "div", B.DIV, O.DivOptions, fb.DivOptionsT, "f32", tensor("f32", 3, 5), tensor("f32", 3, 5), dict(activation="relu6"), fusedActivationFunction=ACTIVATIONS["relu6"])
    nonzero = T("i32", np.where(random.integers(0, 2, (5,)) > 0, 7, -6))
    binary("div_i32", "div", B.DIV, O.DivOptions, fb.DivOptionsT, "i32", tensor("i32", 3, 5), nonzero, dict(activation="none"), fusedActivationFunction=0)
    for op in ("minimum", "maximum"):
        for type in ("f32", "i32", "i8"):
            binary(f"{op}_{type}", op, getattr(B, op.upper()), O.MaximumMinimumOptions, fb.MaximumMinimumOptionsT, type, tensor(type, 2, 3, 4), tensor(type, 3, 1), {})
    binary("pow_f32", "pow", B.POW, O.PowOptions, fb.PowOptionsT, "f32", T("f32", abs(real(30))), tensor("f32", 30), {})
    binary("floor_mod_f32", "modulo", B.FLOOR_MOD, O.FloorModOptions, fb.FloorModOptionsT, "f32", T("f32", real(60, low=-100, high=100)), tensor("f32", 60), {})
    binary("floor_mod_i32", "modulo", B.FLOOR_MOD, O.FloorModOptions, fb.FloorModOptionsT, "i32", tensor("i32", 40), T("i32", np.where(np.arange(40) % 2, 7, -6)), {})
    condition, a, b = tensor("boolean", 3, 1), tensor("f32", 3, 4), tensor("f32", 4)
    y = T("f32", None, shape=[3, 4])
    run(B.SELECT_V2, O.SelectV2Options, fb.SelectV2OptionsT(), [condition, a, b], [y])
    emit("select_f32", "select", {}, [condition, a, b], y)
    space_to_batch("space_to_batch_i8", "i8", (1, 6, 8, 3), (2, 2), (0, 0, 0, 0))
    space_to_batch("space_to_batch_u8_padded", "u8", (2, 5, 7, 2), (2, 3), (1, 1, 2, 1))
    space_to_batch("space_to_batch_f32_dilated", "f32", (1, 5, 5, 2), (4, 4), (4, 4, 3, 7))
    for type in ("f32", "i8"):
        x = tensor(type, 1, 4, 6, 5)
        y = T(type, None, shape=[1, 2, 3, 20])
        one_input(f"space_to_depth_{type}", "space_to_depth", B.SPACE_TO_DEPTH, O.SpaceToDepthOptions, options(fb.SpaceToDepthOptionsT, blockSize=2), x, y, dict(block=2))
        back = T(type, None, shape=[1, 4, 6, 5])
        one_input(f"depth_to_space_{type}", "depth_to_space", B.DEPTH_TO_SPACE, O.DepthToSpaceOptions, options(fb.DepthToSpaceOptionsT, blockSize=2), T(type, y.data), back, dict(block=2))
        x = quantised_input("i8", 2, 3, 4) if type == "i8" else tensor(type, 2, 3, 4)
        one_input(f"pad_{type}", "pad", B.PAD, O.PadOptions, fb.PadOptionsT(), x, like(x, [3, 3, 7]), dict(before=[1, 0, 1], after=[0, 0, 2]),
                  [T("i32", [[1, 0], [0, 0], [1, 2]], const=True)])
        for mode, code in (("reflect", 0), ("symmetric", 1)):
            one_input(f"pad_{mode}_{type}", "pad", B.MIRROR_PAD, O.MirrorPadOptions, options(fb.MirrorPadOptionsT, mode=code), x, like(x, [3, 3, 7]),
                      dict(before=[1, 0, 1], after=[0, 0, 2], mode=mode), [T("i32", [[1, 0], [0, 0], [1, 2]], const=True)])
        for function in ("max", "min"):
            x = T(type, random.integers(-3, 4, (3, 11, 4)))
            one_input(f"arg_{function}_{type}", "arg_reduce", B.ARG_MAX if function == "max" else B.ARG_MIN, O.ArgMaxOptions if function == "max" else O.ArgMinOptions,
                      options(fb.ArgMaxOptionsT if function == "max" else fb.ArgMinOptionsT, outputType=fb.TensorType.INT32), x, T("i32", None, shape=[3, 4]),
                      dict(function=function, axis=1), [T("i32", 1, const=True)])
    for k, (exclusive, reverse) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1))):
        one_input(f"cumulative_sum_{k}", "cumulative_sum", B.CUMSUM, O.CumsumOptions, options(fb.CumsumOptionsT, exclusive=bool(exclusive), reverse=bool(reverse)),
                  tensor("f32", 3, 17), T("f32", None, shape=[3, 17]), dict(axis=1, exclusive=exclusive, reverse=reverse), [T("i32", 1, const=True)])
    x, indices = tensor("f32", 3, 5, 4), T("i32", [[4, 0], [2, 2]])
    y = T("f32", None, shape=[3, 2, 2, 4])
    run(B.GATHER, O.GatherOptions, options(fb.GatherOptionsT, axis=1, batchDims=0), [x, indices], [y])
    emit("gather_f32", "gather", dict(axis=1), [x, indices], y)
    indices, y = T("i32", [4, -1, 0, 7]), T("f32", None, shape=[4, 5])
    run(B.ONE_HOT, O.OneHotOptions, options(fb.OneHotOptionsT, axis=-1), [indices, T("i32", 5, const=True), T("f32", 2.5, const=True), T("f32", -1, const=True)], [y])
    emit("one_hot_f32", "one_hot", dict(depth=5, on=2.5, off=-1.0), [indices], y)
    for to in ("i32", "i8", "i64", "boolean"):
        x, y = T("f32", np.concatenate([real(20, low=-100, high=100), np.float32([0, 0.4, -0.4, 2.999, -2.999])])), T(to, None, shape=[25])
        run(B.CAST, O.CastOptions, options(fb.CastOptionsT), [x], [y])
        emit(f"cast_f32_{to}", "cast", {}, [x], y)
    x, y = T("i64", [2**33 + 5, -(2**31) - 1, 7, -7, 300]), T("i32", None, shape=[5])
    run(B.CAST, O.CastOptions, options(fb.CastOptionsT), [x], [y])
    emit("cast_i64_i32", "cast", {}, [x], y)


if __name__ == "__main__":
    main()
