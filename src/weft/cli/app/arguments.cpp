#include "weft/cli/app/arguments.hpp"

#include <CLI/CLI.hpp>
#include <charconv>

namespace weft::cli {
namespace {

void describe(CLI::Option& option, const Detail& detail) {
  if (!detail.value.empty()) option.type_name(std::string(detail.value));
  if (detail.required) option.required();
  if (detail.check) option.check(detail.check);
  if (detail.one_of.empty()) return;
  option.check(CLI::IsMember(detail.one_of));
  std::string values;
  for (const std::string& value : detail.one_of) values += (values.empty() ? "" : "|") + value;
  option.option_text(detail.required ? values + " (required)" : values);
}

template <class T>
void add_to(CLI::App& app, std::string_view name, T& into, std::string_view help,
            const Detail& detail) {
  describe(*app.add_option(std::string(name), into, std::string(help)), detail);
}

template <class T>
void add_number_to(CLI::App& app, std::string_view name, T& into, std::string_view help,
                   Detail detail) {
  if (!detail.check) detail.check = check_number;
  add_to(app, name, into, help, detail);
}

}  // namespace

std::string check_number(const std::string& text) {
  std::uint64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  const bool octal = text.size() > 1 && text.front() == '0';
  if (stopped == end && error == std::errc() && !octal) return {};
  return "'" + text + "' is not a whole number";
}

void Arguments::add(std::string_view name, std::string& into, std::string_view help,
                    const Detail& detail) {
  add_to(app_, name, into, help, detail);
}
void Arguments::add(std::string_view name, std::optional<std::string>& into, std::string_view help,
                    const Detail& detail) {
  add_to(app_, name, into, help, detail);
}
void Arguments::add(std::string_view name, std::vector<std::string>& into, std::string_view help,
                    const Detail& detail) {
  CLI::Option& option = *app_.add_option(std::string(name), into, std::string(help));
  describe(option, detail);
  if (name.starts_with('-')) return;
  // CLI11 splits "[a,b]" into two words and drops "[]" wherever more values may follow than are
  // required. So we require the maximum, and accept any number.
  constexpr int kMany = CLI::detail::expected_max_vector_size;
  option.multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  option.expected(kMany - 1, kMany)->allow_extra_args(false);
}
void Arguments::add(std::string_view name, std::uint64_t& into, std::string_view help,
                    const Detail& detail) {
  add_number_to(app_, name, into, help, detail);
}
void Arguments::add(std::string_view name, std::optional<std::uint64_t>& into,
                    std::string_view help, const Detail& detail) {
  add_number_to(app_, name, into, help, detail);
}

void Arguments::flag(std::string_view name, bool& into, std::string_view help) {
  app_.add_flag(std::string(name), into, std::string(help));
}

Arguments Arguments::action(std::string_view name, bool& chosen, std::string_view help) {
  app_.require_subcommand(1);
  CLI::App* action = app_.add_subcommand(std::string(name), std::string(help));
  action->fallthrough();  // the global options may also follow the action
  action->parse_complete_callback([&chosen] { chosen = true; });
  return Arguments(*action);
}

}  // namespace weft::cli
