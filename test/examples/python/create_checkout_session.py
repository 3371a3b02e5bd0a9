"""Creates a checkout session, and prints it: redirect the payer to its url.

CHECKOUT_URL ends with /v1; CHECKOUT_KEY begins with sk_.
"""

import json
import os
import urllib.error
import urllib.request

if not os.environ.get("CHECKOUT_URL") or not os.environ.get("CHECKOUT_KEY"):
    raise SystemExit("Set CHECKOUT_URL and CHECKOUT_KEY: npm start prints them as Checkout and sk_ key.")

order = os.environ.get("ORDER", "order-1042")
session = {"amountMinor": 600_000, "currency": "BDT", "metadata": {"orderId": order}}
request = urllib.request.Request(
    os.environ["CHECKOUT_URL"] + "/checkout-sessions",
    method="POST",
    data=json.dumps(session).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['CHECKOUT_KEY']}",
        "Content-Type": "application/json",
        # A retry with the same key returns the same session.
        "Idempotency-Key": order,
    },
)
try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(json.dumps(json.load(answer)["data"]))
except urllib.error.HTTPError as refusal:
    error = json.load(refusal)["error"]
    raise SystemExit(f"{refusal.code} {error['code']}: {error['message']}") from refusal
