// A format whose conversations lie in a SQLite database: how they are read out of it, as JSON
// lines, for the format's own reader. Adapters say what to ask; whoever opens files asks.
#pragma once

#include <span>
#include <string_view>

namespace weft::formats {

struct DatabaseShape {
  // A database that has all these tables is of this format.
  std::span<const std::string_view> tables;
  // Rows (name, stamp): one for each conversation, both text. The stamp is another one
  // whenever the conversation has changed.
  std::string_view conversations;
  // Rows (cursor, line) of the conversation ?1 that come after the cursor ?2, in order; the
  // first time the cursor is 0. Cursors are integers and grow; a line is one JSON object, of
  // which a row once read never changes, unless it `rewrites`.
  std::string_view lines;
  // Rows are changed in place: a conversation whose stamp is another one is read from its first
  // row. Blocks keep their places, so only what changed is woven.
  bool rewrites = false;
  // How the same format was laid out at another time: asked where a table is missing.
  const DatabaseShape* otherwise = nullptr;
  // A file that is called as one of its conversations tells less of the same: it is left alone
  // wherever the database is read, too.
  bool wins = false;
};

}  // namespace weft::formats
