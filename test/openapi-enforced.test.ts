import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getMessageAnalyticsContract } from '../functions/analytics/get-message-analytics/contract.ts';
import { getMessageAnalytics } from '../functions/analytics/get-message-analytics/handler.ts';
import { createContactsContract } from '../functions/contacts/create-contacts/contract.ts';
import { createContacts } from '../functions/contacts/create-contacts/handler.ts';
import { listMessagesContract } from '../functions/messages/list-messages/contract.ts';
import { listMessages } from '../functions/messages/list-messages/handler.ts';
import { openTexting, type Texting } from '../functions/messages/send-message/text-fixture.ts';
import { createTemplateContract } from '../functions/templates/create-template/contract.ts';
import { createTemplate } from '../functions/templates/create-template/handler.ts';
import { listTemplatesContract } from '../functions/templates/list-templates/contract.ts';
import { listTemplates } from '../functions/templates/list-templates/handler.ts';
import type { Schema } from '../shared/docs/document.ts';
import { endpointsOf } from '../shared/docs/endpoints.ts';
import { endpoint } from '../shared/http/endpoint.ts';
import { type Answered, call } from './call.ts';
import { contactCalls } from './contacts-calls.ts';
import { issuesOf } from './json-schema.ts';
import { inFull } from './model-runs.ts';
import { openApi } from './openapi-check.ts';

// The endpoints accept the requests that the description allows, and refuse those that it forbids. Rules that the description states only as
// text are tested where they are enforced, and values that differ only by them are left out here.

type Endpoint = (sent: {
  readonly body?: unknown;
  readonly query: Readonly<Record<string, string>>;
}) => Promise<Answered>;

let texting: Texting;
let key: string;
let calls: Readonly<Record<string, Endpoint>>;
beforeAll(async () => {
  texting = await openTexting();
  const { world, send } = texting;
  // A valid send is refused by this rule, and costs nothing more.
  ({ key } = await world.newAccount({ settings: { status: 'frozen' } }));
  const { create, list, update } = contactCalls(world);
  const createAll = endpoint(createContactsContract, createContacts(world), world.callers('contacts:write'));
  const messages = endpoint(listMessagesContract, listMessages(world), world.callers('messages:read'));
  const newTemplate = endpoint(createTemplateContract, createTemplate(world), world.callers('templates:write'));
  const templates = endpoint(listTemplatesContract, listTemplates(world), world.callers('templates:read'));
  const analytics = endpoint(getMessageAnalyticsContract, getMessageAnalytics(world), world.callers('analytics:read'));
  calls = {
    'POST /messages': ({ body }) => send(body, { key }),
    'GET /messages': ({ query }) => call(messages, { key, query }),
    'POST /contacts': ({ body }) => create(key, body),
    'POST /contacts/bulk': ({ body }) => call(createAll, { key, body }),
    'GET /contacts': ({ query }) => list(key, query),
    'PATCH /contacts/{id}': ({ body }) => update(key, 'x', body),
    'POST /templates': ({ body }) => call(newTemplate, { key, body }),
    'GET /templates': ({ query }) => call(templates, { key, query }),
    'GET /analytics/messages': ({ query }) => call(analytics, { key, query }),
  };
});
afterAll(() => texting.world.close());

type Fields = Readonly<Record<string, unknown>>;

const endpoints = endpointsOf(openApi);
const schemaOf = (method: string, path: string): Schema => {
  const found = endpoints.find((each) => each.method === method && each.path === path);
  if (!found?.body) throw new Error(`${method} ${path} is not described with a body`);
  return found.body.schema;
};

/** The description's own verdict. */
const allows = (schema: Schema, value: unknown): boolean =>
  issuesOf(schema, value, { named: openApi.components.schemas, isClosed: false }).length === 0;

/** The endpoint's verdict. A request can be valid although its id is unknown or a rule blocks the send. */
const accepts = async (
  method: string,
  path: string,
  body?: unknown,
  query: Readonly<Record<string, string>> = {},
): Promise<boolean> => {
  const answer = await calls[`${method} ${path}`]?.({ body, query });
  if (!answer || answer.status >= 500 || answer.status === 429) throw new Error(`${method} ${path}: ${answer?.text}`);
  return answer.status !== 400;
};

/** All that the description forbids, and every third value that it allows. All with `npm run test:long`. */
const tried = <Value>(values: readonly Value[], isAllowed: (value: Value) => boolean): readonly Value[] => {
  const allowed = values.filter(isAllowed);
  return values.filter((value) => inFull || !allowed.includes(value) || allowed.indexOf(value) % 3 === 0);
};

const x = (length: number): string => 'x'.repeat(length);
const several = (length: number, item: unknown = 'x') => Array.from({ length }, () => item);
const unlike: readonly unknown[] = [undefined, 1, true, {}, []];
const texts = ['', 'x', 'x y', 'x\ny', 'x\r', 'x\0y', 'x"y', 'x/y', 'x\\y', '{x}', '😀'];
const around = (...limits: readonly number[]) =>
  limits.flatMap((limit) => [x(limit), x(limit + 1), '😀'.repeat(limit)]);
const addresses = [
  'ada@example.com',
  "o'neil+a.b@mail.example.com",
  'ada@bücher.example',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'a da@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..b@example.com',
  'ada@example.com, b@example.com',
  'ada@example.com\n',
];
const phones = [
  '+8801712345678',
  '8801712345678',
  '123456',
  '+0801712345678',
  '+88 01712345678',
  '+8801712345678901',
  'x',
];
const objects = [{ a: 'x' }, 'x'];
const base = 'eA==';

const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
const sms = { channel: 'sms', to: '+8801712345678', text: 'It works.' };
const file = { filename: 'a.txt', content: base };
const ofMessage: Readonly<Record<string, readonly unknown[]>> = {
  channel: ['email', 'sms', 'whatsapp', 'EMAIL'],
  to: [...addresses, ...phones],
  subject: [...texts, ...around(500)],
  html: ['', 'x'],
  text: ['', 'x'],
  from: [...addresses],
  fromName: [...texts, ...around(200)],
  replyTo: [...addresses],
  listUnsubscribe: [true, false, 'true'],
  templateId: ['', 'x'],
  variables: [...objects, { a: 1 }],
  tags: [several(2), several(1, 1)],
  metadata: [...objects, { a: [1] }],
  attachments: [several(1, file), several(10, file), several(11, file)],
  expiresInSeconds: [59, 60, 86_400, 86_401, 60.5, '60'],
  sendAt: ['', 'tomorrow', '2026-11', new Date(Date.now() + 3_600_000).toISOString()],
};
const ofFile: Readonly<Record<string, readonly unknown[]>> = {
  filename: ['', 'x y', 'x\ny', 'x\u0085', 'x"y', 'x/y', 'x\\y', '😀', ...around(255)],
  content: [base],
  contentType: [
    'text/plain',
    'TEXT/x+y; charset="utf-8"',
    'x',
    'multipart/mixed',
    'Multipart/x',
    'a/b; é',
    'a/b; c',
    `a/${x(253)}`,
    `a/${x(254)}`,
  ],
  cid: ['x@y', '<x>', 'x y', '', 'é', x(255), x(256)],
};
const ofContact: Readonly<Record<string, readonly unknown[]>> = {
  email: addresses,
  phone: phones,
  firstName: ['', 'x', ...around(100)],
  lastName: ['', 'x', ...around(100)],
  tags: [Array.from({ length: 32 }, (_, n) => `${n}`), [1], ...around(200).map((tag) => [tag])],
  source: ['', 'x', ...around(500)],
  customFields: [...objects, { a: [1] }],
};
const emailTemplate = { channel: 'email', name: 'Receipt', subject: 'Your receipt', htmlContent: '<p>It works.</p>' };
const smsTemplate = { channel: 'sms', name: 'Receipt', textContent: 'It works.' };
const ofTemplate: Readonly<Record<string, readonly unknown[]>> = {
  channel: ['email', 'sms', 'whatsapp'],
  name: ['', ' ', 'x', ...around(100)],
  description: ['', 'x', ...around(500)],
  subject: [...texts, ...around(255)],
  htmlContent: ['', 'x', ...around(200_000).slice(0, 2)],
  textContent: ['', 'x', ...around(5_000)],
  variables: [several(50), several(51), [''], ['{x}'], ...around(64).map((name) => [name])],
};

/** The endpoint reads the template before it validates `to` by channel. */
const { channel: _, to: __, ...ofTemplatedMessage } = ofMessage;

type TriedBody = readonly [method: string, path: string, valid: Fields, values: typeof ofContact];

/** Other valid bodies of the same endpoints, for `npm run test:long`. */
const moreBodies: readonly TriedBody[] = [
  ['POST', '/messages', { ...mail, text: undefined, html: 'x', templateId: 'x' }, ofTemplatedMessage],
  ['POST', '/messages', sms, ofMessage],
  ['POST', '/contacts', { phone: '+8801712345678' }, ofContact],
  ['PATCH', '/contacts/{id}', {}, ofContact],
  ['POST', '/templates', smsTemplate, ofTemplate],
];

/** A valid body. Each of its fields gets values of all kinds in turn. */
const bodies: readonly TriedBody[] = [
  ['POST', '/messages', mail, ofMessage],
  ['POST', '/contacts', { email: 'ada@example.com' }, ofContact],
  ['POST', '/templates', emailTemplate, ofTemplate],
  ...(inFull ? moreBodies : []),
];

describe.each(bodies)('%s %s of %j', (method, path, valid, values) => {
  const schema = schemaOf(method, path);

  it.each(Object.keys(values))('%s: is accepted and refused as described', async (name) => {
    const bodyWith = (value: unknown) => ({ ...valid, [name]: value });
    const isAllowed = (value: unknown) => allows(schema, JSON.parse(JSON.stringify(bodyWith(value))));
    for (const value of tried([...unlike, ...(values[name] ?? [])], isAllowed)) {
      const accepted = await accepts(method, path, bodyWith(value));
      expect({ value, accepted }).toEqual({ value, accepted: isAllowed(value) });
    }
  });
});

describe('POST /messages with a file', () => {
  const schema = schemaOf('POST', '/messages');

  it.each(Object.keys(ofFile))('%s: is accepted and refused as described', async (name) => {
    const bodyWith = (value: unknown) => ({ ...mail, attachments: [{ ...file, [name]: value }] });
    const isAllowed = (value: unknown) => allows(schema, JSON.parse(JSON.stringify(bodyWith(value))));
    for (const value of tried([...unlike, ...(ofFile[name] ?? [])], isAllowed)) {
      const accepted = await accepts('POST', '/messages', bodyWith(value));
      expect({ value, accepted }).toEqual({ value, accepted: isAllowed(value) });
    }
  });
});

it.each([
  ['POST', '/messages', ofMessage],
  ['POST', '/contacts', ofContact],
  ['PATCH', '/contacts/{id}', ofContact],
  ['POST', '/templates', ofTemplate],
] as const)('every field of %s %s is tried', (method, path, values) => {
  expect(Object.keys(values)).toEqual(Object.keys(schemaOf(method, path).properties ?? {}));
});

describe('POST /contacts/bulk', () => {
  it('accepts as many rows as described', async () => {
    const schema = schemaOf('POST', '/contacts/bulk');
    for (const length of [0, 1, 1_000, 1_001]) {
      const body = { contacts: several(length, { email: 'ada@example.com' }) };
      expect([length, await accepts('POST', '/contacts/bulk', body)]).toEqual([length, allows(schema, body)]);
    }
  });
});

/** A query string as JSON, with numbers where the description has numbers. */
const read = ({ type }: Schema, text: string): unknown =>
  type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text;

const queryTexts = ['', '0', '1', '-1', '1.5', '100', '101', '999999999999999', '1000000000000000', 'x', 'x,y'];
const words = ['email', 'EMAIL', 'sent', 'read', 'active', 'ACTIVE', 'createdAt', 'email,sms', 'asc', 'up'];
const dates = [
  '2026-11-20',
  '2026-11-20T12:00Z',
  '2026-11-20T12:00:00.123456+06:00',
  '2026-11-20t12:00:00,5z',
  '2026-11-20T12:00:00 0600',
  '2026-11-20 12:00',
  '20261120',
  '2026-11',
  'yesterday',
];
const queries = endpoints.flatMap(({ method, path, parameters }) =>
  parameters.flatMap(({ name, in: place, schema }) => (place === 'query' ? [{ method, path, name, schema }] : [])),
);

describe.each(queries)('$method $path', ({ method, path, name, schema }) => {
  // The description states as text that a cursor comes from an earlier page.
  const others = name === 'cursor' ? [] : [...queryTexts, ...words, ...dates];
  // Which numbers are in use is stated as text.
  const values = name === 'to' ? [...words, 'x', 'Ada@example.com', '+8801712345678', '8801712345678'] : others;

  it(`${name}: is accepted and refused as described`, async () => {
    const isAllowed = (value: string) => allows(schema, read(schema, value));
    for (const value of tried(values, isAllowed)) {
      const accepted = await accepts(method, path, undefined, { [name]: value });
      expect({ value, accepted }).toEqual({ value, accepted: isAllowed(value) });
    }
  });
});

describe('an Idempotency-Key', () => {
  it('is accepted up to its described length', async () => {
    const { maxLength = 0 } = openApi.components.parameters['Idempotency-Key']?.schema ?? {};
    for (const length of [maxLength, maxLength + 1]) {
      const { status } = await texting.send(mail, { key, headers: { 'idempotency-key': x(length) } });
      expect([length, status]).toEqual([length, length > maxLength ? 400 : 422]);
    }
  });
});
