#include "weft/secrets/shapes.hpp"

#include <array>

#include "weft/secrets/checksum.hpp"

namespace weft::secrets {
namespace {

bool ends_with_aa(std::string_view token) { return token.ends_with("AA"); }
// OpenAI's keys have this in their middle.
bool has_openai_mark(std::string_view token) {
  return token.find("T3BlbkFJ") != std::string_view::npos;
}

constexpr Rule kAws{"aws-access-key", "AWS, IAM, Security credentials"};
constexpr Rule kAnthropic{"anthropic-key", "Anthropic Console, API keys"};
constexpr Rule kOpenAi{"openai-key", "OpenAI platform, API keys"};
constexpr Rule kGitHub{"github-token", "GitHub, Settings, Developer settings"};
constexpr Rule kGitLab{"gitlab-token", "GitLab, Preferences, Access tokens"};
constexpr Rule kSlack{"slack-token", "Slack, the app's OAuth page"};
constexpr Rule kStripe{"stripe-key", "Stripe Dashboard, Developers, API keys"};
constexpr Rule kShopify{"shopify-token", "Shopify, the app's API credentials"};
constexpr Rule kDigitalOcean{"digitalocean-token", "DigitalOcean, API, Tokens"};
constexpr Rule kVault{"vault-token", "Vault: vault token revoke"};
constexpr Rule kSentry{"sentry-token", "Sentry, Settings, Auth tokens"};
constexpr Rule kGrafana{"grafana-token", "Grafana, Service accounts"};
constexpr Rule kFly{"fly-token", "Fly.io, Tokens"};
constexpr Rule kTailscale{"tailscale-key", "Tailscale, Settings, Keys"};
constexpr Rule kPlanetScale{"planetscale-token", "PlanetScale, Settings, Service tokens"};
constexpr Rule kGoogleOauth{"google-oauth-secret", "Google Cloud, APIs and services, Credentials"};

constexpr std::array kShapes = {
    Shape{kAws, "AKIA[b16]"},
    Shape{kAws, "ASIA[b16]"},
    Shape{kAws, "ABIA[b16]"},
    Shape{kAws, "ACCA[b16]"},
    Shape{{"aws-bedrock-key", "AWS, Amazon Bedrock, API keys"}, "ABSK[s109-269]"},
    Shape{kAnthropic, "sk-ant-api03-[u95]", "", ends_with_aa},
    Shape{kAnthropic, "sk-ant-admin01-[u95]", "", ends_with_aa},
    Shape{{"anthropic-oauth-token", "Claude: sign out and in again"}, "sk-ant-oat01-[u80-120]"},
    Shape{kOpenAi, "sk-proj-[u58-256]", "", has_openai_mark},
    Shape{kOpenAi, "sk-svcacct-[u58-256]", "", has_openai_mark},
    Shape{kOpenAi, "sk-admin-[u58-256]", "", has_openai_mark},
    Shape{kOpenAi, "sk-[a20]T3BlbkFJ[a20]"},
    Shape{{"openrouter-key", "OpenRouter, Keys"}, "sk-or-v1-[x64]"},
    Shape{{"google-api-key", "Google Cloud, APIs and services, Credentials"}, "AIza[u35]"},
    Shape{kGoogleOauth, "GOCSPX-[u28]"},
    Shape{{"groq-key", "Groq console, API keys"}, "gsk_[a52]"},
    Shape{{"xai-key", "xAI console, API keys"}, "xai-[a80]"},
    Shape{{"perplexity-key", "Perplexity, Settings, API"}, "pplx-[a48]"},
    Shape{{"huggingface-token", "Hugging Face, Settings, Access tokens"}, "hf_[l34]"},
    Shape{{"replicate-token", "Replicate, Account, API tokens"}, "r8_[u37]"},
    Shape{{"nvidia-key", "NVIDIA, API keys"}, "nvapi-[u64]"},
    Shape{kGitHub, "ghp_[a36]", "", has_crc32, true},
    Shape{kGitHub, "gho_[a36]", "", has_crc32, true},
    Shape{kGitHub, "ghu_[a36]", "", has_crc32, true},
    Shape{kGitHub, "ghs_[a36]", "", has_crc32, true},
    Shape{kGitHub, "ghr_[a36]", "", has_crc32, true},
    Shape{kGitHub, "github_pat_[a22]_[a59]"},
    Shape{{"npm-token", "npm, Access tokens"}, "npm_[a36]", "", has_crc32, true},
    Shape{kGitLab, "glpat-[u20]"},
    Shape{kGitLab, "glpat-[u27-300].[x2].[a9]"},
    Shape{kGitLab, "gldt-[u20]"},
    Shape{kGitLab, "glrt-[u20]"},
    Shape{kGitLab, "glcbt-[a1-5]_[u20]"},
    Shape{kGitLab, "glptt-[x40]"},
    Shape{kGitLab, "glsoat-[u20]"},
    Shape{{"pypi-token", "PyPI, Account settings, API tokens"}, "pypi-AgEIcHlwaS5vcmc[u50-1000]"},
    Shape{{"rubygems-key", "RubyGems, Settings, API keys"}, "rubygems_[x48]"},
    Shape{{"docker-token", "Docker Hub, Personal access tokens"}, "dckr_pat_[u27]"},
    Shape{kSlack, "xoxb-[d10-13]-[d10-13]-[a18-40]"},
    Shape{kSlack, "xoxp-[d10-13]-[d10-13]-[d10-13]-[a28-34]"},
    Shape{kSlack, "xoxe.xoxp-[d1]-[u100-200]"},
    Shape{kSlack, "xoxe-[d1]-[u100-200]"},
    Shape{kSlack, "xapp-[d1]-[A9-13]-[d10-14]-[a40-80]"},
    Shape{{"slack-webhook", "Slack, the app's Incoming webhooks"},
          "hooks.slack.com/services/T[A8-12]/B[A8-12]/[a24]"},
    Shape{kStripe, "sk_live_[a24-99]"},
    Shape{kStripe, "rk_live_[a24-99]"},
    Shape{{"stripe-webhook-secret", "Stripe Dashboard, Developers, Webhooks"}, "whsec_[s32-64]"},
    Shape{{"square-token", "Square Developer, the app's credentials"}, "sq0atp-[u22]"},
    Shape{{"square-secret", "Square Developer, the app's credentials"}, "sq0csp-[u43]"},
    Shape{kShopify, "shpat_[h32]"},
    Shape{kShopify, "shpss_[h32]"},
    Shape{kShopify, "shpca_[h32]"},
    Shape{kShopify, "shppa_[h32]"},
    Shape{{"sendgrid-key", "SendGrid, Settings, API keys"}, "SG.[u22].[u43]"},
    Shape{{"twilio-key", "Twilio Console, API keys"}, "SK[x32]"},
    Shape{{"brevo-key", "Brevo, SMTP and API"}, "xkeysib-[x64]-[a16]"},
    Shape{kDigitalOcean, "dop_v1_[x64]"},
    Shape{kDigitalOcean, "doo_v1_[x64]"},
    Shape{kDigitalOcean, "dor_v1_[x64]"},
    Shape{{"databricks-token", "Databricks, Settings, Developer"}, "dapi[x32]"},
    Shape{kVault, "hvs.[u90-120]"},
    Shape{kVault, "hvb.[u138-300]"},
    Shape{{"terraform-token", "HCP Terraform, Account, Tokens"}, ".atlasv1.[u60-70]", "[a14]"},
    Shape{{"pulumi-token", "Pulumi Cloud, Access tokens"}, "pul-[x40]"},
    Shape{{"linear-key", "Linear, Settings, Security and access"}, "lin_api_[a40]"},
    Shape{{"notion-token", "Notion, My integrations"}, "ntn_[d11][a35]"},
    Shape{{"postman-key", "Postman, Account settings, API keys"}, "PMAK-[x24]-[x34]"},
    Shape{{"doppler-token", "Doppler, Tokens"}, "dp.pt.[a43]"},
    Shape{{"dynatrace-token", "Dynatrace, Access tokens"}, "dt0c01.[A24].[A64]"},
    Shape{kGrafana, "glsa_[a32]_[h8]"},
    Shape{kGrafana, "glc_[s60-400]"},
    Shape{kSentry, "sntrys_[s60-400]"},
    Shape{kSentry, "sntrys_[s60-400]_[u43]"},
    Shape{kSentry, "sntryu_[x64]"},
    Shape{{"supabase-token", "Supabase, Account, Access tokens"}, "sbp_[x40]"},
    Shape{{"age-identity", "age: make a new identity, encrypt again"},
          "AGE-SECRET-KEY-1[A58]",
          "",
          has_bech32,
          true},
    Shape{{"1password-account-key", "1Password, My profile"}, "A3-[A6]-[A6]-[A5]-[A5]-[A5]-[A5]"},
    Shape{{"1password-token", "1Password, Developer, Service accounts"}, "ops_eyJ[u250-1000]"},
    Shape{kFly, "FlyV1 fm2_[s100-2000]"},
    Shape{kFly, "fo1_[u43]"},
    Shape{{"alibaba-key", "Alibaba Cloud, RAM, AccessKey"}, "LTAI[a17-21]"},
    Shape{{"facebook-token", "Meta for Developers, the app's tokens"}, "EAAC[a100-300]"},
    Shape{{"facebook-token", "Meta for Developers, the app's tokens"}, "EAAM[a100-300]"},
    Shape{{"telegram-bot-token", "Telegram, BotFather: /revoke"}, ":AA[u33]", "[d8-10]"},
    Shape{{"azure-storage-key", "Azure, Storage account, Access keys"}, "AccountKey=[a1][s87]"},
    Shape{{"figma-token", "Figma, Settings, Security"}, "figd_[u40]"},
    Shape{{"newrelic-key", "New Relic, API keys"}, "NRAK-[A27]"},
    Shape{kTailscale, "tskey-auth-[a8-20]-[a20-40]"},
    Shape{kTailscale, "tskey-api-[a8-20]-[a20-40]"},
    Shape{kTailscale, "tskey-client-[a8-20]-[a20-40]"},
    Shape{kPlanetScale, "pscale_tkn_[u43]"},
    Shape{kPlanetScale, "pscale_pw_[u43]"},
    Shape{{"atlassian-token", "Atlassian, Security, API tokens"}, "ATATT3xFfGF0[u160-220]=[h8]"},
    Shape{{"sourcegraph-token", "Sourcegraph, Settings, Access tokens"}, "sgp_[h40]"},
    Shape{{"heroku-key", "Heroku, Account settings"}, "HRKU-AA[u58]"},
    Shape{{"json-web-token", "whoever issued it: end the session"},
          "eyJ[u10-4000].eyJ[u10-8000].[u20-1400]",
          "",
          is_web_token},
};

}  // namespace

std::span<const Shape> all_shapes() { return kShapes; }

}  // namespace weft::secrets
