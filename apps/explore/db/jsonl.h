// Results as JSON lines: exchange, review, version control.
#pragma once
#include "apps/explore/db/database.h"

#include <iosfwd>

namespace emulsion::explore {

void write_jsonl(const Database &database, std::ostream &out);
/// Returns how many rows were new. `name` is for messages. Raises EM814 for a line that is no result; nothing of the file is
/// kept then.
uint64_t read_jsonl(Database &database, std::istream &in, const std::string &name);

std::string to_jsonl(const StoredResult &row);
StoredResult from_jsonl(const std::string &line);

}  // namespace emulsion::explore
