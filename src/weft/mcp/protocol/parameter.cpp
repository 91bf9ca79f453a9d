#include "weft/mcp/protocol/parameter.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "weft/base/utf8.hpp"

namespace weft::mcp {
namespace {

using Kind = Parameter::Kind;

std::string_view type_of(Kind kind) {
  switch (kind) {
    case Kind::text: return "string";
    case Kind::whole: return "integer";
    case Kind::flag: return "boolean";
    case Kind::object: return "object";
  }
  return "string";
}

std::string listed(const std::vector<std::string_view>& names) {
  std::string out;
  for (const std::string_view name : names) out += (out.empty() ? "" : ", ") + std::string(name);
  return out;
}

std::unexpected<std::string> fault(const Parameter& parameter, const std::string& what) {
  return std::unexpected(std::string(parameter.name) + ": " + what);
}

std::optional<std::int64_t> to_whole(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (const double* real = value.if_double()) {
    if (std::floor(*real) == *real && std::abs(*real) < 9e15) {
      return static_cast<std::int64_t>(*real);
    }
  }
  if (const json::string* text = value.if_string(); text != nullptr && !text->empty()) {
    std::int64_t whole = 0;
    const char* const last = text->data() + text->size();
    const auto [end, error] = std::from_chars(text->data(), last, whole);
    if (error == std::errc() && end == last) return whole;
  }
  return std::nullopt;
}

using Read = std::expected<json::value, std::string>;

Read read_text(const Parameter& parameter, const json::value& value) {
  const json::string* text = value.if_string();
  if (text == nullptr) return fault(parameter, "expected a text");
  if (parameter.is_required && text->empty()) return fault(parameter, "is empty");
  if (text->size() > parameter.longest) {
    return fault(parameter, "is longer than " + std::to_string(parameter.longest) + " bytes");
  }
  if (!parameter.one_of.empty() &&
      std::ranges::find(parameter.one_of, view(*text)) == parameter.one_of.end()) {
    return fault(parameter, "expected one of " + listed(parameter.one_of));
  }
  return value;
}

Read read_whole(const Parameter& parameter, const json::value& value) {
  const std::optional<std::int64_t> whole = to_whole(value);
  if (!whole) return fault(parameter, "expected a whole number");
  if (*whole < parameter.least) {
    return fault(parameter,
                 std::to_string(*whole) + " is less than " + std::to_string(parameter.least));
  }
  if (*whole > parameter.most) {
    return fault(parameter,
                 std::to_string(*whole) + " is more than " + std::to_string(parameter.most));
  }
  return json::value(*whole);
}

Read read_flag(const Parameter& parameter, const json::value& value) {
  if (value.is_bool()) return value;
  if (value == "true") return json::value(true);
  if (value == "false") return json::value(false);
  return fault(parameter, "expected true or false");
}

Read read_object(const Parameter& parameter, const json::value& value) {
  if (value.is_object()) return value;
  // Models sometimes write an object as a text that contains it.
  if (const json::string* text = value.if_string()) {
    Result<ParsedJson> parsed = parse_json(view(*text));
    const bool is_whole = parsed && parsed->value.is_object() && !parsed->inexact;
    if (is_whole) return std::move(parsed->value);
  }
  return fault(parameter, "expected a JSON object");
}

Read read_one(const Parameter& parameter, const json::value& value) {
  switch (parameter.kind) {
    case Kind::text: return read_text(parameter, value);
    case Kind::whole: return read_whole(parameter, value);
    case Kind::flag: return read_flag(parameter, value);
    case Kind::object: return read_object(parameter, value);
  }
  return fault(parameter, "has an unknown kind");
}

json::object schema_of(const Parameter& parameter) {
  json::object out{{"type", type_of(parameter.kind)}};
  if (!parameter.description.empty()) out["description"] = parameter.description;
  constexpr std::size_t kShortList = 8;
  if (!parameter.one_of.empty() && parameter.one_of.size() <= kShortList) {
    out["enum"] = json::array(parameter.one_of.begin(), parameter.one_of.end());
  }
  if (parameter.preset_text) out["default"] = *parameter.preset_text;
  if (parameter.kind == Kind::whole) {
    if (parameter.most != Parameter().most) out["maximum"] = parameter.most;
    if (parameter.preset.value_or(0) != 0) out["default"] = *parameter.preset;
  }
  return out;
}

}  // namespace

json::object to_schema(std::span<const Parameter> parameters) {
  json::object properties;
  json::array required;
  for (const Parameter& parameter : parameters) {
    properties[parameter.name] = schema_of(parameter);
    if (parameter.is_required) required.emplace_back(parameter.name);
  }
  json::object out{{"type", "object"}};
  if (!properties.empty()) out["properties"] = std::move(properties);
  if (!required.empty()) out["required"] = std::move(required);
  out["additionalProperties"] = false;
  return out;
}

std::expected<json::object, std::string> read_arguments(std::span<const Parameter> parameters,
                                                        const json::object& given) {
  for (const auto& member : given) {
    const std::string_view name(member.key().data(), member.key().size());
    if (std::ranges::find(parameters, name, &Parameter::name) != parameters.end()) continue;
    std::vector<std::string_view> known;
    for (const Parameter& parameter : parameters) known.push_back(parameter.name);
    const std::string shown(slice_code_points(name, 0, 60));
    return std::unexpected(
        "unknown argument '" + shown + "'" +
        (known.empty() ? "; there are none" : "; the arguments are " + listed(known)));
  }
  json::object out;
  for (const Parameter& parameter : parameters) {
    const json::value* value = find_member(given, parameter.name);
    if (value == nullptr || value->is_null()) {
      if (parameter.is_required) return fault(parameter, "is missing");
      if (parameter.preset) out[parameter.name] = *parameter.preset;
      if (parameter.preset_text) out[parameter.name] = *parameter.preset_text;
      continue;
    }
    Read read = read_one(parameter, *value);
    if (!read) return std::unexpected(std::move(read).error());
    out[parameter.name] = *std::move(read);
  }
  return out;
}

std::string text_in(const json::object& arguments, std::string_view name) {
  return find_text_in(arguments, name).value_or("");
}

std::optional<std::string> find_text_in(const json::object& arguments, std::string_view name) {
  const auto text = find_string(arguments, name);
  if (!text || text->empty()) return std::nullopt;
  return std::string(*text);
}

std::uint64_t whole_in(const json::object& arguments, std::string_view name) {
  return find_whole_in(arguments, name).value_or(0);
}

std::optional<std::uint64_t> find_whole_in(const json::object& arguments, std::string_view name) {
  const auto whole = find_int(arguments, name);
  if (!whole || *whole < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*whole);
}

}  // namespace weft::mcp
