// weft anchor: puts the head of heads where others keep it.
#include <fmt/format.h>

#include <memory>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/query/attest/anchor.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

struct Options {
  bool git = false;
  std::string repository = ".";
};

Answer anchor(const Context& context, const Options& options) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  Result<Digest> head = query::head_of_heads(*opened->store);
  if (!head) return refuse(std::move(head).error());
  const std::string trailer = query::head_trailer(*head);
  json::object answer{{"head", to_hex(*head)}, {"trailer", trailer}};
  if (options.git) {
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::absolute(with_home(options.repository, context.environment()), error);
    Result<query::Anchored> anchored = query::anchor_in_git(folder / "x", *head, now());
    if (!anchored) return refuse(std::move(anchored).error());
    answer["repository"] = anchored->repository;
    answer["ref"] = anchored->ref;
    answer["commit"] = anchored->commit;
    if (!context.json()) {
      context.note(on_one_line(fmt::format("wrote {} in {}; push it with: git push origin {}",
                                           anchored->ref, anchored->repository, anchored->ref)));
    }
  }
  if (context.json()) context.print_json(answer);
  else context.print(trailer + "\n");
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.flag("--git", options->git, "Commit the head to refs/weft/head of a repository");
  arguments.add("--repository", options->repository,
                "With --git: a folder of the repository (default: the current one)",
                {.value = "DIR"});
  return [options](Context& context) { return anchor(context, *options); };
}

}  // namespace

const Command& anchor_command() {
  static const Command command = {
      .name = "anchor",
      .group = Group::check,
      .summary = "keep the head of heads where others see it",
      .about =
          "Prints the head of heads as a trailer for a commit message. With --git it commits\n"
          "it to refs/weft/head of a repository: an empty commit on top of the one before, in no\n"
          "branch, without hooks. Whoever has the trailer or the ref can tell later, with\n"
          "`weft verify --head HEX`, that the store still has everything it had then. It shows\n"
          "that the store had this head when it was pushed, not that it is complete.",
      .examples =
          "weft anchor --git\n"
          "git commit --trailer \"$(weft anchor)\"\n"
          "weft verify --head \"$(git log -1 --format=%B refs/weft/head | sed 's/.*: //')\"",
      .see_also = "weft verify, weft keys",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
