#include "apps/emulsion/npz.h"

#include "apps/emulsion/npy.h"
#include "apps/emulsion/request.h"
#include "runtime/diag/diag.h"

#include <memory>
#include <zip.h>

namespace emulsion::command {

namespace {
constexpr uint64_t most_bytes = uint64_t{1} << 31;  ///< of one array, unpacked
}

std::map<std::string, Halide::Buffer<>> read_npz(const std::string &path) {
    const auto refuse = [&](const std::string &why) { raise(Diag::tensor_file_broken, {}, path, why); };
    read_file(path);  // EM603 with the path, where the library only has a number
    const std::unique_ptr<zip_t, decltype(&zip_discard)> archive(zip_open(path.c_str(), ZIP_RDONLY, nullptr), zip_discard);
    if (!archive) refuse("not a NumPy archive");
    std::map<std::string, Halide::Buffer<>> arrays;
    const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
    for (zip_int64_t k = 0; k < count; k++) {
        zip_stat_t info;
        if (zip_stat_index(archive.get(), static_cast<zip_uint64_t>(k), 0, &info) != 0 || !(info.valid & ZIP_STAT_SIZE) || info.size > most_bytes) refuse("an entry is damaged");
        const std::unique_ptr<zip_file_t, decltype(&zip_fclose)> file(zip_fopen_index(archive.get(), static_cast<zip_uint64_t>(k), 0), zip_fclose);
        std::vector<uint8_t> bytes(info.size);
        if (!file || zip_fread(file.get(), bytes.data(), bytes.size()) != static_cast<zip_int64_t>(bytes.size())) refuse("an entry is damaged");
        std::string name = info.name;
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        arrays[name] = parse_npy(path + ":" + name, bytes);
    }
    return arrays;
}

}  // namespace emulsion::command
