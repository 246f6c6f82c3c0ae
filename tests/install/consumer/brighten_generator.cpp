// out(x, y) = in(x, y) + offset, saturated.
#include "dsl/emulsion.h"

class Brighten : public emulsion::Generator<Brighten> {
public:
    static constexpr const char *says = "Adds an offset to every pixel.";
    Input<Buffer<uint8_t, 2>> in{"in"};
    Input<int32_t> offset{"offset"};
    Output<Buffer<uint8_t, 2>> out{"out"};

    void generate() { out(x, y) = saturating_cast<uint8_t>(cast<int32_t>(in(x, y)) + offset); }

    void npu_schedule() {
        Func(out).tile(x, y, xo, yo, xi, yi, 64, 16, TailStrategy::GuardWithIf);
        emulsion::stage_in(in, out, LoopLevel(out, xo));
        emulsion::stage_out(out);
    }

private:
    Var x{"x"}, y{"y"}, xo{"xo"}, yo{"yo"}, xi{"xi"}, yi{"yi"};
};

EMULSION_REGISTER_GENERATOR(Brighten, brighten)
