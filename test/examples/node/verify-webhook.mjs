// Verifies a delivery: its raw body is read from stdin. WEBHOOK_SECRET: the subscription's secret. SIGNATURE: the header X-Service-Signature.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';

const { WEBHOOK_SECRET = '', SIGNATURE = '', NOW = Date.now() / 1000 } = process.env;
const rawBody = readFileSync(0);

const isGenuine = () => {
  // There are several signatures while a secret is rotated.
  const [, time, list] = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(SIGNATURE) ?? [];
  // Without a secret, anyone can sign.
  if (!WEBHOOK_SECRET || !time || Math.abs(Number(NOW) - Number(time)) > 300) return false;
  const expected = createHmac('sha256', WEBHOOK_SECRET).update(`${time}.`).update(rawBody).digest();
  const signatures = list.split(',v1=').slice(1);
  return signatures.some((each) => timingSafeEqual(Buffer.from(each, 'hex'), expected));
};

if (!isGenuine()) {
  console.error('not genuine: answer with 400');
  process.exit(1);
}
// Answer with 200 at once, and process each id once.
const { id, event } = JSON.parse(rawBody);
console.log(JSON.stringify({ id, event }));
