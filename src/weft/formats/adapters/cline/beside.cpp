#include "weft/formats/adapters/cline/beside.hpp"

#include "weft/formats/reading/text.hpp"

namespace weft::formats::cline {

std::string Beside::task() const {
  const bool is_task =
      info_.name == kHistoryName || info_.name == kUiName || info_.name == kOldUiName;
  return is_task ? std::string(last_component(info_.directory)) : std::string();
}

const About& Beside::about(bool is_session) {
  if (!about_) about_ = is_session ? about_session(info_) : about_task(info_, task());
  return *about_;
}

const UiLog* Beside::log(bool is_session) {
  if (!has_looked_for_log_) {
    has_looked_for_log_ = true;
    const bool may_be = !is_session && info_.name == kHistoryName && info_.beside;
    for (const std::string_view name : {kUiName, kOldUiName}) {
      const auto text = may_be && !log_ ? info_.beside(name) : std::nullopt;
      if (text) log_ = parse_ui_log(*text);
    }
  }
  return log_ ? &*log_ : nullptr;
}

bool Beside::is_mirror() {
  if (!is_mirror_) {
    const auto history = info_.beside ? info_.beside(kHistoryName) : std::nullopt;
    is_mirror_ = history && history->find('{') != std::string::npos;
  }
  return *is_mirror_;
}

}  // namespace weft::formats::cline
