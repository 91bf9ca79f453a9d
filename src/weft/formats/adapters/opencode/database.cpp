// OpenCode's database, in the four layouts that it has had. All are read out as the JSON of the
// files that were there before (tree.cpp), a line for each session, message and part;
// and rows of session_message, 2.0's, with the columns put into their JSON.
//
// Rows are changed in place while an answer grows. A message's row changes when its answer is
// done, and each new part is another row: that is what the stamp counts, for to look at every
// part's time would mean to read all of a database of many gigabytes. So what is not noticed is
// a part that alone was changed, as when old output is marked as pruned. A deleted row counts.
//
// Only keys are sorted; lines are fetched one by one, so that a long session takes no memory.
// Columns that came later than the first version of a table are not asked for.
//
// The layouts share most of their SQL, so it stands here in pieces, put together when weft is
// compiled.
#include <algorithm>
#include <array>

#include "weft/formats/adapters/opencode/places.hpp"

namespace weft::formats::opencode {
namespace {

using Sql = std::string_view;

template <const Sql&... kPieces>
constexpr auto kBytes = [] {
  std::array<char, (kPieces.size() + ...)> bytes{};
  auto at = bytes.begin();
  ((at = std::ranges::copy(kPieces, at).out), ...);
  return bytes;
}();
// The pieces, one behind the other.
template <const Sql&... kPieces>
constexpr Sql kJoined(kBytes<kPieces...>.data(), kBytes<kPieces...>.size());

constexpr Sql kNothing = "";
constexpr Sql kV1Session = "session", kV2Session = "session_v2";

// When a conversation was changed last: stamps with dots between.
constexpr Sql kSelect = "SELECT s.id, ";
constexpr Sql kDot = " || '.' || ";
constexpr Sql kV1Stamp = "coalesce((SELECT time_updated FROM session WHERE id = s.id), 0)";
constexpr Sql kV2Stamp = "coalesce((SELECT time_updated FROM session_v2 WHERE id = s.id), 0)";
constexpr Sql kPartsStamp = R"(
  (SELECT count(*) || '.' || coalesce(max(time_updated), 0) FROM message
   WHERE session_id = s.id) || '.' ||
  (SELECT count(*) FROM part WHERE session_id = s.id))";
constexpr Sql kRowsStamp = R"(
  (SELECT count(*) || '.' || coalesce(max(time_updated), 0) FROM session_message
   WHERE session_id = s.id))";
constexpr Sql kOfV1 = " FROM (SELECT id FROM session) s ORDER BY s.id";
constexpr Sql kOfV2 = " FROM (SELECT id FROM session_v2) s ORDER BY s.id";
constexpr Sql kOfBoth =
    " FROM (SELECT id FROM session_v2 UNION SELECT id FROM session) s ORDER BY s.id";

// The line of a session: of the table kTable, with the columns kMore.
constexpr Sql kSessionUp = R"((
  SELECT json_object('id', s.id, 'parentID', s.parent_id, 'rootID',
    (WITH RECURSIVE up(id, parent) AS (
       SELECT id, parent_id FROM )";
constexpr Sql kSessionParent = R"( WHERE id = ?1 UNION
       SELECT a.id, a.parent_id FROM )";
constexpr Sql kSessionMembers = R"( a JOIN up ON a.id = up.parent)
     SELECT id FROM up WHERE parent IS NULL),
    'projectID', s.project_id, 'directory', s.directory, 'title', s.title,
    'version', s.version,)";
constexpr Sql kForkedFrom = " 'forkedFrom', s.fork_session_id,";
constexpr Sql kSessionTimes = R"( 'revert', s.revert,
    'time', json_object('created', s.time_created, 'updated', s.time_updated))
  FROM )";
constexpr Sql kSessionOfId = " s WHERE s.id = ?1)";
template <const Sql& kTable, const Sql& kMore>
constexpr Sql kSession = kJoined<kSessionUp, kTable, kSessionParent, kTable, kSessionMembers, kMore,
                                 kSessionTimes, kTable, kSessionOfId>;
constexpr Sql kEither = "coalesce(", kOr = ", ", kEnd = ")";
constexpr Sql kSessionOfBoth =
    kJoined<kEither, kSession<kV2Session, kForkedFrom>, kOr, kSession<kV1Session, kNothing>, kEnd>;

// The lines of messages and parts, and those of the rows of session_message.
constexpr Sql kPartLines = R"(
  WHEN 1 THEN (SELECT CASE WHEN json_valid(data)
     THEN json_set(data, '$.id', id, '$.sessionID', session_id)
     ELSE json_object('id', id, 'sessionID', session_id, 'broken', data) END
     FROM message WHERE id = k.id)
  WHEN 2 THEN (SELECT CASE WHEN json_valid(data)
     THEN json_set(data, '$.id', id, '$.messageID', message_id, '$.sessionID', session_id)
     ELSE json_object('id', id, 'messageID', message_id, 'sessionID', session_id,
                      'type', 'broken', 'data', data) END
     FROM part WHERE id = k.id))";
constexpr Sql kRowLines = R"(
  WHEN 3 THEN (SELECT CASE WHEN json_valid(data)
     THEN json_set(json_insert(data, '$.time', json('{}')), '$.id', id,
                   '$.sessionID', session_id, '$.type', type, '$.seq', seq,
                   '$.time.created', time_created)
     ELSE json_object('id', id, 'sessionID', session_id, 'seq', seq,
                      'type', 'broken', 'data', data) END
     FROM session_message WHERE id = k.id))";

// The keys that lines are sorted by: those of messages, and of their parts, that are kWhich.
constexpr Sql kMessageKeys = R"( UNION ALL
  SELECT 1, id, time_created, id, '' FROM message WHERE session_id = ?1)";
constexpr Sql kPartKeys = R"( UNION ALL
  SELECT 2, p.id, m.time_created, m.id, p.id FROM part p JOIN
    (SELECT id, time_created FROM message WHERE session_id = ?1)";
constexpr Sql kOfMessages = ") m ON p.message_id = m.id";
template <const Sql& kWhich>
constexpr Sql kKeys = kJoined<kMessageKeys, kWhich, kPartKeys, kWhich, kOfMessages>;
// If session_message has a conversation, only what came before it.
constexpr Sql kBeforeRows = R"(
    AND time_created < coalesce((SELECT min(time_created) FROM session_message
                                 WHERE session_id = ?1 AND type IN ('user', 'assistant')),
                                9e18)
    AND id NOT IN (SELECT id FROM session_message WHERE session_id = ?1))";
constexpr Sql kRowKeys = R"( UNION ALL
  SELECT 3, id, seq, '', '' FROM session_message WHERE session_id = ?1)";

constexpr Sql kLine = "SELECT k.n, CASE k.kind WHEN 0 THEN ";
constexpr Sql kInOrder = R"( END
FROM (
  SELECT row_number() OVER (ORDER BY min(kind, 1) + (kind = 3), at, message, kind, part) AS n,
         kind, id
  FROM (SELECT 0 AS kind, ?1 AS id, 0 AS at, '' AS message, '' AS part)";
constexpr Sql kFromOn = ")) k WHERE k.n > ?2 ORDER BY k.n";

// 1.2 to 1.14.
constexpr std::array<std::string_view, 3> kV1Tables = {"session", "message", "part"};
constexpr DatabaseShape kV1{
    .tables = kV1Tables,
    .conversations = kJoined<kSelect, kV1Stamp, kDot, kPartsStamp, kOfV1>,
    .lines = kJoined<kLine, kSession<kV1Session, kNothing>, kPartLines, kInOrder, kKeys<kNothing>,
                     kFromOn>,
    .rewrites = true,
    .otherwise = nullptr,
};

// 2.0 where there was nothing before.
constexpr std::array<std::string_view, 2> kV2AloneTables = {"session_v2", "session_message"};
constexpr DatabaseShape kV2Alone{
    .tables = kV2AloneTables,
    .conversations = kJoined<kSelect, kV2Stamp, kDot, kRowsStamp, kOfV2>,
    .lines =
        kJoined<kLine, kSession<kV2Session, kForkedFrom>, kRowLines, kInOrder, kRowKeys, kFromOn>,
    .rewrites = true,
    .otherwise = &kV1,
};

// 1.15 to 1.18: session_message is there, and mostly empty. Where it has a conversation, that is
// read; of the older tables only what came before it.
constexpr std::array<std::string_view, 4> kV1WithRowsTables = {"session", "message", "part",
                                                               "session_message"};
constexpr DatabaseShape kV1WithRows{
    .tables = kV1WithRowsTables,
    .conversations = kJoined<kSelect, kV1Stamp, kDot, kPartsStamp, kDot, kRowsStamp, kOfV1>,
    .lines = kJoined<kLine, kSession<kV1Session, kNothing>, kPartLines, kRowLines, kInOrder,
                     kKeys<kBeforeRows>, kRowKeys, kFromOn>,
    .rewrites = true,
    .otherwise = &kV2Alone,
};

constexpr std::array<std::string_view, 5> kDatabaseTables = {"session", "message", "part",
                                                             "session_v2", "session_message"};

}  // namespace

// 2.0 beside what it was made from. A migrated session is in both.
constinit const DatabaseShape kDatabase{
    .tables = kDatabaseTables,
    .conversations =
        kJoined<kSelect, kV2Stamp, kDot, kV1Stamp, kDot, kPartsStamp, kDot, kRowsStamp, kOfBoth>,
    .lines = kJoined<kLine, kSessionOfBoth, kPartLines, kRowLines, kInOrder, kKeys<kBeforeRows>,
                     kRowKeys, kFromOn>,
    .rewrites = true,
    .otherwise = &kV1WithRows,
};

}  // namespace weft::formats::opencode
