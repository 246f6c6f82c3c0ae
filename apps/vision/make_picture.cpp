// make_picture out.png: draws the picture that docs and tests use.
#include "apps/image/png.h"
#include "apps/vision/draw.h"

#include <cstdio>
#include <exception>

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: make_picture out.png\n");
        return 2;
    }
    try {
        emulsion::image::write_png(argv[1], emulsion::vision::draw_scene());
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    }
}
