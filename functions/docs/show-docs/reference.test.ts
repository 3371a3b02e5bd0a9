import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kindOf } from '../../../infra/auth.ts';
import { describedRoutes } from '../../../infra/describe.ts';
import { type Route, routes } from '../../../infra/routes.ts';
import {
  exportsOfAccount,
  importsOfAccount,
  replaysOfAccount,
  testsOfAccount,
} from '../../../shared/accounts/allowance.ts';
import { chaosKinds } from '../../../shared/checkout/chaos.ts';
import { checkoutEventNames } from '../../../shared/checkout/events.ts';
import { paymentFailures } from '../../../shared/checkout/payment-failures.ts';
import { paymentStatuses, sessionStatuses } from '../../../shared/checkout/session.ts';
import { contactStatuses } from '../../../shared/contacts/contact.ts';
import { requestLanguages } from '../../../shared/docs/code/samples.ts';
import { runbook } from '../../../shared/docs/runbook.ts';
import { checkoutVector } from '../../../shared/docs/verify-checkout.ts';
import { signatureVector } from '../../../shared/docs/verify-snippets.ts';
import { faults } from '../../../shared/http/faults.ts';
import { browserCalls } from '../../../shared/http/limiting.ts';
import { docsUrlOf, faultCodes } from '../../../shared/kit/fault.ts';
import { failures } from '../../../shared/messages/failures.ts';
import { statuses } from '../../../shared/messages/message.ts';
import { codesOfMeta } from '../../../shared/messages/meta-codes.ts';
import { eventNames } from '../../../shared/webhooks/events.ts';
import { userAgent } from '../../../shared/webhooks/signature.ts';
import { described as site } from '../../../test/described.ts';

const textOf = (path: string): string => site.pages.find((page) => page.path === path)?.main.markup ?? '';

/** The section of an endpoint, on the page of its API. */
const sectionOf = (path: string, heading: string): string =>
  textOf(path)
    .split('<h3 ')
    .find((part) => part.includes(`<p><code>${heading}</code>`)) ?? '';

/** The section of a second heading. */
const partOf = (path: string, id: string): string =>
  textOf(path)
    .split('<h2 ')
    .find((part) => part.startsWith(`id="${id}"`)) ?? '';

const eventOf = (name: string): string =>
  textOf('/docs/events')
    .split('<h3 ')
    .find((part) => part.startsWith(`id="${name}"`)) ?? '';

const pageOf = {
  messaging: '/docs',
  additions: '/docs/additions',
  webhooks: '/docs/webhooks',
  checkout: '/docs/checkout',
  payers: '/docs/checkout',
  operators: '/docs/admin',
} as const;

describe('the reference', () => {
  it.each(describedRoutes)(
    'shows $method $path with its scope, a call in each language, its answer and every code with the reason',
    ({ api, method, path, scope }) => {
      const section = sectionOf(pageOf[api], `${method} ${path}`);
      if (scope) expect(section).toContain(`<code>${scope}</code>`);
      for (const language of requestLanguages) expect(section).toContain(`data-language="${language}"`);
      expect(section, 'the contract has no example of its body').not.toContain('-d &#39;{}&#39;');
      expect(section).toContain(`<a href="/docs/errors#internal_error"><code>internal_error</code></a>: Unexpected`);
      const isKeyless = api === 'payers';
      expect(section.includes('<a href="/docs/errors#unauthorized">')).toBe(!isKeyless && section.includes('401'));
      expect(section.includes('Authorization') || section.includes('X-API-Key')).toBe(!isKeyless);
    },
  );

  it('gives the reason of a code that its own API has', () => {
    const refund = sectionOf('/docs/checkout', 'POST /v1/payments/{id}/refunds');
    expect(refund).toContain('409 <a href="/docs/errors#conflict"><code>conflict</code></a>: The refund is larger');
    const member = sectionOf('/docs/admin', 'POST /admin/v1/accounts/{id}/members');
    expect(member).toContain('The person is a member of this account already.');
    expect(member).toContain('The caller’s role does not allow it');
    for (const path of ['/docs/checkout', '/docs/admin'])
      expect(textOf(path)).not.toContain('Another contact has this email');
    expect(sectionOf('/docs', 'POST /api/v1/contacts')).toContain('Another contact has this email');
  });

  it('covers every row with a contract', () => {
    const rows = Object.entries<Route>(routes).filter(
      ([key, { does, auth }]) =>
        (kindOf(auth) === 'role' || kindOf(auth) === 'apiKey' || kindOf(auth) === 'checkoutKey') &&
        !does.startsWith('docs/') &&
        !key.startsWith('OPTIONS'),
    );
    const shown = describedRoutes.filter(({ api }) => api !== 'payers').map(({ method, path }) => `${method} ${path}`);
    expect(shown).toEqual(rows.map(([key]) => key));
  });

  it('explains every status of messages and contacts, on its page and in the guide', () => {
    for (const status of [...statuses, ...contactStatuses]) {
      for (const path of ['/docs', '/docs/statuses']) expect(textOf(path)).toContain(`<dt><code>${status}</code></dt>`);
    }
  });

  it('has every code that a failed message can have where the provider gives none of its own', () => {
    const codes = [...Object.values(failures).map(({ code }) => code), ...codesOfMeta().map(([code]) => code)];
    for (const code of ['send_blocked', ...codes]) expect(textOf('/docs/statuses')).toContain(`<code>${code}</code>`);
  });

  it('has every code that a failed payment can have where the gateway gives none of its own', () => {
    for (const { code } of Object.values(paymentFailures))
      expect(textOf('/docs/payments')).toContain(`<code>${code}</code>`);
  });

  it('cannot miss a code of failure, because sources write them in the lists of the pages only', () => {
    const written = globSync([
      'functions/{messages,callbacks,checkout}/**/*.ts',
      'shared/{messages,checkout,docs}/*.ts',
      'shared/providers/{email,text}/*.ts',
    ])
      .filter((file) => !/\.test\.ts$|-fixture\.ts$/.test(file))
      .filter((file) => /\bcode: (.*\?\? )?'\w+',\s*reason\b|failureCode: '/.test(readFileSync(file, 'utf8')));
    const ofTheSimulator = 'shared/checkout/simulation.ts';
    expect(written.sort()).toEqual([
      'shared/checkout/payment-failures.ts',
      ofTheSimulator,
      'shared/docs/deliveries.ts',
      'shared/messages/failures.ts',
    ]);
  });

  it('tells receivers of the checkout not to take a second refund of a payment for a repetition', () => {
    for (const path of ['/docs/checkout', '/docs/receiving'])
      expect(textOf(path)).toContain('<code>data.refundId</code>');
  });

  it('says that the response 201 may be to an email that failed, or whose fate is not known yet', () => {
    const section = sectionOf('/docs', 'POST /api/v1/messages');
    expect(section).toContain('the response is 201 with the <code>status</code> <code>failed</code>');
    expect(section).toContain('the <code>status</code> is <code>sending</code>');
    expect(textOf('/docs/idempotency')).toContain('A 201 whose message is <code>failed</code>');
  });

  it('says that publishable keys also have a limit for each client address', () => {
    for (const path of ['/docs/checkout', '/docs/limits']) expect(textOf(path)).toContain('With publishable keys, ');
    expect(textOf('/docs/checkout')).toContain(`also ${browserCalls.perMinute} a minute for each client address`);
  });

  it('says which emails have no List-Unsubscribe headers', () => {
    expect(textOf('/docs/consent')).toContain('unless <code>listUnsubscribe</code> of the send');
  });

  it('has no vague word for a person or a thing, such as nobody, on a page or in a description', () => {
    const vague = /\b(nobody|somebody|whoever|whatever)\b/i;
    // That of the simulation has the names of its invariants.
    const pages = site.pages.filter(({ path }) => path !== '/docs/simulation');
    expect(pages.filter(({ main }) => vague.test(main.markup)).map(({ path }) => path)).toEqual([]);
    for (const text of [site.openapiFull, site.openapiCheckout, site.openapiAdmin]) expect(text).not.toMatch(vague);
  });

  it('says that a message keeps its `to` without a `+`, unlike a contact', () => {
    expect(textOf('/docs/limits')).toContain('the <code>to</code> of a message stays as it was sent');
  });

  it('says when the samples have a key of the reader, which those of the admin API never have', () => {
    for (const path of ['/docs', '/docs/webhooks', '/docs/checkout'])
      expect(textOf(path)).toContain('have opened an account in the dashboard, a key of that account');
    expect(textOf('/docs/admin')).toContain('puts in its address.');
  });

  it('shows limits of fields', () => {
    const section = sectionOf('/docs', 'POST /api/v1/messages');
    expect(section).toContain('<dt><code>to</code></dt>\n<dd><i>string, at most 320 characters.</i>');
    expect(section).toContain('at most 10 items');
    expect(textOf('/docs')).toContain('1 to 100, default <code>20</code>');
  });

  it('states the size limit of attachments, and which component refuses a larger request', () => {
    for (const text of ['7,340,032 bytes', 'about 700 KB', 'status 413', 'about 4.5 MB', '/docs/errors#api-gateway']) {
      expect(textOf('/docs')).toContain(text);
    }
  });

  it('gives an endpoint’s own reason for a code that others return for other reasons, and so does the description', () => {
    const section = sectionOf('/docs/additions', 'DELETE /api/v1/messages/{id}');
    expect(section).toContain('The message does not wait for its <code>sendAt</code> or the provider’s sending rate.');
    expect(section).not.toContain('Another contact');
    const { paths } = JSON.parse(site.openapiFull);
    expect(paths['/messages/{id}'].delete.responses['409'].description).toBe(
      '`conflict`: The message does not wait for its `sendAt` or the provider’s sending rate.',
    );
  });

  it('shows how a session is created: key, fields, answer, refusals', () => {
    const section = sectionOf('/docs/checkout', 'POST /v1/checkout-sessions');
    expect(section).toContain('Authorization: Bearer sk_test_your_key');
    expect(section).toContain('<dt><code>amountMinor</code></dt>\n<dd><i>integer, 1 to 999999999999.</i>');
    expect(section).toContain('<dt><code>Idempotency-Key</code></dt>');
    for (const code of ['bad_request', 'unauthorized', 'forbidden_scope', 'unsupported_currency', 'rate_limited']) {
      expect(section).toContain(`<a href="/docs/errors#${code}">`);
    }
    expect(section).not.toContain('idempotency_conflict');
  });

  it.each([
    ['GET /v1/public/checkout-sessions/{id}', 'session_not_found'],
    ['GET /v1/public/checkout-sessions/{id}/status', 'session_not_found'],
    ['POST /v1/public/checkout-sessions/{id}/payments', 'payment_in_progress'],
  ])('shows %s, which needs no key', (heading, code) => {
    const section = sectionOf('/docs/checkout', heading);
    expect(section).toContain(', without a key');
    expect(section).toContain(`<a href="/docs/errors#${code}">`);
  });

  it.each([
    ['kind of key', ['sk_live_', 'sk_test_', 'pk_live_', 'pk_test_']],
    ['status', [...sessionStatuses, ...paymentStatuses]],
    ['amount of test mode', ['1001', '1002', '1003', '1004']],
    ['fault that can be injected', chaosKinds],
    ['event', checkoutEventNames.map((name) => `id="${name}"`)],
    ['header of a delivery', Object.keys(checkoutVector.headers)],
  ])('names every %s of the checkout', (_, names) => {
    for (const name of names) expect(textOf('/docs/checkout')).toContain(name);
  });

  it('documents the placeholder in return URLs, and has an example signature', () => {
    expect(textOf('/docs/checkout')).toContain('<code>{CHECKOUT_SESSION_ID}</code>');
    expect(textOf('/docs/checkout')).toContain(checkoutVector.headers['X-Checkout-Signature']);
  });

  it('shows the fields of each provider of an account, and the items of a list that is replaced', () => {
    const section = sectionOf('/docs/admin', 'PATCH /admin/v1/accounts/{id}');
    for (const kind of ['simulator', 'aws', 'http', 'meta']) expect(section).toContain(`always <code>${kind}</code>`);
    for (const field of ['takesReference', 'phoneNumberId'])
      expect(section).toContain(`<dt><code>${field}</code></dt>`);
    expect(sectionOf('/docs/admin', 'PUT /admin/v1/accounts/{id}/checkout-methods')).toContain(
      '<dt><code>gatewayCode</code></dt>',
    );
  });

  it('stops a single account by freezing it, which stops its scheduled messages and its members too', () => {
    for (const part of [partOf('/docs/runbook', 'mail-reputation'), textOf('/docs/sending')]) {
      expect(part).toContain('frozen');
      expect(part).not.toMatch(/(?:Stop|To stop) [^.]*revoke its keys/);
    }
  });

  it('says what to do about every line that needs a person', () => {
    const needing = /'([^']+)',\s*(?:\{[^}]*needsPerson|fields\))/g;
    const sources = ['checkout/work-refund.ts', 'checkout/resolve.ts', 'providers/gateways/sslcommerz.ts']
      .map((file) => join('shared', file))
      .concat(
        ['make-refund.ts', 'confirm-payment.ts', 'check-payment.ts'].map((file) =>
          join('functions/checkout/work-payments', file),
        ),
      );
    const messages = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(needing)].map(([, message = '']) => message),
    );
    expect(messages.length).toBeGreaterThanOrEqual(8);
    // A warning, which needs no one.
    for (const message of messages.filter((each) => each !== 'payment was surplus and is refunded'))
      expect(partOf('/docs/runbook', 'needs-person')).toContain(`<code>${message}</code>`);
  });

  it('names the stage in each command that replays work, because alarms are of a deployment', () => {
    for (const path of ['/docs/runbook', '/docs/going-live', '/docs/sending', '/docs/person']) {
      const commands = textOf(path).match(/<code>npm run replay[^<]*/g) ?? [];
      expect(commands.length, path).toBeGreaterThan(0);
      for (const command of commands) expect(command, path).toContain('--stage prod');
    }
  });

  it.each(Object.keys(runbook))('says of the alarm %s what it means, what to look at and what to run', (anchor) => {
    for (const part of ['What it means', 'What to look at', 'What to run'])
      expect(partOf('/docs/runbook', anchor)).toContain(`<dt>${part}</dt>`);
  });
});

describe('webhooks', () => {
  it('has every language, the example signature, and the older shape of errors', () => {
    const text = textOf('/docs/webhooks');
    for (const word of [...eventNames, 'Node', 'Python', 'Go', 'PHP', 'Ruby']) expect(text).toContain(word);
    expect(text).toContain(signatureVector.headers['X-Service-Signature']);
    expect(text).toContain('{ statusCode, error, message, timestamp, path }');
    expect(text).not.toContain('docsUrl');
  });

  it('shows the whole payload of every event of both APIs', () => {
    for (const name of [...eventNames, 'webhook.test', ...checkoutEventNames]) {
      expect(eventOf(name)).toContain(`>&quot;${name}&quot;<`);
      expect(eventOf(name)).toContain('&quot;data&quot;');
    }
  });

  it('shows each header of a delivery of the checkout with a value', () => {
    for (const name of checkoutEventNames) {
      const values = { ...checkoutVector.headers, 'User-Agent': userAgent, 'X-Checkout-Event': name };
      for (const [header, value] of Object.entries(values))
        expect(eventOf(name)).toContain(`<code>${header}: ${value}</code>`);
    }
  });
});

describe('error codes', () => {
  it.each(faultCodes)('shows the status of %s and whether to retry, in the section of its docsUrl', (code) => {
    const [path = '', anchor = ''] = docsUrlOf(code).split('#');
    expect(path).toBe('/docs/errors');
    expect(partOf(path, anchor)).toContain(`<dd>${faults[code].status}</dd>`);
    expect(partOf(path, anchor)).toContain(faults[code].isTransient ? 'Yes, later.' : 'No.');
  });

  it('advises a retry for 429, 5xx and requests in flight only', () => {
    expect(faultCodes.filter((code) => faults[code].isTransient)).toEqual([
      'idempotency_conflict',
      'rate_limited',
      'internal_error',
      'payment_in_progress',
      'upstream_unavailable',
    ]);
  });

  it.each([
    ['session_not_open', '<a href="/docs/checkout#beginPayment">'],
    ['payment_not_refundable', '<a href="/docs/admin#createRefund">'],
    ['message_not_found', '<a href="/docs#getMessage"><code>GET /api/v1/messages/{id}</code></a>'],
  ])('links %s to the endpoints that answer it', (code, link) => {
    expect(partOf('/docs/errors', code)).toContain(link);
  });

  it('names every limit of an account where it explains rate_limited', () => {
    // The paths of endpoints have the same words.
    const explained = partOf('/docs/errors', 'rate_limited').replaceAll(/<code>.*?<\/code>/g, '');
    for (const { of } of [exportsOfAccount, importsOfAccount, testsOfAccount, replaysOfAccount])
      expect(explained).toContain(of);
  });

  it('tells the merchant of a session that is not open to create no other where it is paid', () => {
    expect(partOf('/docs/errors', 'session_not_open')).toContain(
      '<code>COMPLETED</code>: it is paid, so create no other session for the order.',
    );
  });

  it("lists API Gateway's own answers and limits in numbers", () => {
    for (const text of [
      '413',
      'Request Entity Too Large',
      '10,485,760 bytes',
      '503',
      'Service Unavailable',
      '30 seconds',
      'about 700 KB',
      'about 4.5 MB',
    ]) {
      expect(partOf('/docs/errors', 'api-gateway')).toContain(text);
    }
  });
});
