#include "weft/formats/reading/linear_conversation.hpp"

#include <array>
#include <utility>

#include "weft/base/state_archive.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using transcript::Author;
using transcript::Facts;
using transcript::Role;

constexpr std::array<ChangedFacts::Text, 4> kTexts = {{{"title", &Facts::title},
                                                       {"project", &Facts::project},
                                                       {"cwd", &Facts::cwd},
                                                       {"account", &Facts::account}}};

}  // namespace

LinearConversation::LinearConversation(transcript::Heading heading, People people)
    : heading_(std::move(heading)), has_people_(people == People::yes), facts_(kTexts, hash_of) {}

void LinearConversation::enter(transcript::Sink& sink) {
  sink.heading(heading_);
  turns_.leave();
}

void LinearConversation::emit(transcript::Block block, bool is_persons, bool counted,
                              transcript::Sink& sink) {
  Role role = Role::human;
  if (!is_persons) {
    const bool is_before_all = branch_ ? branch_->empty() : turns_.is_before_all();
    role = block.author == Author::program && is_before_all ? Role::system : Role::assistant;
  }
  if (turns_.is_running(role) && !branch_) {
    turns_.resume(sink);
  } else {
    std::string name = turns_.name_for(block.source_id, block.index);
    const bool is_second = name != block.source_id;
    turns_.begin({.role = role,
                  .source_id = std::move(name),
                  .counted = counted || is_second,
                  .parent = std::exchange(branch_, std::nullopt)},
                 sink);
  }
  sink.block(std::move(block));
}

void LinearConversation::archive(StateArchive& a) {
  a.field("session", heading_.session_id);
  a.field("source", heading_.source);
  a.lenient("provider", heading_.provider);
  a.field("people", has_people_);
  facts_.archive(a);
  a.optional("branch", branch_);
  turns_.archive(a);
}

}  // namespace weft::formats
