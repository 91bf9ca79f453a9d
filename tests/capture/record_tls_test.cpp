// weft record before an API that speaks TLS: certificates are checked, by whom and for whom.
#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "record_for_test.hpp"

namespace weft::test {
namespace {

// A certificate for `name` that signs itself.
struct Certificate {
  explicit Certificate(const char* name) {
    key = ::EVP_EC_gen("P-256");
    x509 = ::X509_new();
    ::X509_set_version(x509, 2);
    ::ASN1_INTEGER_set(::X509_get_serialNumber(x509), 1);
    ::X509_gmtime_adj(::X509_getm_notBefore(x509), -3600);
    ::X509_gmtime_adj(::X509_getm_notAfter(x509), 3600);
    ::X509_set_pubkey(x509, key);
    X509_NAME* subject = ::X509_get_subject_name(x509);
    ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    ::X509_set_issuer_name(x509, subject);
    const std::string names = std::string("DNS:") + name;
    X509_EXTENSION* extension =
        ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    ::X509_add_ext(x509, extension, -1);
    ::X509_EXTENSION_free(extension);
    ::X509_sign(x509, key, ::EVP_sha256());
  }
  ~Certificate() {
    ::X509_free(x509);
    ::EVP_PKEY_free(key);
  }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;

  std::string pem() const {
    BIO* memory = ::BIO_new(::BIO_s_mem());
    ::PEM_write_bio_X509(memory, x509);
    char* bytes = nullptr;
    const long size = ::BIO_get_mem_data(memory, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    ::BIO_free(memory);
    return text;
  }
  EVP_PKEY* key;
  X509* x509;
};

// Answers every connection with the same, once a request has come.
class TlsApi {
 public:
  enum class End { proper, cut };  // with TLS's closing message, or without
  TlsApi(const Certificate& certificate, std::string answer, End end = End::proper)
      : answer_(std::move(answer)), end_(end) {
    context_ = ::SSL_CTX_new(::TLS_server_method());
    ::SSL_CTX_use_certificate(context_, certificate.x509);
    ::SSL_CTX_use_PrivateKey(context_, certificate.key);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 16), 0);
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~TlsApi() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    ::SSL_CTX_free(context_);
  }
  std::string url() const { return "https://localhost:" + std::to_string(port_); }
  std::string asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
  }

 private:
  void serve() {
    for (int fd; (fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      SSL* tls = ::SSL_new(context_);
      ::SSL_set_fd(tls, fd);
      std::string head;
      if (::SSL_accept(tls) == 1) {
        char piece[4096];
        for (int size; head.find("\r\n\r\n") == std::string::npos &&
                       (size = ::SSL_read(tls, piece, sizeof piece)) > 0;) {
          head.append(piece, static_cast<std::size_t>(size));
        }
        ::SSL_write(tls, answer_.data(), static_cast<int>(answer_.size()));
        if (end_ == End::proper) ::SSL_shutdown(tls);
        const std::lock_guard lock(mutex_);
        asked_ += head;
      }
      ::SSL_free(tls);
      ::close(fd);
    }
  }
  std::string answer_;
  const End end_;
  SSL_CTX* context_ = nullptr;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::string asked_;  // guarded by mutex_
};

const std::string kAnswer = chunked_stream(message_events("msg_1", "I think", "Hello."));

std::string ask(const Recording& recording) {
  const Peer client = recording.connect();
  client.write(post("/v1/messages", messages(user("Hi."))));
  return client.read_all();
}

TEST(RecordTls, ACertificateThatIsTrustedForThatName) {
  const Certificate certificate("localhost");
  TlsApi api(certificate, kAnswer);
  Weft weft;
  weft.environment["SSL_CERT_FILE"] = weft.write("ca.pem", certificate.pem());
  Recording recording(weft, api.url());
  EXPECT_EQ(ask(recording), kAnswer);
  EXPECT_NE(api.asked().find("\r\nHost: localhost:"), std::string::npos) << api.asked();
  ASSERT_TRUE(is_woven(weft));
  EXPECT_EQ(outlines(weft).at(0),
            "system: system_input(Be brief.) | human: human_input(Hi.) | assistant: thinking "
            "response(Hello.)");
}

TEST(RecordTls, NobodyVouchesForIt) {
  const Certificate certificate("localhost"), other("localhost");
  TlsApi api(certificate, kAnswer);
  Weft weft;
  weft.environment["SSL_CERT_FILE"] = weft.write("ca.pem", other.pem());
  Recording recording(weft, api.url());
  EXPECT_TRUE(ask(recording).starts_with("HTTP/1.1 502 "));
  EXPECT_EQ(api.asked(), "") << "no key was shown to a stranger";
  EXPECT_NE(recording.errors().find("verify failed"), std::string::npos) << recording.errors();
}

TEST(RecordTls, ItIsForAnotherName) {
  const Certificate certificate("api.example");
  TlsApi api(certificate, kAnswer);
  Weft weft;
  weft.environment["SSL_CERT_FILE"] = weft.write("ca.pem", certificate.pem());
  Recording recording(weft, api.url());
  EXPECT_TRUE(ask(recording).starts_with("HTTP/1.1 502 "));
  EXPECT_EQ(api.asked(), "");
}

// Anybody on the way can cut a connection; only the upstream can say that its answer ends.
TEST(RecordTls, Security13AnAnswerThatIsCutWithoutTlsSayingSoIsBrokenOff) {
  const std::string answer =
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" +
      std::string(R"({"id":"msg_1","type":"message","role":"assistant","model":"m",)") +
      R"("content":[{"type":"text","text":"Hello."}]})";
  const Certificate certificate("localhost");
  for (const TlsApi::End end : {TlsApi::End::proper, TlsApi::End::cut}) {
    TlsApi api(certificate, answer, end);
    Weft weft;
    weft.environment["SSL_CERT_FILE"] = weft.write("ca.pem", certificate.pem());
    Recording recording(weft, api.url());
    const Peer client = recording.connect();
    client.write(post("/v1/messages", messages(user("Hi."))));
    EXPECT_EQ(client.is_reset(), end == TlsApi::End::cut);
    ASSERT_TRUE(is_woven(weft));
    const json::object listed = weft.json({"list"});
    const std::string conversation = text(list(listed, "conversations").at(0).as_object(), "cid");
    const Ran restored = weft({"restore", conversation});
    EXPECT_EQ(restored.out.find("the upstream went away") != std::string::npos,
              end == TlsApi::End::cut)
        << restored;
  }
}

}  // namespace
}  // namespace weft::test
