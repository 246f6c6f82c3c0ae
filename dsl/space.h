// The schedule space of a generator: its schedule parameters with their canonical values, what makes two points one program,
// and what a point needs of the machine's memories.
//
// A generator's space is declared beside it (generators/spaces/*.cpp) and registered under the generator's name:
//
//   ScheduleSpace space("conv2d", 1);                                    // raise the version when a parameter changes meaning
//   space.choice("weights_at", {"slice", "strip", "root"}, "where weights are staged");
//   space.tile("tile_c", channels, 64, "output channels of a tile");
//   space.skip("strip is root when one tile holds all channels", [...](const Choices &c) { return ...; });
//   space.fits("spm_bytes", target.spm_bytes, [...](const Choices &c) { return ...; });
#pragma once
#include "runtime/isa/target_desc.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace emulsion {

/// One legal value: the text that the generator parameter takes, and its number (choices: the position in the list).
struct SpaceValue {
    std::string text;
    int64_t number = 0;
};

struct SpaceParameter {
    std::string name, says;
    bool is_tile = false;
    std::vector<SpaceValue> values;  ///< canonical; tiles ascending
    uint64_t raw = 0;                ///< legal values before canonical ones are chosen
};

/// A schedule: one value index per parameter of the space. Shorter: the parameters behind are still open.
using Point = std::vector<int16_t>;

class ScheduleSpace;

/// A partial schedule as constraints read it.
class Choices {
public:
    Choices(const ScheduleSpace &space, const Point &point) : space_(space), point_(point) {}

    bool open(size_t parameter) const { return parameter >= point_.size(); }
    /// Number of the value; of an open parameter the smallest.
    int64_t operator[](size_t parameter) const;
    const std::string &text(size_t parameter) const;

private:
    const ScheduleSpace &space_;
    const Point &point_;
};

struct SpaceLimit {
    std::string name;    ///< field of TargetDesc
    uint64_t limit = 0;  ///< [bytes]
    std::function<uint64_t(const Choices &)> bytes;  ///< grows with every tile; choices stand before tiles
    size_t needs = 0;    ///< parameters that must be closed before it may be asked
};

struct SpaceRule {
    std::string says;
    size_t needs = 0;  ///< parameters that must be closed
    std::function<bool(const Choices &)> skip;
};

/// Counts of a whole space.
struct SpaceCounts {
    double raw = 0;           ///< every legal combination of parameters
    uint64_t canonical = 0;   ///< without those that give the program of another point
    uint64_t fitting = 0;     ///< of these, within every limit
    uint64_t visited = 0;     ///< partial schedules looked at to count
};

class ScheduleSpace {
public:
    ScheduleSpace(std::string name, int version) : name_(std::move(name)), version_(version) {}

    /// One of `values`, in this order of preference; the parameter is the generator's.
    size_t choice(const std::string &name, const std::vector<std::string> &values, const std::string &says);
    /// A tile size of a dimension of `extent`: one size per distinct number of turns, the smallest multiple of `granule`.
    size_t tile(const std::string &name, int64_t extent, int64_t granule, const std::string &says);
    /// A number from a list.
    size_t number(const std::string &name, const std::vector<int64_t> &values, const std::string &says);

    /// Points for which `skip` holds give the program of another point. Asked once parameter `last` is closed (-1: all that are
    /// declared so far); those behind it are open then.
    void skip(const std::string &says, std::function<bool(const Choices &)> skip, int last = -1);
    /// `bytes` is asked for partial points as well: once all parameters in front of the first tile are closed. It must grow
    /// with every tile and number.
    void fits(const std::string &name, uint64_t limit, std::function<uint64_t(const Choices &)> bytes);

    const std::string &name() const { return name_; }
    int version() const { return version_; }
    const std::vector<SpaceParameter> &parameters() const { return parameters_; }
    const std::vector<SpaceLimit> &limits() const { return limits_; }
    size_t depth() const { return parameters_.size(); }

    /// Null, or the rule that makes this (partial) point another's double. Looks only at rules that the last closed parameter
    /// completes.
    const SpaceRule *double_of(const Point &point) const;
    /// Null, or the limit that no completion of the point can keep.
    const SpaceLimit *misfit(const Point &point) const;
    bool legal(const Point &point) const;  ///< complete: no rule and no limit speaks against it

    /// Generator parameters of a complete point.
    std::map<std::string, std::string> values(const Point &point) const;
    /// "weights_at=root tile_c=64": the key of a point in databases and on the command line.
    std::string key(const Point &point) const;
    /// The point of a key; empty when the key names none.
    Point point(const std::string &key) const;
    /// The point with the values of `params` where they are legal, rounded to the next legal tile; parameters that are not
    /// named take the first legal value that keeps the point legal. Empty: there is none.
    Point nearest(const std::map<std::string, std::string> &params) const;

    SpaceCounts count() const;
    /// Every legal point, in order.
    void each(const std::function<void(const Point &)> &f) const;

    /// Text of the parameters and values: equal for equal spaces.
    std::string text() const;

private:
    friend class Choices;
    bool visit(Point &point, const std::function<void(const Point &)> &f, SpaceCounts &counts) const;

    std::string name_;
    int version_;
    std::vector<SpaceParameter> parameters_;
    std::vector<SpaceRule> rules_;
    std::vector<SpaceLimit> limits_;
};

/// What a space depends on: the generator's parameters that are no schedule, and the shapes.
struct SpaceRequest {
    std::string generator;
    std::map<std::string, std::string> params;
    std::map<std::string, std::vector<int>> shapes;

    int64_t number(const std::string &param, int64_t otherwise) const;
    std::string word(const std::string &param, const std::string &otherwise) const;
    /// Extents of a buffer; empty when the request does not say.
    std::vector<int> shape(const std::string &buffer) const;
    /// Bytes of an element of the type that parameter `param` names ("int8", "float32", ...).
    int64_t bytes(const std::string &param, const std::string &otherwise) const;
};

using SpaceFactory = std::function<ScheduleSpace(const SpaceRequest &, const TargetDesc &)>;

/// Objects of this type live at namespace scope.
class RegisteredSpace {
public:
    RegisteredSpace(const char *generator, SpaceFactory factory);
};

/// Generators with a declared space, by name.
std::vector<std::string> generators_with_spaces();

/// Null when the generator declares none.
const SpaceFactory *find_space(const std::string &generator);

}  // namespace emulsion
