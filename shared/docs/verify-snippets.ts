/** A delivery whose signatures are known, to test a verification with. A change of the signature shows here. */
export const signatureVector = {
  secret: '0123456789abcdef'.repeat(3),
  timestamp: 1_795_176_001,
  event: 'message.sent',
  eventId: 'evt_019a9c1e-5b7a-73e9-9f04-2d6f0c1e8a55',
  sequence: 42,
  body: '{"id":"evt_019a9c1e-5b7a-73e9-9f04-2d6f0c1e8a55","event":"message.sent","createdAt":"2026-11-20T12:00:01.000Z","data":{"message":{"to":"ada@example.com","metadata":{"note":"naïve — ✓"}}}}',
  headers: {
    'X-Service-Sequence': '42',
    'X-Service-Signature': 't=1795176001,v1=2d47ff15640eb847c09859adc95281d87ebc95d49940ca2a6b61ae1023f709b4',
    'X-Webhook-Signature': 'fbd9909f8c8c1e353fa66eadd1028e7f9e3e5bd2e5d35ea9dc8b8ee208c8208f',
    'webhook-id': 'evt_019a9c1e-5b7a-73e9-9f04-2d6f0c1e8a55',
    'webhook-timestamp': '1795176001',
    'webhook-signature': 'v1,ZWDwbsYj4d7tuE2p7sow4H6AdxhpLjhRfh5V4jk4SM8=',
  },
} as const;

/** How to know that a delivery came from us, for the docs: one function for each language, over the raw body. */
export const verifySnippets = [
  {
    language: 'Node',
    file: 'verify.mjs',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes or the text as received, before any parsing. signature: the header X-Service-Signature.
export const isFromService = (rawBody, signature, secret, nowSeconds = Date.now() / 1000) => {
  const [, t, signatures] = /^t=(\\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(signature ?? '') ?? [];
  if (!t || Math.abs(nowSeconds - Number(t)) > 300) return false;
  const expected = createHmac('sha256', secret).update(t + '.').update(rawBody).digest();
  // One for each secret that is valid.
  const given = signatures.split(',v1=').slice(1);
  return given.some((v1) => timingSafeEqual(expected, Buffer.from(v1, 'hex')));
};
`,
  },
  {
    language: 'Python',
    file: 'verify.py',
    code: `import hashlib, hmac, re, time

# raw_body: the bytes as received, before any parsing. signature: the header X-Service-Signature.
def is_from_service(raw_body: bytes, signature: str | None, secret: str, now: float | None = None) -> bool:
    match = re.fullmatch(r"t=(\\d+)((?:,v1=[0-9a-f]{64})+)", signature or "")
    if not match or abs((time.time() if now is None else now) - int(match[1])) > 300:
        return False
    expected = hmac.new(secret.encode(), match[1].encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    # One for each secret that is valid.
    return any(hmac.compare_digest(expected, v1) for v1 in match[2].split(",v1=")[1:])
`,
  },
  {
    language: 'Go',
    file: 'verify.go',
    code: `package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var serviceShape = regexp.MustCompile("^t=([0-9]+)((?:,v1=[0-9a-f]{64})+)$")

// IsFromService: rawBody as received, before any parsing; signature is the header X-Service-Signature.
func IsFromService(rawBody []byte, signature, secret string, now time.Time) bool {
	parts := serviceShape.FindStringSubmatch(signature)
	if parts == nil {
		return false
	}
	t, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || now.Sub(time.Unix(t, 0)).Abs() > 300*time.Second {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts[1] + "."))
	mac.Write(rawBody)
	// One for each secret that is valid.
	for _, v1 := range strings.Split(parts[2], ",v1=")[1:] {
		if given, err := hex.DecodeString(v1); err == nil && hmac.Equal(mac.Sum(nil), given) {
			return true
		}
	}
	return false
}
`,
  },
  {
    language: 'PHP',
    file: 'verify.php',
    code: `<?php
// $rawBody: file_get_contents('php://input'), before any parsing. $signature: the header X-Service-Signature.
function is_from_service(string $rawBody, ?string $signature, string $secret, ?int $now = null): bool {
    if (!preg_match('/^t=(\\d+)((?:,v1=[0-9a-f]{64})+)$/D', $signature ?? '', $parts)) return false;
    if (abs(($now ?? time()) - (int) $parts[1]) > 300) return false;
    $expected = hash_hmac('sha256', $parts[1] . '.' . $rawBody, $secret);
    // One for each secret that is valid.
    foreach (array_slice(explode(',v1=', $parts[2]), 1) as $v1) if (hash_equals($expected, $v1)) return true;
    return false;
}
`,
  },
  {
    language: 'Ruby',
    file: 'verify.rb',
    code: `require 'openssl'

# raw_body: request.raw_post, before any parsing. signature: the header X-Service-Signature.
def from_service?(raw_body, signature, secret, now = Time.now.to_i)
  match = /\\At=(\\d+)((?:,v1=[0-9a-f]{64})+)\\z/.match(signature.to_s)
  return false if match.nil? || (now - match[1].to_i).abs > 300
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, match[1] + '.' + raw_body)
  # One for each secret that is valid.
  match[2].split(',v1=').drop(1).any? { |v1| OpenSSL.fixed_length_secure_compare(expected, v1) }
end
`,
  },
] as const;

/** Verifying a delivery with the libraries of Standard Webhooks: each makes the secret's `whsec_` form in one line. */
export const standardSnippets = [
  {
    language: 'Node',
    code: `// npm install standardwebhooks
import { Webhook } from 'standardwebhooks';

const whsec = 'whsec_' + Buffer.from(secret).toString('base64');
const event = new Webhook(whsec).verify(rawBody, request.headers);
`,
  },
  {
    language: 'Python',
    code: `# pip install standardwebhooks
import base64
from standardwebhooks.webhooks import Webhook

whsec = "whsec_" + base64.b64encode(secret.encode()).decode()
event = Webhook(whsec).verify(raw_body, request.headers)
`,
  },
  {
    language: 'Go',
    code: `// go get github.com/standard-webhooks/standard-webhooks/libraries
package verify

import (
	"encoding/base64"
	"net/http"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func VerifyEvent(rawBody []byte, headers http.Header, secret string) error {
	whsec := "whsec_" + base64.StdEncoding.EncodeToString([]byte(secret))
	hook, err := standardwebhooks.NewWebhook(whsec)
	if err != nil {
		return err
	}
	return hook.Verify(rawBody, headers)
}
`,
  },
  {
    language: 'PHP',
    code: `<?php
// composer require standard-webhooks/standard-webhooks
$whsec = 'whsec_' . base64_encode($secret);
// The library knows the headers in lower case only; PHP may write Webhook-Id.
$event = (new \\StandardWebhooks\\Webhook($whsec))->verify($rawBody, array_change_key_case(getallheaders()));
`,
  },
  {
    language: 'Ruby',
    code: `# gem install standardwebhooks
require 'standardwebhooks'
require 'base64'

whsec = 'whsec_' + Base64.strict_encode64(secret)
event = StandardWebhooks::Webhook.new(whsec).verify(raw_body, request.headers)
`,
  },
] as const;

/** For the docs, beside the snippets. CommonMark. */
export const verifyNotes = `Every delivery has three signatures. Their key is the subscription's secret: its 48 characters as bytes.

- \`X-Service-Signature: t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 of \`<t>.<raw body>\`. Reject the delivery if \`t\` differs from your clock by more than 300 seconds.
- \`webhook-signature: v1,<base64>\`: HMAC-SHA256 of \`<webhook-id>.<webhook-timestamp>.<raw body>\`, as [Standard Webhooks](https://www.standardwebhooks.com) defines it. Its libraries need the secret as \`whsec_\` followed by the base64 of the 48 characters.
- \`X-Webhook-Signature: <hex>\`: HMAC-SHA256 of the raw body alone. It does not protect against replays and exists for older receivers. A test delivery has only this signature.

\`X-Service-Sequence\` is not signed: the number of the event for this subscription. It counts 1, 2, 3 … in the order in which the service recorded the events, so a number that never arrives is an event that you have missed. Every attempt and every repetition of a delivery has the same number. Deliveries may arrive in another order, and events that happen while the subscription is paused are counted too. 0: the delivery is not counted, because it is a test, or repeats an event from a time when the subscription did not ask for it.

After \`POST /webhooks/{id}/rotate-secret\`, the first two headers carry another signature for each earlier secret until that is no longer valid: another \`,v1=<hex>\`, and another \`v1,<base64>\` after a space. Accept a delivery if any of them is right.

Verify the raw bytes of the body, before any parsing, and compare in constant time. The same event may arrive more than once: deduplicate on \`id\`.
`;
