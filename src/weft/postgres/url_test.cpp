#include "weft/postgres/url.hpp"

#include <gtest/gtest.h>

#include <map>

namespace weft::postgres {
namespace {

Url parse(std::string_view text) {
  Result<Url> url = Url::parse(text);
  EXPECT_TRUE(url) << text << ": " << (url ? "" : url.error().message);
  return url ? *url : Url();
}
std::string refused(std::string_view text) {
  const Result<Url> url = Url::parse(text);
  EXPECT_FALSE(url) << text;
  if (url) return "";
  EXPECT_EQ(url.error().code, ErrorCode::invalid_input);
  return url.error().message;
}
std::map<std::string, std::string> settings(const Url& url, std::size_t host = 0) {
  const Url::Settings all = url.settings(url.hosts().empty() ? nullptr : &url.hosts()[host]);
  return {all.begin(), all.end()};
}

TEST(PostgresUrl, IsReadInParts) {
  const Url url = parse("postgresql://ann@db.example:6432/team?schema=blue_web&sslmode=require");
  EXPECT_EQ(url.hosts(), (std::vector<Host>{{"db.example", 6432}}));
  EXPECT_EQ(url.user(), "ann");
  EXPECT_EQ(url.database(), "team");
  EXPECT_EQ(url.schema(), "blue_web");
  EXPECT_EQ(settings(url)["sslmode"], "require");
  EXPECT_EQ(settings(url)["port"], "6432");
  EXPECT_EQ(settings(url)["dbname"], "team");
  EXPECT_EQ(url.str(), "postgres://ann@db.example:6432/team?schema=blue_web&sslmode=require");
}

TEST(PostgresUrl, WithLittleItHasDefaults) {
  const Url url = parse("postgres:///team");
  EXPECT_TRUE(url.hosts().empty());
  EXPECT_EQ(url.schema(), "weft");
  EXPECT_EQ(url.str(), "postgres:///team");
  const auto given = settings(url);
  EXPECT_FALSE(given.contains("host"));
  EXPECT_FALSE(given.contains("user"));
  EXPECT_EQ(given.at("application_name"), "weft");
  EXPECT_EQ(given.at("sslmode"), "verify-full") << "libpq's default host may be any machine";
}

TEST(PostgresUrl, PartsAreDecoded) {
  const Url url = parse("postgres://a%40b@%2Frun%2Fpg:5433/my%20base");
  EXPECT_EQ(url.user(), "a@b");
  EXPECT_EQ(url.hosts(), (std::vector<Host>{{"/run/pg", 5433}}));
  EXPECT_EQ(url.database(), "my base");
  EXPECT_EQ(url.str(), "postgres://a%40b@%2Frun%2Fpg:5433/my%20base");
  EXPECT_EQ(parse("postgres:///d?host=/run/pg&port=5433&user=a").str(),
            "postgres://a@%2Frun%2Fpg:5433/d");
  EXPECT_EQ(parse("postgres://[::1]:5433/d").str(), "postgres://[::1]:5433/d");
  for (const char* broken : {"postgres://a%4@h/d", "postgres://h/d%zz", "postgres://h%00/d",
                             "postgres://h/d?schema=a%0ab", "postgres://%/d"}) {
    refused(broken);
  }
}

TEST(PostgresUrl, WhatIsPrintedIsParsedToTheSame) {
  for (const char* text :
       {"postgres:///d", "postgres://u@h/d", "postgres://h:1,i:65535/d?schema=s",
        "postgres://[fe80::1]/d%2Fe", "postgres://h/d?sslrootcert=/etc/ca.pem&service=team"}) {
    EXPECT_EQ(parse(parse(text).str()).str(), parse(text).str());
  }
}

TEST(PostgresUrl, Security7APasswordIsRefusedAndNotRepeated) {
  for (const char* text : {"postgres://ann:hunter2@db/team", "postgres://ann:hunter2@db",
                           "postgres://:hunter2@db/team", "postgres://db/team?password=hunter2",
                           "postgres://db/team?sslpassword=hunter2",
                           "postgres://ann:hun@ter2@db/team", "postgres://ann:hunter2@"}) {
    const std::string message = refused(text);
    EXPECT_NE(message.find("PGPASSFILE"), std::string::npos) << message;
    EXPECT_EQ(message.find("hunter2"), std::string::npos) << message;
  }
  for (const char* text :
       {"postgres://db:hunter2/team", "postgres://db/team?hunter2=hunter2",
        "postgres://db/team?schema=HUNTER2", "postgres://db/team?sslmode=HUNTER2"}) {
    EXPECT_EQ(refused(text).find("unter2"), std::string::npos);
  }
}

TEST(PostgresUrl, Security7BeyondThisMachineThereIsTls) {
  EXPECT_EQ(settings(parse("postgres://db/team"))["sslmode"], "verify-full");
  EXPECT_EQ(settings(parse("postgres://localhost/team"))["sslmode"], "prefer");
  EXPECT_EQ(settings(parse("postgres://127.0.0.1/team"))["sslmode"], "prefer");
  EXPECT_EQ(settings(parse("postgres://127.evil.example/team"))["sslmode"], "verify-full");
  EXPECT_EQ(settings(parse("postgres://localhost.example/team"))["sslmode"], "verify-full");
  EXPECT_EQ(settings(parse("postgres://localhost,db/team"), 1)["sslmode"], "verify-full");
  for (const char* weak : {"disable", "allow", "prefer"}) {
    const std::string option = std::string("/team?sslmode=") + weak;
    const std::string message = refused("postgres://db" + option);
    EXPECT_NE(message.find("without TLS"), std::string::npos) << message;
    refused("postgres://localhost,db" + option);
    refused("postgres://" + option);  // PGHOST may name any
    parse("postgres://localhost" + option);
    parse("postgres://%2Frun" + option);
  }
}

TEST(PostgresUrl, OfSeveralHostsTheOneThatTakesWritesIsUsed) {
  const Url url = parse("postgres://a,b:5433/team");
  EXPECT_EQ(url.hosts(), (std::vector<Host>{{"a", 5432}, {"b", 5433}}));
  EXPECT_EQ(settings(url, 1)["host"], "b");
  EXPECT_EQ(settings(url)["target_session_attrs"], "read-write");
  EXPECT_EQ(settings(parse("postgres://a/team"))["target_session_attrs"], "any");
  EXPECT_EQ(
      settings(parse("postgres://a,b/team?target_session_attrs=standby"))["target_session_attrs"],
      "standby");
}

TEST(PostgresUrl, WhatWeDoNotKnowIsRefused) {
  for (const char* text : {"postgres:/d",
                           "sqlite:x",
                           "postgres://db",
                           "postgres://db/",
                           "postgres://a,/d",
                           "postgres://db:0/d",
                           "postgres://db:65536/d",
                           "postgres://db:5432x/d",
                           "postgres://[::1/d",
                           "postgres://[::1]5/d",
                           "postgres://@db/d",
                           "postgres://db/d?schema=",
                           "postgres://db/d?schema",
                           "postgres://db/d?schema=Big",
                           "postgres://db/d?schema=1a",
                           "postgres://db/d?schema=pg_x",
                           "postgres://db/d?schema=a\"b",
                           "postgres://db/d?sslmode=on",
                           "postgres://db/d?options=-c",
                           "postgres://db/d?hostaddr=1.2.3.4",
                           "postgres://db/d?sslmode=require&sslmode=disable",
                           "postgres://db/d?host=x",
                           "postgres://db/d?target_session_attrs=prefer-standby"}) {
    refused(text);
  }
  EXPECT_TRUE(Url::recognise("postgres://"));
  EXPECT_TRUE(Url::recognise("postgresql://x"));
  EXPECT_FALSE(Url::recognise("postgres.db"));
}

}  // namespace
}  // namespace weft::postgres
