// One differential case: a generator with parameters and shapes, drawn from a seed.
#pragma once
#include <cstdint>
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace emulsion::differential {

struct Case {
    std::string generator;
    std::map<std::string, std::string> algorithm{};  ///< parameters that change the bits
    std::map<std::string, std::string> schedule{};   ///< parameters that must not
    std::map<std::string, std::vector<int>> extents{};  ///< of every output, and of inputs that do not follow from them
    bool symbolic = false;                          ///< compile without shapes
    std::string target = "mobile";
    uint64_t seed = 0;
};

/// Draws values for one case. Small extents are as likely as large ones, so that tails and primes are common.
class Draw {
public:
    explicit Draw(uint64_t seed) : engine_(seed) {}

    int between(int lo, int hi) { return lo + static_cast<int>(engine_() % static_cast<uint64_t>(hi - lo + 1)); }
    bool chance(int percent) { return between(1, 100) <= percent; }
    template<typename T>
    T pick(std::initializer_list<T> list) { return list.begin()[between(0, static_cast<int>(list.size()) - 1)]; }
    std::string pick(std::initializer_list<const char *> list) { return list.begin()[between(0, static_cast<int>(list.size()) - 1)]; }

    /// An extent in 1..most: one third small primes and neighbours of powers of two, the rest uniform.
    int extent(int most) {
        if (chance(35)) {
            const int e = pick({1, 2, 3, 5, 7, 8, 9, 13, 16, 17, 31, 32, 33, 37, 63, 64, 65, 97, 127, 128, 129, 211, 255, 257, 293});
            if (e <= most) return e;
        }
        return between(1, most);
    }
    /// An extent such that `used` * result <= budget.
    int extent(int most, int64_t used, int64_t budget) {
        return extent(static_cast<int>(std::max<int64_t>(1, std::min<int64_t>(most, budget / std::max<int64_t>(1, used)))));
    }
    uint64_t next() { return engine_(); }

private:
    std::mt19937_64 engine_;
};

/// How one generator's cases are drawn and judged.
struct Space {
    const char *generator;
    Case (*draw)(Draw &);
    int ulps;  ///< allowed distance for float outputs, in units in the last place of the largest element; integers are exact
};

extern const std::vector<Space> tensor_spaces, image_spaces;

/// Both lists.
std::vector<Space> all_spaces();

/// Raises emulsion::Error or returns a description of the first difference; "" when the bits agree.
std::string run_case(const Case &c, int ulps);

/// The command that repeats a case.
std::string repeat_command(const Case &c);


}  // namespace emulsion::differential
