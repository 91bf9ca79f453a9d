#include "weft/store/postgres/table_steps.hpp"

#include <array>

#include "weft/store/postgres/tables.hpp"

namespace weft::store::sql {
namespace {

// Keys are numbers and bytes, and text is compared
// byte by byte: a library that sorts words otherwise cannot break an index.
constexpr std::string_view kVersion1 = R"sql(
CREATE TABLE web (
  id $BYTES NOT NULL,
  version BIGINT NOT NULL
);
CREATE TABLE names (
  id BIGINT PRIMARY KEY,
  cid $BYTES NOT NULL
);
CREATE TABLE name_hashes (
  hash BIGINT NOT NULL,
  id BIGINT NOT NULL,
  PRIMARY KEY (hash, id)
);
CREATE TABLE words (
  id $COUNTED,
  text $TEXT NOT NULL UNIQUE
);
CREATE TABLE thoughts (
  id BIGINT PRIMARY KEY,
  type BIGINT NOT NULL,
  created_by BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  source BIGINT,
  because $BYTES,
  signature $BYTES NOT NULL,
  metadata $BYTES,
  content $BYTES,
  body $BYTES NOT NULL
);
CREATE TABLE effects (
  cause BIGINT NOT NULL,
  thought BIGINT NOT NULL,
  PRIMARY KEY (cause, thought)
);
CREATE TABLE connections (
  id BIGINT PRIMARY KEY,
  relation BIGINT NOT NULL,
  from_id BIGINT NOT NULL,
  to_id BIGINT NOT NULL,
  label BIGINT,
  position BIGINT,
  created_by BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  signature $BYTES NOT NULL
);
CREATE INDEX connections_from ON connections (from_id);
CREATE INDEX connections_to ON connections (to_id);
CREATE TABLE conversations (
  id BIGINT PRIMARY KEY,
  format $TEXT NOT NULL,
  session_id $TEXT NOT NULL,
  source $TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  facts BIGINT,
  checkpoint BIGINT,
  turns BIGINT NOT NULL DEFAULT 0,
  blocks BIGINT NOT NULL DEFAULT 0,
  thoughts BIGINT NOT NULL DEFAULT 0,
  touched BIGINT NOT NULL,
  adopted BIGINT NOT NULL
);
CREATE INDEX conversations_heading ON conversations (session_id, format, source);
CREATE INDEX conversations_touched ON conversations (touched);
CREATE TABLE runs (
  first BIGINT PRIMARY KEY,
  last BIGINT NOT NULL,
  conversation BIGINT NOT NULL
);
CREATE INDEX runs_conversation ON runs (conversation, first);
CREATE TABLE shares (
  id $COUNTED,
  conversation BIGINT NOT NULL,
  thought BIGINT NOT NULL,
  before BIGINT NOT NULL,
  UNIQUE (conversation, thought)
);
CREATE INDEX shares_thought ON shares (thought);
CREATE TABLE places (
  conversation BIGINT NOT NULL,
  key $BYTES NOT NULL,
  thought BIGINT NOT NULL,
  PRIMARY KEY (conversation, key)
);
CREATE TABLE checkpoints (
  seq $COUNTED,
  id BIGINT NOT NULL UNIQUE,
  conversation BIGINT NOT NULL,
  leaves $BYTES
);
CREATE INDEX checkpoints_conversation ON checkpoints (conversation, seq);
CREATE TABLE sources (
  id $COUNTED,
  key $BYTES NOT NULL UNIQUE,
  revision BIGINT NOT NULL,
  format $TEXT NOT NULL,
  about $BYTES NOT NULL,
  device BIGINT NOT NULL,
  inode BIGINT NOT NULL,
  modified BIGINT NOT NULL,
  size BIGINT NOT NULL,
  woven BIGINT NOT NULL,
  lines BIGINT NOT NULL,
  archived BIGINT NOT NULL,
  print $BYTES NOT NULL,
  generation BIGINT NOT NULL,
  adapter_version BIGINT NOT NULL,
  weave_version BIGINT NOT NULL,
  ingested_at BIGINT NOT NULL,
  state $BYTES NOT NULL
);
CREATE INDEX sources_file ON sources (inode, device);
CREATE TABLE source_conversations (
  source BIGINT NOT NULL,
  conversation BIGINT NOT NULL,
  PRIMARY KEY (source, conversation)
);
CREATE INDEX source_conversations_conversation ON source_conversations (conversation);
CREATE TABLE archive (
  id $COUNTED,
  source BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  seq BIGINT NOT NULL,
  size BIGINT NOT NULL,
  sealed $BYTES NOT NULL,
  leans_on $BYTES,
  UNIQUE (source, generation, seq)
);
CREATE TABLE marks (
  key $BYTES PRIMARY KEY,
  call BIGINT NOT NULL
);
CREATE INDEX marks_call ON marks (call);
CREATE TABLE waits (
  key $BYTES NOT NULL,
  conversation BIGINT NOT NULL,
  PRIMARY KEY (key, conversation)
);
CREATE INDEX waits_conversation ON waits (conversation);
CREATE TABLE forgotten (
  key $BYTES PRIMARY KEY,
  tombstone BIGINT NOT NULL
);
CREATE TABLE tombstones (
  cid $BYTES NOT NULL,
  tombstone BIGINT NOT NULL,
  PRIMARY KEY (cid, tombstone)
);
CREATE TABLE wipes (
  tombstone BIGINT PRIMARY KEY
);
CREATE TABLE search_state (
  epoch BIGINT NOT NULL,
  documents BIGINT NOT NULL,
  behind BIGINT NOT NULL
);
CREATE TABLE search_keys (
  part BIGINT NOT NULL,
  key $TEXT NOT NULL,
  PRIMARY KEY (part, key)
);
CREATE TABLE search_documents (
  page BIGINT PRIMARY KEY,
  documents $BYTES NOT NULL
);
CREATE TABLE late_tables (
  name $TEXT PRIMARY KEY,
  version BIGINT NOT NULL,
  behind BIGINT NOT NULL
);
CREATE TABLE catalogue (
  conversation BIGINT PRIMARY KEY,
  parent BIGINT,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES
);
CREATE INDEX catalogue_parent ON catalogue (parent) WHERE parent IS NOT NULL;
CREATE TABLE tallies (
  conversation BIGINT PRIMARY KEY,
  clear $BYTES NOT NULL,
  metadata $BYTES,
  content $BYTES
);
CREATE TABLE tally_days (
  conversation BIGINT NOT NULL,
  day BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES,
  PRIMARY KEY (conversation, day)
);
CREATE TABLE requests (
  conversation BIGINT PRIMARY KEY,
  pages BIGINT NOT NULL,
  unopened BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES
);
CREATE TABLE request_pages (
  conversation BIGINT NOT NULL,
  page BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES,
  PRIMARY KEY (conversation, page)
);
CREATE TABLE request_sums (
  conversation BIGINT NOT NULL,
  page BIGINT NOT NULL,
  unopened BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES,
  PRIMARY KEY (conversation, page)
);
CREATE TABLE outlines (
  conversation BIGINT PRIMARY KEY,
  first BIGINT NOT NULL,
  last BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES
);
CREATE TABLE outline_pages (
  id $COUNTED,
  conversation BIGINT NOT NULL,
  first BIGINT NOT NULL,
  clear $BYTES NOT NULL,
  metadata $BYTES,
  content $BYTES,
  UNIQUE (conversation, first)
);
CREATE TABLE edits (
  conversation BIGINT PRIMARY KEY,
  pages BIGINT NOT NULL,
  clear $BYTES,
  content $BYTES
);
CREATE TABLE edit_pages (
  id $COUNTED,
  conversation BIGINT NOT NULL,
  page BIGINT NOT NULL,
  clear $BYTES,
  content $BYTES,
  UNIQUE (conversation, page)
);
CREATE TABLE edit_names (
  conversation BIGINT NOT NULL,
  kind BIGINT NOT NULL,
  name BIGINT NOT NULL,
  PRIMARY KEY (conversation, kind, name)
);
CREATE INDEX edit_names_name ON edit_names (kind, name);
CREATE TABLE secrets (
  conversation BIGINT PRIMARY KEY,
  pages BIGINT NOT NULL,
  unopened BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES
);
CREATE TABLE secret_pages (
  id $COUNTED,
  conversation BIGINT NOT NULL,
  page BIGINT NOT NULL,
  clear $BYTES,
  metadata $BYTES,
  content $BYTES,
  UNIQUE (conversation, page)
);
CREATE TABLE index_runs (
  run BIGINT PRIMARY KEY,
  part BIGINT NOT NULL,
  level BIGINT NOT NULL,
  first BIGINT NOT NULL,
  documents BIGINT NOT NULL
);
CREATE INDEX index_runs_in_order ON index_runs (part, first, level DESC);
CREATE TABLE index_pages (
  run BIGINT NOT NULL,
  kind BIGINT NOT NULL,
  key $BYTES NOT NULL,
  body $BYTES NOT NULL,
  PRIMARY KEY (run, kind, key)
);
INSERT INTO search_state (epoch, documents, behind) VALUES (0, 0, 0);
)sql";

// Version 2: roles. `turn` is what a writer may change of `web`, so that it may lock the row. A
// conversation notes which role added it; NULL, of before, is nobody's. Whoever may delete rows is
// a keeper, and may change them all. The owner of the tables is not bound by policies.
constexpr std::string_view kVersion2 = R"sql(
ALTER TABLE web ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN writer $TEXT;
ALTER TABLE conversations ALTER COLUMN writer SET DEFAULT current_user;
ALTER TABLE conversations ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_are_read ON conversations FOR SELECT USING (true);
CREATE POLICY all_are_added ON conversations FOR INSERT WITH CHECK (true);
CREATE POLICY all_are_removed ON conversations FOR DELETE USING (true);
CREATE POLICY its_writer_changes ON conversations FOR UPDATE USING (true) WITH CHECK (
  writer IS NULL OR writer = current_user
  OR EXISTS (SELECT 1 FROM pg_catalog.pg_roles AS r
             WHERE r.rolname = writer AND pg_catalog.pg_has_role(r.oid, 'USAGE'))
  OR pg_catalog.has_table_privilege('conversations'::regclass, 'DELETE'));
ALTER TABLE checkpoints ENABLE ROW LEVEL SECURITY;
CREATE POLICY all_are_read ON checkpoints FOR SELECT USING (true);
CREATE POLICY all_are_added ON checkpoints FOR INSERT WITH CHECK (true);
CREATE POLICY all_are_removed ON checkpoints FOR DELETE USING (true);
CREATE POLICY missing_leaves_are_added ON checkpoints FOR UPDATE USING (
  leaves IS NULL OR pg_catalog.has_table_privilege('checkpoints'::regclass, 'DELETE'))
  WITH CHECK (true);
)sql";

// Version 3: the keeper of a web leaves its name and its report here (store/upkeep.hpp).
constexpr std::string_view kVersion3 = R"sql(
CREATE TABLE keeper (
  part BIGINT PRIMARY KEY,
  holder $TEXT NOT NULL,
  until BIGINT NOT NULL,
  report $TEXT NOT NULL
);
)sql";

constexpr std::array kSteps = {kVersion1, kVersion2, kVersion3};
static_assert(kSteps.size() == kTablesVersion);

}  // namespace

std::span<const std::string_view> table_steps() { return kSteps; }

}  // namespace weft::store::sql
