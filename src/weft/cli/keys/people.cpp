#include "weft/cli/keys/people.hpp"

#include <fmt/format.h>

#include <iostream>
#include <map>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/passphrase.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/secret.hpp"
#include "weft/thought/verify.hpp"

namespace weft::cli {
namespace {

using crypto::Keyring;
using crypto::OtherKeys;
using crypto::PublicKey;
using crypto::TrustedOwner;

// One person, of whichever list.
struct Person {
  PublicKey key;
  const OtherKeys* keys = nullptr;  // into the keyring; null if it does not read what they sealed
  bool is_trusted = false;
};

std::map<std::string, Person> people_of(const Keyring& keyring) {
  std::map<std::string, Person> people;
  for (const OtherKeys& keys : keyring.others()) {
    people[keys.name] = {.key = keys.owner, .keys = &keys};
  }
  for (const TrustedOwner& owner : keyring.trusted()) {
    people[owner.name].key = owner.key;
    people[owner.name].is_trusted = true;
  }
  return people;
}

json::object to_json(const std::string& name, const Person& person) {
  json::object layers{{"metadata", nullptr}, {"content", nullptr}};
  if (person.keys != nullptr) {
    layers["metadata"] = person.keys->metadata.id();
    if (person.keys->content) layers["content"] = person.keys->content->id();
  }
  return {{"name", name},
          {"public_key", person.key.str()},
          {"trusted", person.is_trusted},
          {"layers", std::move(layers)}};
}

std::string_view opens(const Person& person) {
  if (person.keys == nullptr) return "nothing";
  return person.keys->content ? "everything" : "metadata";
}

// The keyring of the home, to be changed and written back under the passphrase that it has.
class KeyringChange {
 public:
  static Outcome<KeyringChange> open(const Context& context) {
    std::optional<std::string> passphrase;
    Result<Keyring> keyring =
        crypto::load_keyring(context.home().keyring, [&]() -> Result<std::string> {
          WEFT_TRY_VALUE(auto asked, ask_passphrase(context.environment()));
          passphrase = asked;
          return asked;
        });
    KeyringChange change(context.home().keyring, std::move(passphrase));
    if (!keyring) {
      const bool is_missing = keyring.error().code == ErrorCode::not_found;
      return refuse(std::move(keyring).error(), is_missing ? "create one with weft init" : "");
    }
    change.keyring_ = *std::move(keyring);
    return change;
  }
  KeyringChange(KeyringChange&& other) noexcept
      : path_(std::move(other.path_)),
        passphrase_(std::exchange(other.passphrase_, std::nullopt)),
        keyring_(std::move(other.keyring_)) {}
  KeyringChange& operator=(KeyringChange&&) = delete;
  ~KeyringChange() {
    if (passphrase_) crypto::wipe(*passphrase_);
  }

  const Keyring& keyring() const { return *keyring_; }

  Status commit(Result<Keyring> changed) {
    if (!changed) return fail(std::move(changed).error());
    WEFT_TRY(crypto::replace_keyring(path_, *changed, passphrase_));
    keyring_ = *std::move(changed);
    return {};
  }

 private:
  KeyringChange(std::filesystem::path path, std::optional<std::string> passphrase)
      : path_(std::move(path)), passphrase_(std::move(passphrase)) {}

  std::filesystem::path path_;
  std::optional<std::string> passphrase_;
  std::optional<Keyring> keyring_;
};

// The name that was asked for, that the keyring has for this key already, or `own`.
std::string name_for(const Keyring& keyring, const PublicKey& key,
                     const std::optional<std::string>& asked, const std::string& own) {
  if (asked) return *asked;
  for (const auto& [name, person] : people_of(keyring)) {
    if (person.key == key) return name;
  }
  return own;
}

Answer report(const Context& context, const Keyring& keyring, const std::string& name,
              const std::string& done) {
  const Person person = people_of(keyring).at(name);
  if (context.json()) {
    context.print_json(to_json(name, person));
  } else {
    context.print(on_one_line(fmt::format("{} {}, {}", done, name, person.key.str())) + "\n");
  }
  return Exit::done;
}

Result<Keyring> read_exported(const Context& context, const std::string& file) {
  WEFT_TRY_VALUE(auto text, read_keyring_text(file));
  const crypto::WipeAtEnd wiped(text);
  return Keyring::parse(text, [&] { return ask_passphrase(context.environment()); });
}

// A person's name and key, from wherever they are stated.
struct Named {
  std::string name;
  PublicKey key;
};

Outcome<Named> read_identity(const Context& context, const std::string& cid) {
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::Library library = opened->library();
  Outcome<Cid> named = thought_called(library, cid);
  if (!named) return refuse(std::move(named));
  const Result<thought::Thought> identity = library.web.get(*named);
  if (!identity) return refuse(Error(identity.error()));
  const bool is_person =
      thought::is_identity(*identity) && find_string(identity->content, "kind") == "human";
  if (!is_person) {
    return refuse({ErrorCode::invalid_input, named->brief() + " is not the identity of a person"},
                  "weft get shows who made a thought, as its created_by");
  }
  thought::Witnesses witnesses(nullptr);
  if (const auto checked = witnesses.add(*identity); !checked) {
    return refuse(Error(checked.error()).within("the identity " + named->brief()));
  }
  const Result<PublicKey> key =
      PublicKey::parse(find_string(identity->content, "pubkey").value_or(""));
  if (!key) return refuse(Error(key.error()));
  return Named{std::string(find_string(identity->content, "name").value_or("")), *key};
}

Outcome<Named> read_whom(const Context& context, const std::string& whom) {
  if (const Result<PublicKey> key = PublicKey::parse(whom)) return Named{{}, *key};
  // As everywhere: what has a slash or a dot is a file first.
  if (whom == "-" || whom.find_first_of("/.") != std::string::npos) {
    const Result<Keyring> keyring = read_exported(context, whom);
    if (!keyring) return refuse(Error(keyring.error()));
    return Named{keyring->owner_name(), keyring->owner_key()};
  }
  return read_identity(context, whom);
}

}  // namespace

Result<std::string> read_keyring_text(const std::string& file) {
  if (file != "-") return read_file(file, Keyring::kMaxTextBytes);
  std::string text;
  text.reserve(Keyring::kMaxTextBytes + 1);
  char c = 0;
  while (text.size() <= Keyring::kMaxTextBytes && std::cin.get(c)) text += c;
  return text;
}

json::array people_json(const Keyring& keyring) {
  json::array list;
  for (const auto& [name, person] : people_of(keyring)) list.push_back(to_json(name, person));
  return list;
}

Answer add_reading_keys(const Context& context, const std::string& file,
                        const std::optional<std::string>& name) {
  const Result<Keyring> exported = read_exported(context, file);
  if (!exported) return refuse(Error(exported.error()), "nothing was added");
  Outcome<KeyringChange> change = KeyringChange::open(context);
  if (!change) return refuse(std::move(change));
  const std::string called =
      name_for(change->keyring(), exported->owner_key(), name, exported->owner_name());
  Result<OtherKeys> keys = Keyring::to_other_keys(*exported, called);
  Result<Keyring> more = keys ? change->keyring().with(*std::move(keys)) : fail(keys.error());
  if (Status added = change->commit(std::move(more)); !added) {
    return refuse(std::move(added).error(), "nothing was added");
  }
  context.note("sealed text that the store has already is found by weft search after weft reindex");
  return report(context, change->keyring(), called, "added the reading keys of");
}

Answer trust_owner(const Context& context, const std::string& whom,
                   const std::optional<std::string>& name) {
  Outcome<Named> named = read_whom(context, whom);
  if (!named) return refuse(std::move(named));
  Outcome<KeyringChange> change = KeyringChange::open(context);
  if (!change) return refuse(std::move(change));
  const std::string called = name_for(change->keyring(), named->key, name, named->name);
  if (called.empty()) {
    return refuse({ErrorCode::invalid_input, "a public key has no name of its own"}, Exit::usage,
                  "say with --name what to call this person");
  }
  const TrustedOwner owner{.name = called, .key = named->key};
  if (Status added = change->commit(change->keyring().with(owner)); !added) {
    return refuse(std::move(added).error(), "nothing was changed");
  }
  return report(context, change->keyring(), called, "the keyring trusts");
}

Answer list_people(const Context& context) {
  Outcome<KeyringChange> change = KeyringChange::open(context);
  if (!change) return refuse(std::move(change));
  if (context.json()) {
    context.print_json(json::object{{"people", people_json(change->keyring())}});
    return Exit::done;
  }
  const std::map<std::string, Person> people = people_of(change->keyring());
  if (people.empty()) {
    context.print("nobody: weft keys add FILE and weft keys trust WHOM add people\n");
    return Exit::done;
  }
  Table table({{.title = "name", .flexible = true},
               {.title = "opens"},
               {.title = "trusted"},
               {.title = "public key", .colour = Colour::faint}});
  for (const auto& [name, person] : people) {
    table.add({on_one_line(name), std::string(opens(person)), person.is_trusted ? "yes" : "no",
               person.key.str()});
  }
  context.print(table.str(context.style()));
  return Exit::done;
}

Answer remove_person(const Context& context, const std::string& name) {
  Outcome<KeyringChange> change = KeyringChange::open(context);
  if (!change) return refuse(std::move(change));
  if (Status removed = change->commit(change->keyring().without(name)); !removed) {
    const bool is_unknown = removed.error().code == ErrorCode::not_found;
    return refuse(std::move(removed).error(), is_unknown ? Exit::no : Exit::failure,
                  is_unknown ? "weft keys list names everybody" : "nothing was changed");
  }
  if (context.json()) {
    context.print_json(json::object{{"removed", name}});
  } else {
    context.print(on_one_line("removed " + name) + "\n");
  }
  return Exit::done;
}

}  // namespace weft::cli
