import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signatureVector } from '../docs/verify-snippets.ts';
import { deliveryHeaders, testHeaders } from './signature.ts';

const { secret, timestamp, event, eventId, sequence, body, headers } = signatureVector;

/** Written anew here, with nothing of the product's code. */
const hmac = (text: string, encoding: 'hex' | 'base64') =>
  createHmac('sha256', Buffer.from(secret, 'latin1')).update(Buffer.from(text, 'utf8')).digest(encoding);

describe('the headers of a delivery', () => {
  const signed = deliveryHeaders({ event, secrets: [secret], sequence, body }, eventId, timestamp);

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
      deliveryHeaders({ event, secrets: [secret], sequence, body: `${body} ` }, eventId, timestamp),
      deliveryHeaders({ event, secrets: [secret.toUpperCase()], sequence, body }, eventId, timestamp),
      deliveryHeaders({ event, secrets: [secret], sequence, body }, eventId, timestamp + 1),
    ].map((each) => each['X-Service-Signature']);
    expect(new Set(signatures).size).toBe(4);
  });
});

it('carries a signature with each secret that is valid; the legacy header has the new one’s', () => {
  const [first, ...others] = [secret, 'fedcba9876543210'.repeat(3), '0f1e2d3c4b5a6978'.repeat(3)] as const;
  const made = (secrets: readonly [string, ...string[]]) =>
    deliveryHeaders({ event, secrets, sequence, body }, eventId, timestamp);
  const own = made([first]);
  const [older, oldest] = others.map((each) => made([each]));
  const v1In = (headers?: Record<string, string>) => headers?.['X-Service-Signature']?.split(',')[1];
  expect(made([first, ...others])).toEqual({
    ...own,
    'X-Service-Signature': [own['X-Service-Signature'], v1In(older), v1In(oldest)].join(),
    'webhook-signature': [own, older, oldest].map((headers) => headers?.['webhook-signature']).join(' '),
  });
  expect(v1In(oldest)).toMatch(/^v1=/);
});

it('signs a test in the legacy way alone, and leaves it out of the sequence', () => {
  expect(testHeaders({ event: 'webhook.test', secrets: [secret], sequence: 0, body })).toEqual({
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhooks/1.0',
    'X-Service-Event': 'webhook.test',
    'X-Webhook-Event': 'webhook.test',
    'X-Service-Sequence': '0',
    'X-Webhook-Signature': hmac(body, 'hex'),
  });
});
