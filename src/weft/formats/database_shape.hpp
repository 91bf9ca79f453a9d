// Describes a format that keeps its conversations in a SQLite database: the queries that give
// them as JSON lines to the format's own reader. Ingest opens the database and runs them.
#pragma once

#include <span>
#include <string_view>

namespace weft::formats {

struct DatabaseShape {
  // A database that has all these tables is of this format.
  std::span<const std::string_view> tables;
  // Rows (name, stamp), one for each conversation, both text. The stamp changes whenever the
  // conversation does.
  std::string_view conversations;
  // Rows (cursor, line) of the conversation ?1 behind the cursor ?2, in order; the first cursor
  // is 0. Cursors are growing integers; a line is one JSON object. A row that was read never
  // changes, unless the format `rewrites`.
  std::string_view lines;
  // Rows are changed in place: a conversation with a new stamp is read from its first row. Blocks
  // keep their places, so only changed ones are woven.
  bool rewrites = false;
  // The layout of the same format in another version: tried if a table is missing.
  const DatabaseShape* otherwise = nullptr;
  // A file that is named like one of the conversations holds less of the same: it is ignored if
  // the database is read, too.
  bool wins = false;
};

}  // namespace weft::formats
