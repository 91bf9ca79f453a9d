#include "weft/formats/adapters/cline/task.hpp"

#include <algorithm>

#include "weft/base/utf8.hpp"
#include "weft/formats/adapters/cline/prompt_origin.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::cline {
namespace {

using transcript::Origin;

json::value parse_beside(const SourceInfo& info, std::string_view name) {
  const auto text = info.beside ? info.beside(name) : std::nullopt;
  if (!text) return nullptr;
  std::string storage;
  std::size_t repairs = 0;
  Result<ParsedJson> parsed = parse_json(repair_json(*text, storage, repairs));
  return parsed ? std::move(parsed->value) : json::value(nullptr);
}

// An index is a list of items, or has one: {entries: […]}.
const json::object* find_item(const json::value& index, std::string_view task) {
  const json::array* items = index.if_array();
  if (const json::object* object = index.if_object()) {
    if (find_string(*object, "id") == task) return object;
    for (const std::string_view key : {"entries", "tasks", "taskHistory"}) {
      if (items == nullptr) items = find_array(*object, key);
    }
  }
  if (items == nullptr) return nullptr;
  for (const json::value& value : *items) {
    const json::object* item = value.if_object();
    if (item != nullptr && find_string(*item, "id") == task) return item;
  }
  return nullptr;
}

void take_item(const json::object& item, std::string_view task, About& about) {
  if (const auto words = find_string(item, "task")) {
    const std::string title = title_of(find_words(*words).words.value_or(std::string(*words)));
    if (!title.empty()) about.title = title;
  }
  for (const std::string_view key : {"cwdOnTaskInitialization", "workspace"}) {
    if (const auto cwd = find_name(item, key); cwd && !about.cwd) about.cwd = *cwd;
  }
  const auto parent = find_name(item, "parentTaskId");
  if (parent && *parent != task) {
    about.origin = {.kind = Origin::Kind::spawned,
                    .session_id = std::string(*parent),
                    .agent = std::string(task)};
    about.agent = task;
  }
}

}  // namespace

std::string program_of(std::string_view directory) {
  if (directory.find("kilo-code") != std::string_view::npos) return "kilo-code";
  if (directory.find("roo-cline") != std::string_view::npos ||
      directory.find("roo-code") != std::string_view::npos) {
    return "roo-code";
  }
  return "cline";
}

std::optional<std::string> About::model_at(std::optional<Millis> time) const {
  if (models.empty()) return std::nullopt;
  const bool is_one = std::ranges::all_of(
      models, [&](const Model& model) { return model.name == models.front().name; });
  if (is_one) return models.front().name;
  if (!time) return std::nullopt;
  const auto next =
      std::ranges::find_if(models, [&](const Model& model) { return model.since > *time; });
  return next == models.begin() ? models.front().name : std::prev(next)->name;
}

About about_task(const SourceInfo& info, std::string_view task) {
  About about;
  // The last is Cline's own index, beyond what ingesting lets a reader see.
  for (const std::string_view name :
       {"history_item.json", "../_index.json", "../../state/taskHistory.json"}) {
    const json::value index = parse_beside(info, name);
    if (const json::object* item = find_item(index, task)) {
      take_item(*item, task, about);
      break;
    }
  }
  const json::value metadata = parse_beside(info, "task_metadata.json");
  const json::object* object = metadata.if_object();
  const json::array* used = object == nullptr ? nullptr : find_array(*object, "model_usage");
  for (const json::value& value : used == nullptr ? json::array() : *used) {
    const json::object* one = value.if_object();
    const auto name = one == nullptr ? std::nullopt : find_name(*one, "model_id");
    if (name) about.models.push_back({find_int(*one, "ts").value_or(0), std::string(*name)});
  }
  std::ranges::sort(about.models, {}, &About::Model::since);
  return about;
}

About about_session(const SourceInfo& info) {
  About about;
  std::string_view stem = info.name;
  if (!stem.ends_with(kSessionSuffix)) return about;
  stem.remove_suffix(kSessionSuffix.size());
  const json::value manifest = parse_beside(info, std::string(stem) + ".json");
  const json::object* object = manifest.if_object();
  if (object == nullptr) return about;
  for (const std::string_view key : {"cwd", "workspace_root"}) {
    if (const auto cwd = find_name(*object, key); cwd && !about.cwd) about.cwd = *cwd;
  }
  if (const auto model = find_name(*object, "model")) {
    about.models.push_back({0, std::string(*model)});
  }
  const auto session = find_name(*object, "session_id");
  const json::object* metadata = find_object(*object, "metadata");
  const auto title = metadata == nullptr ? std::nullopt : find_name(*metadata, "title");
  if (title) about.title = *title;
  const json::object* fork = metadata == nullptr ? nullptr : find_object(*metadata, "fork");
  const auto forked = fork == nullptr ? std::nullopt : find_name(*fork, "forkedFromSessionId");
  if (forked && forked != session) {
    about.origin = {.kind = Origin::Kind::continued, .session_id = std::string(*forked)};
  }
  const auto parent = find_name(*object, "parent_session_id");
  if (parent && parent != session) {
    about.agent = find_name(*object, "agent_id").value_or(session.value_or(stem));
    about.origin = {
        .kind = Origin::Kind::spawned, .session_id = std::string(*parent), .agent = about.agent};
  }
  return about;
}

}  // namespace weft::formats::cline
