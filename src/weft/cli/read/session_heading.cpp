#include "weft/cli/read/session_heading.hpp"

#include <fmt/format.h>

#include "weft/base/try.hpp"
#include "weft/cli/read/spans.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/ask/standing.hpp"
#include "weft/query/cost/cost.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {
namespace {

void add_cost(json::object& heading, const query::Library& library,
              const store::ConversationRow& conversation, const query::PriceTable& prices) {
  const Result<json::object> cost =
      query::cost(library, prices, {.by = query::CostBy::month, .conversation = conversation});
  const json::object* total = cost ? find_object(*cost, "total") : nullptr;
  const json::value* dollars = total == nullptr ? nullptr : find_member(*total, "cost");
  const bool is_known = dollars != nullptr && count_or_zero(*total, "requests") > 0;
  heading["cost"] = is_known ? *dollars : json::value();
  if (total == nullptr) return;
  const std::uint64_t unpriced = count_or_zero(*total, "unpriced_requests");
  if (unpriced > 0) heading["unpriced_requests"] = unpriced;
}

// The call that a subagent was started by.
Status add_spawner(json::object& heading, const query::Library& library,
                   const store::ConversationRow& conversation) {
  WEFT_TRY_VALUE(const auto calls,
                 library.web.neighbours_by(conversation.created_by, conversation.cid, "spawns",
                                           store::Direction::to));
  if (calls.empty()) return {};
  WEFT_TRY_VALUE(const auto standing, query::find_standing(library, calls.front()));
  if (!standing) return {};
  WEFT_TRY_VALUE(const auto where, query::describe_standing(library, *standing));
  heading["spawned_by"] = json::object{{"cid", calls.front().str()},
                                       {"conversation_cid", where.at("conversation_cid")},
                                       {"title", where.at("title")}};
  return {};
}

}  // namespace

Result<json::object> session_heading(const query::Library& library,
                                     const store::ConversationRow& conversation,
                                     const query::PriceTable& prices) {
  const json::object about = query::describe(library, conversation);
  json::object heading{{"conversation_cid", conversation.cid.str()}};
  for (const std::string_view member : {"session_id", "format", "source", "title", "project",
                                        "models", "created_at", "updated_at", "turn_count"}) {
    heading[member] = about.at(member);
  }
  heading["block_count"] = conversation.block_count;
  add_cost(heading, library, conversation, prices);
  WEFT_TRY(add_spawner(heading, library, conversation));
  return heading;
}

void print_heading(const json::object& heading, const Page& page, const LineSink& print) {
  const auto text = [&](std::string_view member) {
    return first_words(find_string(heading, member).value_or(""));
  };
  const auto put = [&](const std::string& words, Colour colour, Screen screen = Screen::none,
                       const std::string& cid = {}) {
    for (const std::string& line :
         wrapped({{words, colour}}, page.style, page.columns, {page.indent, page.indent})) {
      print(page.style.link_in(line, screen, cid));
    }
  };
  const std::string title = text("title");
  put(title.empty() ? "(untitled)" : title, Colour::bold);
  std::string about = text("project");
  if (const json::array* models = find_array(heading, "models")) {
    for (const json::value& model : *models) {
      if (!model.is_string()) continue;
      about += (about.empty() ? "" : " · ") + first_words(view(model.get_string()));
    }
  }
  const Millis begun = find_int(heading, "created_at").value_or(0);
  const Millis changed = find_int(heading, "updated_at").value_or(0);
  about += (about.empty() ? "" : " · ") + local_date_time(begun);
  if (local_date(changed) == local_date(begun)) about += " – " + local_time(changed);
  else about += " – " + local_date_time(changed);
  put(about, Colour::none);
  std::string figures = fmt::format("{}, {}", count(count_or_zero(heading, "turn_count"), "turn"),
                                    count(count_or_zero(heading, "block_count"), "block"));
  const json::value* cost = find_member(heading, "cost");
  if (cost != nullptr && cost->is_number()) {
    figures += fmt::format(" · ${:.2f}{}", cost->to_number<double>(),
                           heading.contains("unpriced_requests") ? " + ?" : "");
  }
  const std::string cid = brief(find_string(heading, "conversation_cid").value_or(""));
  figures += fmt::format(" · {}:{} · {}", text("format"), text("session_id"), cid);
  put(figures, Colour::faint, Screen::conversation, cid);
  if (const json::object* spawner = find_object(heading, "spawned_by")) {
    const std::string call = brief(find_string(*spawner, "cid").value_or(""));
    put(fmt::format("spawned by {} in \"{}\"", call,
                    first_words(find_string(*spawner, "title").value_or("(untitled)"))),
        Colour::blue, Screen::thought, call);
  }
}

}  // namespace weft::cli
