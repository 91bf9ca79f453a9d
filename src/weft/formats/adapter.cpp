#include "weft/formats/adapter.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "weft/formats/framing/record_buffer.hpp"

namespace weft::formats {
namespace {

std::string_view kind_of(std::string_view head) {
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return "nothing in it";
  if (head.find('\0') != std::string_view::npos) return "binary data";
  if (head[first] == '[') return "a JSON array";
  if (head[first] == '{') return "a JSON object";
  return "text";
}

std::string_view form_of(const Adapter& adapter) {
  return adapter.writes_as.empty() ? adapter.name : adapter.writes_as;
}

}  // namespace

std::string_view head_of(std::string_view bytes) {
  if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
  return bytes.substr(0, kHeadBytes);
}

const Adapter* find_adapter(std::string_view name) {
  const auto adapters = all_adapters();
  const auto found = std::ranges::find(adapters, name, &Adapter::name);
  return found == adapters.end() ? nullptr : *found;
}

std::vector<std::string_view> all_forms() {
  std::vector<std::string_view> forms;
  for (const Adapter* adapter : all_adapters()) {
    if (adapter->write != nullptr) forms.push_back(form_of(*adapter));
  }
  return forms;
}

const Adapter* find_form(std::string_view name) {
  for (const Adapter* adapter : all_adapters()) {
    if (adapter->write != nullptr && form_of(*adapter) == name) return adapter;
  }
  return nullptr;
}

Result<const Adapter*> recognise(std::string_view head) {
  head = head_of(head);
  Confidence best = Confidence::no;
  std::vector<const Adapter*> surest;
  for (const Adapter* adapter : all_adapters()) {
    const Confidence confidence = adapter->recognises(head);
    if (confidence == Confidence::no || confidence < best) continue;
    if (confidence > best) surest.clear();
    best = confidence;
    surest.push_back(adapter);
  }
  if (surest.size() == 1) return surest.front();
  if (surest.empty()) {
    return fail(ErrorCode::invalid_input, "no known format: " + std::string(kind_of(head)));
  }
  std::string message = "more than one format claims it; name one with --format:";
  for (const Adapter* adapter : surest) message += " " + std::string(adapter->name);
  return fail(ErrorCode::invalid_input, std::move(message));
}

void read_all(const Adapter& adapter, const SourceInfo& info, std::string_view bytes,
              transcript::Sink& sink) {
  const std::unique_ptr<Framer> framer = adapter.frame(head_of(bytes));
  const std::unique_ptr<Reader> reader = adapter.open(info);
  const OnRecord record = [&](const Record& found) { reader->read(found, sink); };
  const OnOversize oversize = [&](std::uint64_t line, std::uint64_t size) {
    sink.skip(skipped_oversize(line, size));
  };
  framer->push(bytes, record, oversize);
  framer->end(record, oversize);
  reader->finish(sink);
}

transcript::Skipped skipped_oversize(std::uint64_t line, std::uint64_t bytes) {
  return {.line = line, .reason = "too large: " + std::to_string(bytes) + " bytes"};
}

}  // namespace weft::formats
