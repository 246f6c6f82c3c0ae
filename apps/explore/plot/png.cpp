#include "apps/explore/plot/canvas.h"
#include "runtime/diag/diag.h"

#include <cairo.h>
#include <numbers>

namespace emulsion::explore::plot {
namespace {

class PngCanvas : public Canvas {
public:
    PngCanvas(int width, int height) : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height)), c_(cairo_create(surface_)) {
        cairo_select_font_face(c_, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    }
    ~PngCanvas() override {
        cairo_destroy(c_);
        cairo_surface_destroy(surface_);
    }
    PngCanvas(const PngCanvas &) = delete;

    void line(const std::vector<At> &points, const Pen &pen) override {
        constexpr double dashes[] = {6, 4};
        colour(pen.colour);
        cairo_set_line_width(c_, pen.width);
        cairo_set_dash(c_, dashes, pen.dashed ? 2 : 0, 0);
        for (const At &p : points) cairo_line_to(c_, p.x, p.y);
        cairo_stroke(c_);
    }
    void rectangle(At corner, double width, double height, Colour fill) override {
        colour(fill);
        cairo_rectangle(c_, corner.x, corner.y, width, height);
        cairo_fill(c_);
    }
    void dot(At centre, double radius, Colour fill) override {
        colour(fill);
        cairo_arc(c_, centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
        cairo_fill(c_);
    }
    void text(At at, const std::string &words, double size, Anchor anchor, bool upright) override {
        colour({});
        cairo_set_font_size(c_, size);
        cairo_text_extents_t extents;
        cairo_text_extents(c_, words.c_str(), &extents);
        cairo_save(c_);
        cairo_move_to(c_, at.x, at.y);
        if (upright) cairo_rotate(c_, -std::numbers::pi / 2);
        cairo_rel_move_to(c_, -extents.x_advance * static_cast<int>(anchor) / 2, 0);  // start, middle, end
        cairo_show_text(c_, words.c_str());
        cairo_restore(c_);
        cairo_new_path(c_);
    }
    std::string finish() override {
        std::string bytes;
        const auto append = [](void *to, const unsigned char *data, unsigned int size) {
            static_cast<std::string *>(to)->append(reinterpret_cast<const char *>(data), size);
            return CAIRO_STATUS_SUCCESS;
        };
        const cairo_status_t status = cairo_surface_write_to_png_stream(surface_, append, &bytes);
        if (status != CAIRO_STATUS_SUCCESS) raise(Diag::internal_error, {}, "drawing a PNG", std::string(cairo_status_to_string(status)));
        return bytes;
    }

private:
    void colour(Colour v) { cairo_set_source_rgb(c_, v.r / 255.0, v.g / 255.0, v.b / 255.0); }

    cairo_surface_t *surface_;
    cairo_t *c_;
};

}  // namespace

std::unique_ptr<Canvas> png_canvas(int width, int height) { return std::make_unique<PngCanvas>(width, height); }

}  // namespace emulsion::explore::plot
