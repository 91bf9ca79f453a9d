#include "weft/cli/serve/change_tokens.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "weft/base/file_lock.hpp"
#include "weft/base/hex.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/cli/serve/token_list.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::cli {
namespace {

json::array rights_json(const net::Rights& rights) {
  json::array names;
  for (const net::Right right : net::kAllRights) {
    if (rights.has(right)) names.push_back(json::string(net::to_string(right)));
  }
  return names;
}

json::object to_json(const PersonToken& token) {
  return {{"name", token.name},
          {"rights", rights_json(token.rights)},
          {"created_at", token.created_at}};
}

// The token itself goes out: a file must be for its owner alone.
Status check_stdout(const Context& context) {
  struct stat info{};
  const bool is_open_file = ::fstat(::fileno(context.out()), &info) == 0 && S_ISREG(info.st_mode) &&
                            (info.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (!is_open_file) return {};
  return fail(ErrorCode::denied,
              "no token was made: stdout is a file that other users can read; write it to a file "
              "of your own with --out FILE");
}

// The list while nobody else changes it.
struct OpenList {
  FileLock lock;
  std::filesystem::path path;
  std::vector<PersonToken> tokens{};
};

Outcome<OpenList> open_list(const Context& context) {
  if (Status made = make_home(context.home()); !made) return refuse(std::move(made).error());
  const std::filesystem::path path = token_list_path(context.home().directory);
  Result<FileLock> lock = FileLock::acquire(path.string() + ".lock");
  if (!lock) return refuse(std::move(lock).error());
  Result<std::vector<PersonToken>> tokens = read_token_list(path);
  if (!tokens) return refuse(std::move(tokens).error());
  return OpenList{*std::move(lock), path, *std::move(tokens)};
}

}  // namespace

Answer add_token(const Context& context, const NewToken& wanted) {
  if (!is_token_name(wanted.name)) {
    return refuse({ErrorCode::invalid_input,
                   "a name has 1 to 64 letters, digits, \"-\", \"_\", \".\" or \"@\""},
                  Exit::usage);
  }
  const auto rights = net::Rights::parse(wanted.rights);
  if (!rights) {
    return refuse({ErrorCode::invalid_input,
                   "--rights: expected some of read, push and keeper, separated by commas"},
                  Exit::usage);
  }
  if (!wanted.out) {
    if (Status safe = check_stdout(context); !safe) return refuse(std::move(safe).error());
  }
  Outcome<OpenList> list = open_list(context);
  if (!list) return refuse(std::move(list));
  const auto same = std::ranges::find(list->tokens, wanted.name, &PersonToken::name);
  if (same != list->tokens.end()) {
    return refuse({ErrorCode::conflict, wanted.name + " has a token already"}, Exit::no,
                  "weft tokens remove " + wanted.name + " takes it away; then make another");
  }
  if (list->tokens.size() >= kMostTokens) {
    return refuse({ErrorCode::invalid_input, "there are 1,000 tokens already; remove some first"});
  }
  std::string token = to_hex(crypto::Key::random().bytes());
  const crypto::WipeAtEnd wipe(token);
  const PersonToken entry{
      .name = wanted.name, .rights = *rights, .hash = hash_of_token(token), .created_at = now()};
  list->tokens.push_back(entry);
  std::ranges::sort(list->tokens, {}, &PersonToken::name);
  std::optional<OutFile> file;
  if (wanted.out) {
    Result<OutFile> created = OutFile::create(*wanted.out, Existing::keep);
    if (!created) return refuse_file(std::move(created).error());
    file.emplace(*std::move(created));
    std::fwrite(token.data(), 1, token.size(), file->stream());
    std::fputc('\n', file->stream());
    if (Status done = file->commit(); !done) return refuse_file(std::move(done).error());
  }
  if (Status written = write_token_list(list->path, list->tokens); !written) {
    return refuse(std::move(written).error());
  }
  json::object answer = to_json(entry);
  if (wanted.out) {
    answer["out"] = *wanted.out;
    if (!context.json()) context.note("wrote " + on_one_line(*wanted.out));
  } else {
    answer["token"] = token;
    if (!context.json()) {
      context.print(token + "\n");
      context.note("this is the only time that the token is shown; weft keeps its hash");
    }
  }
  if (context.json()) context.print_json(answer);
  return Exit::done;
}

Answer list_tokens(const Context& context) {
  const Result<std::vector<PersonToken>> tokens =
      read_token_list(token_list_path(context.home().directory));
  if (!tokens) return refuse(Error(tokens.error()));
  if (context.json()) {
    json::array all;
    for (const PersonToken& token : *tokens) all.push_back(to_json(token));
    context.print_json(json::object{{"tokens", std::move(all)}});
    return Exit::done;
  }
  if (tokens->empty()) {
    context.note("nobody has a token of their own; make one with weft tokens add NAME");
    return Exit::done;
  }
  Table table({{.colour = Colour::cyan}, {}, {.colour = Colour::faint}});
  for (const PersonToken& token : *tokens) {
    table.add({token.name, token.rights.str(), local_date_time(token.created_at)});
  }
  context.print(table.str(context.style()));
  return Exit::done;
}

Answer remove_token(const Context& context, const std::string& name) {
  Outcome<OpenList> list = open_list(context);
  if (!list) return refuse(std::move(list));
  const auto found = std::ranges::find(list->tokens, name, &PersonToken::name);
  if (found == list->tokens.end()) {
    return refuse({ErrorCode::not_found, "nobody called " + on_one_line(name) + " has a token"},
                  "weft tokens list shows who has one");
  }
  const PersonToken removed = *found;
  list->tokens.erase(found);
  if (Status written = write_token_list(list->path, list->tokens); !written) {
    return refuse(std::move(written).error());
  }
  if (context.json()) {
    context.print_json(to_json(removed));
  } else {
    context.print("removed the token of " + removed.name +
                  "; a running server admits it no longer\n");
  }
  return Exit::done;
}

}  // namespace weft::cli
