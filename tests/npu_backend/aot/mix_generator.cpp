// out(x, y) = sat(a(x, y) * k + b(x, y)) with an i32 and an f32 scalar, so that every kind of argument is passed.
#include "dsl/emulsion.h"

class Mix : public emulsion::Generator<Mix> {
public:
    static constexpr const char *says = "Two images, an integer weight and a float weight.";
    Input<Buffer<uint8_t, 2>> a{"a"}, b{"b"};
    Input<int32_t> k{"k"};
    Input<float> scale{"scale"};
    Output<Buffer<int16_t, 2>> out{"out"};

    void generate() {
        const Expr product = cast<int32_t>(a(x, y)) * k;
        out(x, y) = saturating_cast<int16_t>(product + cast<int32_t>(cast<float>(b(x, y)) * scale));
    }

    void npu_schedule() {
        Func(out).tile(x, y, xo, yo, xi, yi, 32, 8, TailStrategy::GuardWithIf);
        emulsion::stage_in(a, out, LoopLevel(out, xo));
        emulsion::stage_in(b, out, LoopLevel(out, xo));
        emulsion::stage_out(out);
    }

private:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
};

EMULSION_REGISTER_GENERATOR(Mix, mix)
