"""Verifies a delivery: its raw body is read from stdin.

WEBHOOK_SECRET: the subscription's secret. SIGNATURE: the header X-Service-Signature.
"""

import hashlib
import hmac
import json
import os
import re
import sys
import time

raw_body = sys.stdin.buffer.read()
secret = os.environ.get("WEBHOOK_SECRET", "").encode()


def is_genuine():
    # There are several signatures while a secret is rotated.
    match = re.fullmatch(r"t=([0-9]+)((?:,v1=[0-9a-f]{64})+)", os.environ.get("SIGNATURE", ""))
    # Without a secret, anyone can sign.
    if not secret or not match or abs(float(os.environ.get("NOW", time.time())) - int(match[1])) > 300:
        return False
    signed = match[1].encode() + b"." + raw_body
    expected = hmac.new(secret, signed, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(expected, each) for each in match[2].split(",v1=")[1:])


if not is_genuine():
    sys.exit("not genuine: answer with 400")
# Answer with 200 at once, and process each id once.
event = json.loads(raw_body)
print(json.dumps({"id": event["id"], "event": event["event"]}))
