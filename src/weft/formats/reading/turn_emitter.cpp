#include "weft/formats/reading/turn_emitter.hpp"
#include "weft/transcript/state.hpp"

#include <algorithm>
#include <utility>

namespace weft::formats {

using transcript::Author;
using transcript::Role;
using transcript::TurnHead;

std::vector<TurnHead> TurnEmitter::emit(RecordContent content, transcript::Sink& sink) {
  std::vector<TurnHead> begun;
  const bool has_words = std::ranges::find(content.blocks, Author::human, &AuthoredBlock::author) !=
                         content.blocks.end();
  std::uint32_t index = content.first_index;
  for (AuthoredBlock& authored : content.blocks) {
    const Role role = role_of(content, authored.author, has_words);
    if (open(role, content.place, index, sink)) begun.push_back(*turn_);
    transcript::Block block{.author = authored.author,
                            .body = std::move(authored.body),
                            .source_id = content.place,
                            .index = index++,
                            .start = authored.start,
                            .stop = authored.stop,
                            .recorded = content.time};
    if (authored.author == Author::model) {
      block.model = content.model;
      block.message_id = content.message_id;
      if (!block.message_id && content.is_step) block.message_id = content.place;
    }
    sink.block(std::move(block));
  }
  return begun;
}

Role TurnEmitter::role_of(const RecordContent& content, Author author, bool has_words) const {
  if (author == Author::human) return Role::human;
  if (author != Author::program) return Role::assistant;
  if (content.is_prompt && has_words) return Role::human;
  if (content.stays && turn_ && !follows_) return turn_->role;
  const bool may_be_system = !follows_ || program_branch_ == ProgramBranch::system;
  return may_be_system && !content.is_answer && is_before_all() ? Role::system : Role::assistant;
}

// Whether it began a turn.
bool TurnEmitter::open(Role role, const std::string& place, std::uint32_t index,
                       transcript::Sink& sink) {
  if (is_running(role) && !follows_) {
    resume(sink);
    return false;
  }
  TurnHead head{
      .role = role, .source_id = name_for(place, index), .counted = place.starts_with('#')};
  if (follows_ && *follows_ != turn_id()) head.parent = *follows_;
  follows_.reset();
  begin(std::move(head), sink);
  return true;
}

void TurnEmitter::begin(TurnHead head, transcript::Sink& sink) {
  turn_ = std::move(head);
  is_emitted_ = false;
  resume(sink);
}

void TurnEmitter::resume(transcript::Sink& sink) {
  if (!is_emitted_) sink.turn(*turn_);
  is_emitted_ = true;
}

std::string TurnEmitter::name_for(std::string_view place, std::uint32_t index) const {
  std::string name(place);
  const std::string running = turn_id();
  if (running == name || running.starts_with(name + ".")) name += "." + std::to_string(index);
  return name;
}

void TurnEmitter::archive(StateArchive& a) {
  a.optional("turn", turn_);
  a.optional("follows", follows_);
  if (!a.is_writing()) is_emitted_ = false;
}

}  // namespace weft::formats
