#include "weft/query/handover/human_words.hpp"

#include <gtest/gtest.h>

namespace weft::query {
namespace {

TEST(HumanWords, AnAssentOrACommandIsNoTask) {
  for (const char* words : {"yes", "Yes, go on!", "ok thanks", "continue", "  ",
                            "/compact now please", "!ls -la", "ja, weiter", "y"}) {
    EXPECT_FALSE(is_task(words)) << words;
  }
}

TEST(HumanWords, WhatSaysSomethingIsATask) {
  for (const char* words : {"mend the loom", "why?", "yes, and then oil the treadle too",
                            "Repariere den Webstuhl", "修理织机"}) {
    EXPECT_TRUE(is_task(words)) << words;
  }
}

TEST(HumanWords, ACorrectionStandsAtTheBeginning) {
  for (const char* words : {"no, the small plane", "don't touch it", "please never do that",
                            "use tabs", "nein, lieber so"}) {
    EXPECT_TRUE(is_decision(words)) << words;
  }
  for (const char* words : {"mend the loom so that it does not squeak", "yes", "/model opus"}) {
    EXPECT_FALSE(is_decision(words)) << words;
  }
}

}  // namespace
}  // namespace weft::query
