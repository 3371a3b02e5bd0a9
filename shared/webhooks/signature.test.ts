import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureVector } from '../docs/verify-snippets.ts';
import { deliveryHeaders, testHeaders } from './signature.ts';

const { secret, timestamp, event, eventId, sequence, body, headers } = signatureVector;

/** Written anew here, with nothing of the product's code. */
const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', Buffer.from(secret, 'latin1')).update(Buffer.from(text, 'utf8')).digest(encoding);

describe('the headers of a delivery', () => {
  const signed = deliveryHeaders({ event, secret, sequence, body }, eventId, timestamp);

  it('are those of the specification, and Standard Webhooks’ beside them', () => {
    expect(signed).toEqual({
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      'X-Service-Event': 'message.sent',
      'X-Webhook-Event': 'message.sent',
      'X-Service-Sequence': '42',
      'X-Service-Signature': `t=${timestamp},v1=${hmac(`${timestamp}.${body}`, 'hex')}`,
      'X-Webhook-Signature': hmac(body, 'hex'),
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${hmac(`${eventId}.${timestamp}.${body}`, 'base64')}`,
    });
  });

  it('are what the published test vector says', () => {
    expect(signed).toMatchObject(headers);
  });

  it('change with every part that they sign', () => {
    const signatures = [
      signed,
      deliveryHeaders({ event, secret, sequence, body: `${body} ` }, eventId, timestamp),
      deliveryHeaders({ event, secret: secret.toUpperCase(), sequence, body }, eventId, timestamp),
      deliveryHeaders({ event, secret, sequence, body }, eventId, timestamp + 1),
    ].map((each) => each['X-Service-Signature']);
    expect(new Set(signatures).size).toBe(4);
  });
});

it('carries a signature with each secret while a previous one is valid; the legacy header has the new one’s', () => {
  const previousSecret = 'fedcba9876543210'.repeat(3);
  const [one, two, both] = [{ secret }, { secret: previousSecret }, { secret, previousSecret }].map((secrets) =>
    deliveryHeaders({ event, ...secrets, sequence, body }, eventId, timestamp),
  );
  const [t, old = ''] = two?.['X-Service-Signature']?.split(',') ?? [];
  expect(both).toEqual({
    ...one,
    'X-Service-Signature': `${one?.['X-Service-Signature']},${old}`,
    'webhook-signature': `${one?.['webhook-signature']} ${two?.['webhook-signature']}`,
  });
  expect(t).toBe(`t=${timestamp}`);
});

it('signs a test in the legacy way alone, and leaves it out of the sequence', () => {
  expect(testHeaders({ event: 'webhook.test', secret, sequence: 0, body })).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': 'webhook.test',
    'X-Webhook-Event': 'webhook.test',
    'X-Service-Sequence': '0',
    'X-Webhook-Signature': hmac(body, 'hex'),
  });
});
