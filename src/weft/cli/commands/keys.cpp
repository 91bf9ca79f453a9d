// weft keys: shows the keyring; changes its passphrase; exports keyrings that open less; imports
// one.
#include <fmt/format.h>
#include <sys/stat.h>

#include <memory>

#include "weft/cli/app/command.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/keys/change_passphrase.hpp"
#include "weft/cli/keys/people.hpp"
#include "weft/cli/keys/vouch.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

using crypto::Keyring;
using crypto::Layer;

struct Options {
  bool show = false;
  bool export_to = false;
  bool import_from = false;
  bool passphrase = false;
  bool vouch = false;
  bool force = false;
  bool add = false;
  bool trust = false;
  bool list = false;
  bool remove = false;
  std::string layer, file, ssh, person;
  std::optional<std::string> out, name;
  PassphraseOptions change{};
};

json::value key_id(const Keyring& keyring, Layer layer) {
  const crypto::LayerKey* key = keyring.layer(layer);
  return key != nullptr ? json::value(key->id()) : json::value(nullptr);
}

json::object to_json(const Keyring& keyring, const std::filesystem::path& path) {
  json::object answer{{"keyring", path.string()},
                      {"kind", crypto::to_string(keyring.kind())},
                      {"name", keyring.owner_name()},
                      {"public_key", keyring.owner_key().str()},
                      {"created_at", keyring.created_at()},
                      {"seal", crypto::to_string(keyring.seal_mode())},
                      {"can_sign", keyring.can_sign()},
                      {"layers", json::object{{"metadata", key_id(keyring, Layer::metadata)},
                                              {"content", key_id(keyring, Layer::content)}}},
                      {"people", people_json(keyring)}};
  if (keyring.can_sign()) answer["owner"] = thought::owner_identity(keyring).cid.str();
  return answer;
}

Outcome<Keyring> the_keyring(const Context& context) {
  Outcome<std::optional<Keyring>> keyring = context.find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  if (!*keyring) {
    return refuse(
        {ErrorCode::not_found, "no keyring at " + context.home().keyring.string() + " yet"},
        "create one with weft init");
  }
  return **std::move(keyring);
}

Answer show(const Context& context) {
  Outcome<Keyring> keyring = the_keyring(context);
  if (!keyring) return refuse(std::move(keyring));
  if (context.json()) {
    context.print_json(to_json(*keyring, context.home().keyring));
    return Exit::done;
  }
  Table table({{.colour = Colour::faint}, {}});
  const auto layer = [&](Layer which) {
    const crypto::LayerKey* key = keyring->layer(which);
    return key != nullptr ? "opens it (key " + key->id() + ")" : std::string("stays sealed");
  };
  table.add({"keyring", on_one_line(context.home().keyring.string())});
  table.add({"kind", std::string(crypto::to_string(keyring->kind()))});
  table.add({"owner", on_one_line(keyring->owner_name())});
  if (keyring->can_sign()) table.add({"identity", thought::owner_identity(*keyring).cid.str()});
  table.add({"public key", keyring->owner_key().str()});
  table.add({"made at", local_date_time(keyring->created_at())});
  table.add({"seal mode", std::string(crypto::to_string(keyring->seal_mode()))});
  table.add({"metadata", layer(Layer::metadata)});
  table.add({"content", layer(Layer::content)});
  table.add({"signs", keyring->can_sign() ? "yes" : "no"});
  const std::size_t people = people_json(*keyring).size();
  if (people > 0) table.add({"people", count(people) + " (weft keys list)"});
  context.print(table.str(context.style()));
  return Exit::done;
}

// The keys themselves go out: a file must be for its owner alone.
Status check_stdout(const Context& context) {
  struct stat info{};
  const bool is_open_file = ::fstat(::fileno(context.out()), &info) == 0 && S_ISREG(info.st_mode) &&
                            (info.st_mode & (S_IRWXG | S_IRWXO)) != 0;
  if (!is_open_file) return {};
  return fail(ErrorCode::denied,
              "the keys were not written: stdout is a file that other users can read; write them "
              "to a file of your own with --out FILE");
}

Answer write_keys(const Context& context, const Options& options, std::string_view text) {
  Result<OutFile> file =
      OutFile::create(*options.out, options.force ? Existing::replace : Existing::keep);
  if (!file) return refuse_file(std::move(file).error());
  std::fwrite(text.data(), 1, text.size(), file->stream());
  if (Status done = file->commit(); !done) return refuse_file(std::move(done).error());
  if (context.json()) {
    context.print_json(json::object{{"layer", options.layer}, {"out", *options.out}});
  } else {
    context.note("wrote " + on_one_line(*options.out));
  }
  return Exit::done;
}

Answer export_keys(const Context& context, const Options& options) {
  if (!options.out) {
    if (Status safe = check_stdout(context); !safe) return refuse(std::move(safe).error());
  }
  Outcome<Keyring> keyring = the_keyring(context);
  if (!keyring) return refuse(std::move(keyring));
  const bool is_metadata = options.layer == "metadata";
  Result<std::string> text =
      keyring->exported(is_metadata ? crypto::Reach::metadata : crypto::Reach::content);
  if (!text) return refuse(std::move(text).error());
  const crypto::WipeAtEnd wipe(*text);
  if (is_terminal(context.err())) {
    context.note(is_metadata
                     ? "its holder sees that there was reasoning, how long it took and its summary"
                     : "its holder can read everything");
  }
  if (options.out) return write_keys(context, options, *text);
  context.print(*text);
  if (!text->ends_with('\n')) context.print("\n");
  return Exit::done;
}

Answer import_keys(const Context& context, const std::string& file) {
  Result<std::string> text = read_keyring_text(file);
  if (!text) return refuse(std::move(text).error());
  const crypto::WipeAtEnd wipe_text(*text);
  std::optional<std::string> passphrase;
  Result<Keyring> keyring = Keyring::parse(*text, [&]() -> Result<std::string> {
    Result<std::string> asked = ask_passphrase(context.environment());
    if (asked) passphrase = *asked;
    return asked;
  });
  if (!keyring) return refuse(std::move(keyring).error(), "nothing was imported");
  if (Status made = make_home(context.home()); !made) return refuse(std::move(made).error());
  const std::filesystem::path& path = context.home().keyring;
  Status saved = crypto::save_new_keyring(path, *keyring, passphrase);
  if (passphrase) crypto::wipe(*passphrase);
  if (!saved) {
    const bool there = saved.error().code == ErrorCode::invalid_input;
    return refuse(
        std::move(saved).error(), there ? Exit::no : Exit::failure,
        there ? "a keyring is never overwritten; import to another file with --keys FILE" : "");
  }
  if (context.json()) {
    context.print_json(to_json(*keyring, path));
  } else {
    context.print(on_one_line(fmt::format("stored the {} keyring of {} at {}",
                                          crypto::to_string(keyring->kind()), keyring->owner_name(),
                                          path.string())) +
                  "\n");
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.action("show", options->show,
                   "Show the owner of the keyring, and what it opens and signs");
  Arguments exporting = arguments.action("export", options->export_to,
                                         "Write a keyring that opens layers but cannot sign");
  exporting.add("--layer", options->layer, "The highest layer it opens: metadata or content",
                {.required = true, .one_of = {"metadata", "content"}});
  exporting.add("--out", options->out, "Write to this file, mode 0600 (default: stdout)",
                {.value = "FILE"});
  exporting.flag("--force", options->force, "With --out: overwrite an existing file");
  arguments
      .action("import", options->import_from,
              "Store a keyring in the home, or in the file given with --keys")
      .add("FILE", options->file, "File with the keyring; - reads stdin", {.required = true});
  Arguments adding = arguments.action(
      "add", options->add, "Add somebody's exported keyring: what they sealed can then be read");
  adding.add("FILE", options->file, "A keyring that they made with weft keys export; - reads stdin",
             {.required = true});
  adding.add("--name", options->name, "What to call them (default: their name in the keyring)",
             {.value = "NAME"});
  Arguments trusting =
      arguments.action("trust", options->trust,
                       "Trust an owner: weft verify names them, and what they attest counts");
  trusting.add("CID|KEY|FILE", options->file,
               "Their identity in the store, their public key, or a keyring that they exported",
               {.required = true});
  trusting.add("--name", options->name,
               "What to call them (default: their name in the identity or the keyring)",
               {.value = "NAME"});
  arguments.action("list", options->list, "List the people whose keys the keyring has or trusts");
  arguments.action("remove", options->remove, "Remove somebody's keys, and the trust in them")
      .add("NAME", options->person, "As weft keys list shows it", {.required = true});
  Arguments changing = arguments.action("passphrase", options->passphrase,
                                        "Set, change or remove the passphrase of the keyring");
  changing.add("--new-passphrase-file", options->change.new_file,
               "Read the new passphrase from this file (default: ask for it twice)",
               {.value = "FILE"});
  changing.flag("--remove", options->change.remove, "Store the keyring without a passphrase");
  arguments
      .action("vouch", options->vouch,
              "Bind your identity to an SSH key that people know, for weft verify to show")
      .add("--ssh", options->ssh,
           "The key as ssh-keygen takes it: a private key, or a public one "
           "that your agent holds",
           {.value = "KEY", .required = true});
  return [options](Context& context) -> Answer {
    if (options->vouch) return vouch_by_ssh(context, options->ssh);
    if (options->export_to) return export_keys(context, *options);
    if (options->passphrase) return change_passphrase(context, options->change);
    if (options->import_from) return import_keys(context, options->file);
    if (options->add) return add_reading_keys(context, options->file, options->name);
    if (options->trust) return trust_owner(context, options->file, options->name);
    if (options->list) return list_people(context);
    if (options->remove) return remove_person(context, options->person);
    return show(context);
  };
}

}  // namespace

const Command& keys_command() {
  static const Command command = {
      .name = "keys",
      .group = Group::transfer,
      .summary = "show, protect and share keyrings; whom to trust",
      .about =
          "The keyring signs your thoughts and opens their sealed layers. An exported keyring\n"
          "cannot sign: with the metadata layer its holder sees that there was reasoning, how\n"
          "long it took and its summary; with the content layer, the reasoning too. A passphrase\n"
          "protects the keyring file; the present one is asked for, or read from the file that\n"
          "WEFT_PASSPHRASE_FILE names. `vouch` has an SSH key sign your identity (ssh-keygen -Y\n"
          "sign), so that others can tell by a key they know that it is yours.\n"
          "\n"
          "With `add`, the keyring opens what a colleague sealed, as far as the keyring that they\n"
          "exported does. `trust` has weft verify count an owner's thoughts as trusted, and what\n"
          "they attest counts as if you had said it. Neither lets anybody change your\n"
          "conversations.",
      .examples =
          "weft keys show\n"
          "weft keys passphrase\n"
          "weft keys passphrase --new-passphrase-file ~/.weft-passphrase --json\n"
          "weft keys export --layer metadata --out metadata.json\n"
          "weft keys vouch --ssh ~/.ssh/id_ed25519\n"
          "weft keys add grace-content.json --name grace\n"
          "weft keys trust ed25519:03a107bf… --name grace\n"
          "weft keys remove grace\n"
          "weft keys import metadata.json --keys ./metadata-keyring.json",
      .see_also = "weft init, weft get, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
