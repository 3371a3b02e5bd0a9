"""Sends an email, and reads it back. API_URL ends with /api/v1; API_KEY begins with mk_."""

import json
import os
import urllib.error
import urllib.request

if not os.environ.get("API_URL") or not os.environ.get("API_KEY"):
    raise SystemExit("Set API_URL and API_KEY: npm start prints them as Messaging and mk_ key.")


def call(method, path, body=None, headers=None):
    request = urllib.request.Request(
        os.environ["API_URL"] + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={"X-API-Key": os.environ["API_KEY"], "Content-Type": "application/json", **(headers or {})},
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)["error"]
        raise SystemExit(f"{refusal.code} {error['code']}: {error['message']}") from refusal


# The number of your order: a retry with the same key does not send twice.
key = {"Idempotency-Key": os.environ.get("ORDER", "order-1042")}
mail = {
    "channel": "email",
    "to": os.environ.get("TO", "ada@example.com"),
    "subject": "Your order",
    "text": "It is on its way.",
}
sent = call("POST", "/messages", mail, key)

print(json.dumps(call("GET", f"/messages/{sent['id']}")))
