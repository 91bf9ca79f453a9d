// Emits the heading, the facts and the turns of a chat; and its saved fields.
#include <algorithm>
#include <utility>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/gemini/places.hpp"
#include "weft/formats/adapters/gemini/session.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Sink;

}  // namespace

std::optional<std::string> SessionReader::parent() const {
  const std::string_view folder = last_component(info_.directory);
  if (!is_subagent_ || folder.empty() || folder == kChatsFolder) return std::nullopt;
  return std::string(folder);
}

void SessionReader::begin(std::string_view raw, Sink& sink) {
  if (builder_.has_begun()) {
    builder_.resume(sink);
    return;
  }
  if (session_.empty()) session_ = session_from(raw);
  note_place(sink);
  const std::optional<std::string> spawner = parent();
  builder_.begin({.format = std::string(kName),
                  .family = "google",
                  .program = "gemini-cli",
                  .provider = "google",
                  .session_id = spawner.value_or(session_),
                  .source = is_subagent_ ? "subagent:" + session_ : "primary"},
                 sink);
  if (spawner) {
    sink.origin(
        {.kind = transcript::Origin::Kind::spawned, .session_id = *spawner, .agent = session_});
  }
}

// What is known from where it lies.
void SessionReader::note_place(Sink& sink) {
  if (!info_.project.empty()) builder_.note({.project = info_.project}, sink);
  if (!info_.beside) return;
  // A chat lies one folder below, a subagent's two.
  std::optional<std::string> found = info_.beside("../.project_root");
  if (!found) found = info_.beside("../../.project_root");
  std::string folder = one_line(found.value_or(""), kLongest);
  if (folder.empty()) return;
  builder_.note({.cwd = std::move(folder)}, sink);
  has_folder_ = true;
}

void SessionReader::set_folder(std::string_view folder, Sink& sink) {
  if (std::exchange(has_folder_, true)) return;
  builder_.note({.cwd = std::string(slice_code_points(folder, 0, kLongest))}, sink);
}

void SessionReader::emit_facts(const Message& message, Sink& sink) {
  if (message.from != Message::From::person) return;
  // A command, or a question to the harness, is no title.
  const std::string words = message.words();
  if (!words.starts_with('/') && !words.starts_with('?')) {
    builder_.set_title(TurnBuilder::Title::prompt, words, sink);
  }
  for (const Message::Piece& piece : message.pieces) {
    const auto* text = std::get_if<transcript::Text>(&piece.block.body);
    if (has_folder_ || text == nullptr || piece.block.author != Author::program) continue;
    if (const auto folder = folder_in(text->text)) set_folder(*folder, sink);
  }
}

// Adjacent pieces are emitted together.
void SessionReader::emit(Message& message, const std::string& place, Sink& sink) {
  const auto begin_emitted = [&](const Message::Piece& piece) {
    return RecordContent{.place = place,
                         .is_prompt = message.from == Message::From::person,
                         .is_answer = message.from == Message::From::model,
                         .time = piece.time ? piece.time : message.time,
                         .model = message.model,
                         .first_index = piece.index};
  };
  std::optional<RecordContent> content;
  for (Message::Piece& piece : message.pieces) {
    const bool goes_on = content && piece.index == content->first_index + content->blocks.size() &&
                         (piece.time ? piece.time : message.time) == content->time;
    if (!goes_on) {
      if (content) builder_.emit(std::move(*content), sink);
      content = begin_emitted(piece);
    }
    content->blocks.push_back(std::move(piece.block));
  }
  if (content) builder_.emit(std::move(*content), sink);
}

// For a message that others followed: its own turn is continued.
void SessionReader::emit_late(Message& message, const std::string& place, const std::string& turn,
                              Sink& sink) {
  const bool is_persons = message.from == Message::From::person;
  sink.turn({.role = is_persons ? transcript::Role::human : transcript::Role::assistant,
             .source_id = turn,
             .counted = turn.starts_with('#'),
             .parent = {}});
  for (Message::Piece& piece : message.pieces) {
    transcript::Block block{.author = piece.block.author,
                            .body = std::move(piece.block.body),
                            .source_id = place,
                            .index = piece.index,
                            .message_id = {},
                            .start = piece.block.start,
                            .stop = piece.block.stop,
                            .recorded = piece.time ? piece.time : message.time,
                            .model = {}};
    if (block.author == Author::model) {
      block.message_id = place;
      block.model = message.model;
    }
    sink.block(std::move(block));
  }
  builder_.leave();
}

void SessionReader::read_unknown(const JsonRecord& record, Sink& sink) {
  begin(record.raw, sink);
  AuthoredBlock block{Author::program, {}};
  if (record.parsed.inexact) {
    block.body = anthropic::unknown_from_text(record.parsed.value, record.text);
  } else {
    block.body = transcript::Unknown{.block_type = "record", .raw = record.parsed.value};
  }
  RecordContent content{.place = nameless()};
  content.blocks.push_back(std::move(block));
  builder_.emit(std::move(content), sink);
}

void SessionReader::finish(Sink& sink) {
  if (!builder_.has_begun() && !session_.empty()) sink.skip({0, "no turns"});
}

void SessionReader::archive(StateArchive& a) {
  a.field("session", session_);
  a.field("subagent", is_subagent_);
  a.field("folder", has_folder_);
  a.field("nameless", nameless_);
  a.optional("newest", newest_);
  a.field("teller", builder_);
  a.field("trail", trail_);
  emitted_.archive(a, "told");
  answered_.archive(a, "answered");
  replied_.archive(a, "replied");
  usage_.archive(a, "usage");
  counted_.archive(a, "counted");
}

}  // namespace weft::formats::gemini
