#include "weft/mcp/transports/http_rules.hpp"

#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

HttpRules rules() { return {.hosts = net::Hosts(4737, {}), .most_body_bytes = 100}; }

// A request that is admitted, to be spoilt by each test.
net::RequestHead post() {
  return {.method = "POST",
          .target = "/mcp",
          .fields = {{"host", "localhost:4737"},
                     {"content-type", "application/json"},
                     {"accept", "application/json, text/event-stream"}},
          .content_length = 100};
}

net::RequestHead with(net::RequestHead head, const std::string& name, const std::string& value) {
  std::erase_if(head.fields, [&](const auto& field) { return field.first == name; });
  head.fields.emplace_back(name, value);
  return head;
}

unsigned status_of(const net::RequestHead& head, const HttpRules& by = rules()) {
  const auto admitted = admit(head, by, {.local = "127.0.0.1"});
  return admitted ? 0 : admitted.error().status;
}

TEST(HttpRules, AdmitAPostOfJsonToMcp) {
  EXPECT_EQ(admit(post(), rules(), {.local = "127.0.0.1"})->route, Route::mcp);
  net::RequestHead head = with(post(), "content-type", "Application/JSON; charset=utf-8");
  head.target = "/mcp?x=1";
  EXPECT_EQ(status_of(head), 0u);
}

TEST(HttpRules, WantExactlyOneHost) {
  net::RequestHead head = post();
  head.fields.erase(head.fields.begin());
  EXPECT_EQ(status_of(head), 400u);
  head = post();
  head.fields.emplace_back("host", "localhost:4737");
  EXPECT_EQ(status_of(head), 400u);
  EXPECT_EQ(status_of(with(post(), "host", "evil.example")), 403u);
}

TEST(HttpRules, CheckHostAndOriginWhateverIsAskedFor) {
  for (const char* method : {"GET", "POST", "DELETE", "OPTIONS", "PUT", "NONSENSE"}) {
    for (const char* target : {"/mcp", "/healthz", "/nowhere"}) {
      net::RequestHead head = with(post(), "origin", "http://evil.example");
      head.method = method;
      head.target = target;
      EXPECT_EQ(status_of(head), 403u) << method << " " << target;
      head = with(post(), "host", "evil.example");
      head.method = method;
      head.target = target;
      EXPECT_EQ(status_of(head), 403u) << method << " " << target;
    }
  }
  net::RequestHead two = with(post(), "origin", "http://localhost:4737");
  EXPECT_EQ(status_of(two), 0u);
  two.fields.emplace_back("origin", "null");
  EXPECT_EQ(status_of(two), 403u);
}

TEST(HttpRules, WantTheTokenWhereThereIsOne) {
  HttpRules with_token = rules();
  with_token.token = "heron";
  EXPECT_EQ(status_of(with(post(), "authorization", "Bearer heron"), with_token), 0u);
  EXPECT_EQ(status_of(with(post(), "authorization", "bearer  heron"), with_token), 0u);
  for (const char* given : {"", "heron", "Bearer", "Bearer ", "Bearer Heron", "Bearer heron2",
                            "Bearer hero", "Basic heron", "Bearer heron heron"}) {
    EXPECT_EQ(status_of(with(post(), "authorization", given), with_token), 401u) << given;
  }
  EXPECT_EQ(status_of(post(), with_token), 401u);
  net::RequestHead twice = with(post(), "authorization", "Bearer heron");
  twice.fields.emplace_back("authorization", "Bearer heron");
  EXPECT_EQ(status_of(twice, with_token), 401u);
  const auto refused = admit(post(), with_token, {.local = "127.0.0.1"});
  EXPECT_EQ(refused.error().fields,
            (decltype(net::HttpRefusal::fields){{"WWW-Authenticate", "Bearer"}}));
}

unsigned status_for_own_user(const net::RequestHead& head, const HttpRules& by) {
  const auto admitted = admit(head, by, {.local = "127.0.0.1", .is_own_user = true});
  return admitted ? 0 : admitted.error().status;
}

TEST(HttpRules, Security5LetInProgramsOfTheServersUserWithoutAToken) {
  HttpRules own = rules();
  own.admits_own_user = true;
  for (const std::optional<std::string>& token : {std::optional<std::string>("heron"), {}}) {
    own.token = token;
    EXPECT_EQ(status_for_own_user(post(), own), 0u);
    // A wrong token does not take away the right to ask.
    EXPECT_EQ(status_for_own_user(with(post(), "authorization", "Bearer egret"), own), 0u);
    EXPECT_EQ(status_of(post(), own), 401u);
  }
  // Where the user does not count, the token is needed.
  HttpRules token_only = rules();
  token_only.token = "heron";
  EXPECT_EQ(status_for_own_user(post(), token_only), 401u);
}

TEST(HttpRules, Security5WantTheTokenForWhatAProxyPassesOnWhoeverRunsTheProxy) {
  HttpRules own{.hosts = net::Hosts(4737, {"weft.example"}),
                .token = "heron",
                .admits_own_user = true,
                .most_body_bytes = 100};
  for (const char* field :
       {"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"}) {
    const net::RequestHead head = with(post(), field, "192.0.2.1");
    EXPECT_EQ(status_for_own_user(head, own), 401u) << field;
    EXPECT_EQ(status_for_own_user(with(head, "authorization", "Bearer heron"), own), 0u) << field;
  }
  EXPECT_EQ(status_for_own_user(with(post(), "host", "weft.example"), own), 401u);
  EXPECT_EQ(status_for_own_user(with(post(), "host", "127.0.0.1"), own), 0u);
}

TEST(HttpRules, SayToThoseWhoMayNotAskWhereTheTokenIs) {
  HttpRules own = rules();
  own.admits_own_user = true;
  const auto refused = admit(post(), own, {.local = "127.0.0.1"});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().reason.find("Authorization: Bearer"), std::string::npos);
  EXPECT_NE(refused.error().reason.find("serve.token"), std::string::npos);
}

TEST(HttpRules, LetAnyoneAskWhetherTheServerIsWell) {
  HttpRules with_token = rules();
  with_token.token = "heron";
  net::RequestHead head{.method = "GET", .target = "/healthz", .fields = {{"host", "localhost"}}};
  EXPECT_EQ(admit(head, with_token, {.local = "127.0.0.1"})->route, Route::health);
  head.method = "POST";
  EXPECT_EQ(status_of(head, with_token), 405u);
}

TEST(HttpRules, NameTheMethodThatIsAllowed) {
  for (const char* method : {"GET", "DELETE", "PUT", "OPTIONS", "HEAD", "post"}) {
    net::RequestHead head = post();
    head.method = method;
    const auto refused = admit(head, rules(), {.local = "127.0.0.1"});
    ASSERT_FALSE(refused) << method;
    EXPECT_EQ(refused.error().status, 405u);
    EXPECT_EQ(refused.error().fields, (decltype(net::HttpRefusal::fields){{"Allow", "POST"}}));
  }
}

TEST(HttpRules, KnowNoOtherPath) {
  for (const char* target : {"/", "/mcp/", "/MCP", "/mcpx", "*", "http://localhost:4737/mcp"}) {
    net::RequestHead head = post();
    head.target = target;
    EXPECT_EQ(status_of(head), 404u) << target;
  }
}

TEST(HttpRules, TakeNothingButJsonSoThatNoFormOfAPageCanSendIt) {
  for (const char* type : {"text/plain", "", "application/json5", "application/jsonp",
                           "multipart/form-data", "text/plain; application/json"}) {
    EXPECT_EQ(status_of(with(post(), "content-type", type)), 415u) << type;
  }
  net::RequestHead none = post();
  none.fields.erase(none.fields.begin() + 1);
  EXPECT_EQ(status_of(none), 415u);
  EXPECT_EQ(status_of(with(post(), "content-encoding", "gzip")), 415u);
}

TEST(HttpRules, WantAClientThatCanReadTheAnswer) {
  EXPECT_EQ(status_of(with(post(), "accept", "text/html")), 406u);
  EXPECT_EQ(status_of(with(post(), "accept", "application/json;q=0, text/html")), 406u);
  EXPECT_EQ(status_of(with(post(), "accept", "*/*")), 0u);
}

TEST(HttpRules, RefuseALongBodyBeforeItComes) {
  net::RequestHead head = post();
  head.content_length = 101;
  EXPECT_EQ(status_of(head), 413u);
}

TEST(HttpRules, KnowOneExpectation) {
  EXPECT_EQ(status_of(with(post(), "expect", "100-Continue")), 0u);
  EXPECT_TRUE(waits_to_continue(with(post(), "expect", "100-Continue")));
  EXPECT_FALSE(waits_to_continue(post()));
  EXPECT_EQ(status_of(with(post(), "expect", "wonders")), 417u);
}

std::string accepted(const std::string& accept) {
  const Accepts accepts = accepted_by(with(post(), "accept", accept));
  return std::string(accepts.json ? "json " : "") + (accepts.stream ? "stream" : "");
}

TEST(Accepts, ReadsMediaRanges) {
  EXPECT_EQ(accepted("application/json, text/event-stream"), "json stream");
  EXPECT_EQ(accepted("APPLICATION/JSON"), "json ");
  EXPECT_EQ(accepted("text/event-stream"), "stream");
  EXPECT_EQ(accepted("*/*;q=0.8"), "json stream");
  EXPECT_EQ(accepted("text/html, application/*"), "json ");
  EXPECT_EQ(accepted("application/json;v=1;q=0.0, text/event-stream;q=0.001"), "stream");
  EXPECT_EQ(accepted("application/jsonx ,,"), "");
}

TEST(Accepts, TakesSilenceForAnything) {
  const Accepts accepts = accepted_by(net::RequestHead{});
  EXPECT_TRUE(accepts.json && accepts.stream);
}

// A site with one path of each kind.
struct FakeSite final : net::Site {
  Part part_of(std::string_view path) const override {
    if (path == "/") return Part::file;
    if (path == "/api/hello" || path == "/api/keeper") return Part::question;
    return path == "/api/events" ? Part::stream : Part::none;
  }
  net::Right right_for(std::string_view path) const override {
    return path == "/api/keeper" ? net::Right::keeper : net::Right::read;
  }
  net::HttpResponse file(const net::RequestHead&) const override { return {}; }
  std::shared_ptr<net::SiteQuestion> ask(const net::RequestHead&,
                                         std::shared_ptr<net::SiteOutlet>) override {
    return nullptr;
  }
  void drain() override {}
};

net::RequestHead get(std::string target) {
  return {.method = "GET", .target = std::move(target), .fields = {{"host", "localhost:4737"}}};
}

TEST(HttpRules, RouteToTheSite) {
  const FakeSite site;
  HttpRules with_site = rules();
  with_site.site = &site;
  const auto route = [&](const char* target) {
    return admit(get(target), with_site, {.local = "127.0.0.1"}).value().route;
  };
  EXPECT_EQ(route("/"), Route::file);
  EXPECT_EQ(route("/?x=1"), Route::file);
  EXPECT_EQ(route("/api/hello?x=1"), Route::question);
  EXPECT_EQ(route("/api/events"), Route::stream);
  EXPECT_EQ(status_of(get("/api/nothing"), with_site), 404u);
  EXPECT_EQ(status_of(get("/api/hello")), 404u);  // without a site
}

// A server with a person who may only read, one who may see the keeper's work, and one who may only
// push.
HttpRules rules_with_people(const FakeSite& site) {
  HttpRules people = rules();
  people.token = "heron-of-the-home";
  people.site = &site;
  people.find_person = [](std::string_view token) -> std::optional<net::Rights> {
    if (token == "reader") return net::Rights{net::Right::read};
    if (token == "pusher") return net::Rights{net::Right::push};
    if (token == "watcher") return net::Rights{net::Right::read, net::Right::keeper};
    return std::nullopt;
  };
  return people;
}

TEST(HttpRules, GiveAPersonTheRightsOfTheirTokenAndTheHomesOwnTokenAll) {
  const FakeSite site;
  const HttpRules people = rules_with_people(site);
  const auto rights = [&](const char* token) {
    return admit(with(post(), "authorization", std::string("Bearer ") + token), people,
                 {.local = "127.0.0.1"});
  };
  EXPECT_EQ(rights("reader")->rights, net::Rights{net::Right::read});
  EXPECT_EQ(rights("pusher")->rights, net::Rights{net::Right::push});
  EXPECT_EQ(rights("heron-of-the-home")->rights, net::Rights::all());
  EXPECT_EQ(rights("nobody").error().status, 401u);
  EXPECT_EQ(rights("").error().status, 401u);
}

TEST(HttpRules, WantTheRightThatAQuestionNeedsAndNameIt) {
  const FakeSite site;
  const HttpRules people = rules_with_people(site);
  const auto status = [&](const char* target, const char* token) {
    return status_of(with(get(target), "authorization", std::string("Bearer ") + token), people);
  };
  EXPECT_EQ(status("/api/hello", "reader"), 0u);
  EXPECT_EQ(status("/api/events", "reader"), 0u);
  EXPECT_EQ(status("/api/hello", "pusher"), 403u);
  EXPECT_EQ(status("/api/events", "pusher"), 403u);
  EXPECT_EQ(status("/api/keeper", "reader"), 403u);
  EXPECT_EQ(status("/api/keeper", "watcher"), 0u);
  EXPECT_EQ(status("/api/keeper", "heron-of-the-home"), 0u);
  EXPECT_EQ(status("/", "nobody"), 0u) << "files hold nothing";
  const auto refused = admit(with(get("/api/keeper"), "authorization", "Bearer reader"), people,
                             {.local = "127.0.0.1"});
  EXPECT_NE(refused.error().reason.find("`keeper`"), std::string::npos);
  ASSERT_EQ(refused.error().fields.size(), 1u);
  EXPECT_NE(refused.error().fields.front().second.find("insufficient_scope"), std::string::npos);
}

TEST(HttpRules, WantATlsProxyWhereOneIsDemanded) {
  HttpRules behind = rules();
  behind.token = "heron";
  behind.needs_tls_proxy = true;
  const net::RequestHead head = with(post(), "authorization", "Bearer heron");
  EXPECT_EQ(status_of(head, behind), 403u);
  EXPECT_EQ(status_of(with(head, "x-forwarded-proto", "http"), behind), 403u);
  EXPECT_EQ(status_of(with(head, "forwarded", "for=192.0.2.1;proto=http"), behind), 403u);
  EXPECT_EQ(status_of(with(head, "forwarded", "for=1, for=2;proto=https"), behind), 403u);
  EXPECT_EQ(status_of(with(head, "x-forwarded-proto", "https"), behind), 0u);
  EXPECT_EQ(status_of(with(head, "forwarded", "for=192.0.2.1;Proto=https"), behind), 0u);
  EXPECT_EQ(status_of(with(post(), "x-forwarded-proto", "https"), behind), 401u);
}

TEST(HttpRules, OnlyReadFromTheSite) {
  const FakeSite site;
  HttpRules with_site = rules();
  with_site.site = &site;
  for (const char* target : {"/", "/api/hello", "/api/events"}) {
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "NONSENSE"}) {
      net::RequestHead head = get(target);
      head.method = method;
      EXPECT_EQ(status_of(head, with_site), 405u) << method << " " << target;
    }
  }
  net::RequestHead head = get("/");
  head.method = "HEAD";
  EXPECT_EQ(status_of(head, with_site), 0u);
}

TEST(HttpRules, LetNoPageOfAnotherSiteAskButFollowItsLinks) {
  const FakeSite site;
  HttpRules with_site = rules();
  with_site.site = &site;
  for (const char* from : {"cross-site", "same-site", "nonsense"}) {
    for (const char* target : {"/api/hello", "/api/events"}) {
      EXPECT_EQ(status_of(with(get(target), "sec-fetch-site", from), with_site), 403u) << from;
    }
    EXPECT_EQ(status_of(with(post(), "sec-fetch-site", from), with_site), 403u) << from;
    EXPECT_EQ(status_of(with(get("/"), "sec-fetch-site", from), with_site), 0u) << from;
  }
  for (const char* from : {"same-origin", "none"}) {
    EXPECT_EQ(status_of(with(get("/api/hello"), "sec-fetch-site", from), with_site), 0u) << from;
  }
}

TEST(HttpRules, WantTheTokenForQuestionsButNotForFiles) {
  const FakeSite site;
  HttpRules with_site = rules();
  with_site.site = &site;
  with_site.token = "secret";
  EXPECT_EQ(status_of(get("/"), with_site), 0u);
  EXPECT_EQ(status_of(get("/api/hello"), with_site), 401u);
  EXPECT_EQ(status_of(get("/api/events"), with_site), 401u);
  EXPECT_EQ(status_of(with(get("/api/hello"), "authorization", "Bearer secret"), with_site), 0u);
}

}  // namespace
}  // namespace weft::mcp
