// What README.md shows is what happens: its ```console blocks are run, one after another
// in one home, and the output that they show must appear.
//
//   $ ./run list                  a command: weft is run with these words
//   3f2a91c0b1d2  …  The ferry    a line of its output; what changes from run to run
//                                 (times, CIDs, figures, what … stands for) is not compared
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

#include "program.hpp"

namespace weft::test {
namespace {

struct Shown {
  std::string command;
  std::size_t line = 0;
  std::vector<std::string> output;
};

std::vector<Shown> read_console_blocks(std::istream& readme) {
  std::vector<Shown> shown;
  bool inside = false;
  std::size_t number = 0;
  for (std::string line; std::getline(readme, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside && line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      shown.push_back({line.substr(2), number, {}});
    } else if (inside && !shown.empty()) {
      shown.back().output.push_back(line);
    }
  }
  return shown;
}

// Words that are the same in every run: letters alone, with what may stand around them.
std::vector<std::string> stable_words(const std::string& line) {
  static const std::regex kWord("[A-Za-z_'’-]{2,}");
  std::vector<std::string> words;
  std::istringstream stream(line);
  for (std::string token; stream >> token;) {
    std::smatch match;
    const bool changes = token.find_first_of("0123456789") != std::string::npos ||
                         token.find("…") != std::string::npos;
    if (!changes && std::regex_search(token, match, kWord)) words.push_back(match.str());
  }
  return words;
}

// The beginnings of CIDs in a line, in order.
std::vector<std::string> cids_in(const std::string& line) {
  static const std::regex kCid("\\b[0-9a-f]{8,64}\\b");
  std::vector<std::string> cids;
  for (std::sregex_iterator match(line.begin(), line.end(), kCid), end; match != end; ++match) {
    cids.push_back(match->str());
  }
  return cids;
}

bool says_all(const std::string& line, const std::vector<std::string>& words) {
  return std::ranges::all_of(
      words, [&](const std::string& word) { return line.find(word) != std::string::npos; });
}

// Another keyring gives other CIDs: which of this run stands where the page has its own?
class Translation {
 public:
  void learn(const std::string& shown, const std::string& output) {
    const std::vector<std::string> theirs = cids_in(shown);
    if (theirs.empty()) return;
    std::istringstream stream(output);
    for (std::string line; std::getline(stream, line);) {
      const std::vector<std::string> ours = cids_in(line);
      if (ours.size() != theirs.size() || !says_all(line, stable_words(shown))) continue;
      for (std::size_t i = 0; i < ours.size(); ++i) known_.try_emplace(theirs[i], ours[i]);
      return;
    }
  }

  // A command may have less of a CID than the output did.
  std::string translated(std::string command) const {
    for (const std::string& cid : cids_in(command)) {
      const auto found = known_.lower_bound(cid);
      if (found == known_.end() || !found->first.starts_with(cid)) continue;
      command.replace(command.find(cid), cid.size(), found->second);
    }
    return command;
  }

 private:
  std::map<std::string, std::string> known_;
};

TEST(Readme, ShowsWhatHappens) {
  std::ifstream readme(std::string(WEFT_SOURCE_DIR) + "/README.md");
  const std::vector<Shown> all = read_console_blocks(readme);
  if (all.empty()) GTEST_SKIP() << "README.md has no ```console block yet";
  Weft weft;
  Translation translation;
  for (const Shown& shown : all) {
    if (!shown.command.starts_with("./run")) continue;
    std::map<std::string, std::string> environment = weft.environment;
    environment["PATH"] = "/usr/bin:/bin";
    // As a person would in the source tree, but what they write goes to the scratch.
    const std::string script = "cd '" + weft.scratch().string() + "' && { [ -e tests ] || ln -s '" +
                               WEFT_SOURCE_DIR + "/tests' tests; } && run() { '" + WEFT_BINARY +
                               "' \"$@\"; } && run" +
                               translation.translated(shown.command.substr(5));
    const Ran ran = run_program("/bin/bash", {"-c", script}, environment);
    EXPECT_EQ(ran.exit, 0) << "README.md:" << shown.line << ": " << shown.command << "\n" << ran;
    for (const std::string& line : shown.output) {
      translation.learn(line, ran.out);
      for (const std::string& word : stable_words(line)) {
        EXPECT_NE(ran.out.find(word), std::string::npos)
            << "README.md:" << shown.line << ": " << shown.command << " does not print '" << word
            << "'\n"
            << ran;
      }
    }
  }
}

}  // namespace
}  // namespace weft::test
