// The late table `edits`: the index of edits. What the tool calls of each conversation changed in
// files, and a way from the name of a file to the conversations that edit it (edit_names.hpp).
#pragma once

#include "weft/store/sql/late/late_table.hpp"

namespace weft::store::sql {

const LateTable& edit_table();

}  // namespace weft::store::sql
