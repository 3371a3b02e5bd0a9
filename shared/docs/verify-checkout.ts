/** A delivery of the checkout whose signature is known, to test a verification with. A change of the signature shows here. */
export const checkoutVector = {
  secret: '0123456789abcdef'.repeat(3),
  event: 'payment.succeeded',
  deliveryId: '019a9c1e-6a10-7f3b-8c55-0d1f2e3a4b5c',
  sequence: 42,
  body: '{"event":"payment.succeeded","merchantId":"019a9c1e-0000-7a4e-9d21-5b6c7d8e9f01","data":{"paymentId":"019a9c1e-5f02-7b1d-a3c4-1e2f3a4b5c6d","checkoutSessionId":"019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a55","amountMinor":600000,"currency":"BDT","metadata":{"note":"naïve — ✓"}}}',
  headers: {
    'X-Checkout-Event': 'payment.succeeded',
    'X-Checkout-Signature': 'sha256=ce792bc6e433b370d7615ecc48dc69f9a16ccac75ad9354dbc1e3de856ec5a0b',
    'X-Checkout-Delivery': '019a9c1e-6a10-7f3b-8c55-0d1f2e3a4b5c',
    'X-Service-Sequence': '42',
  },
} as const;

/** How to know that a delivery came from the checkout, for the docs: one function for each language, over the raw body. */
export const checkoutSnippets = [
  {
    language: 'Node',
    file: 'verify-checkout.mjs',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes or the text as received, before any parsing. signature: the header X-Checkout-Signature.
export const isFromCheckout = (rawBody, signature, secret) => {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
  if (!hex) return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest();
  return timingSafeEqual(expected, Buffer.from(hex, 'hex'));
};
`,
  },
  {
    language: 'Python',
    file: 'verify_checkout.py',
    code: `import hashlib, hmac, re

# raw_body: the bytes as received, before any parsing. signature: the header X-Checkout-Signature.
def is_from_checkout(raw_body: bytes, signature: str | None, secret: str) -> bool:
    match = re.fullmatch(r"sha256=([0-9a-f]{64})", signature or "")
    if not match:
        return False
    expected = hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected, match[1])
`,
  },
  {
    language: 'Go',
    file: 'verify_checkout.go',
    code: `package verify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
)

var checkoutShape = regexp.MustCompile("^sha256=([0-9a-f]{64})$")

// IsFromCheckout: rawBody as received, before any parsing; signature is the header X-Checkout-Signature.
func IsFromCheckout(rawBody []byte, signature, secret string) bool {
	parts := checkoutShape.FindStringSubmatch(signature)
	if parts == nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	given, err := hex.DecodeString(parts[1])
	return err == nil && hmac.Equal(mac.Sum(nil), given)
}
`,
  },
  {
    language: 'PHP',
    file: 'verify-checkout.php',
    code: `<?php
// $rawBody: file_get_contents('php://input'), before any parsing. $signature: the header X-Checkout-Signature.
function is_from_checkout(string $rawBody, ?string $signature, string $secret): bool {
    if (!preg_match('/^sha256=([0-9a-f]{64})$/D', $signature ?? '', $parts)) return false;
    return hash_equals(hash_hmac('sha256', $rawBody, $secret), $parts[1]);
}
`,
  },
  {
    language: 'Ruby',
    file: 'verify_checkout.rb',
    code: `require 'openssl'

# raw_body: request.raw_post, before any parsing. signature: the header X-Checkout-Signature.
def from_checkout?(raw_body, signature, secret)
  match = /\\Asha256=([0-9a-f]{64})\\z/.match(signature.to_s)
  return false if match.nil?
  OpenSSL.fixed_length_secure_compare(OpenSSL::HMAC.hexdigest('SHA256', secret, raw_body), match[1])
end
`,
  },
] as const;
