import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { kindOf } from '../infra/auth.ts';
import { describedRoutes } from '../infra/describe.ts';
import { type Route, routes } from '../infra/routes.ts';
import { checkoutEventNames } from '../shared/checkout/events.ts';
import { type Api, type ApiName, apis, refusalsOf } from '../shared/docs/apis.ts';
import type { Parameter } from '../shared/docs/document.ts';
import { endpointsOf } from '../shared/docs/endpoints.ts';
import { nameOf } from '../shared/docs/schemas.ts';
import type { Contract } from '../shared/http/contract.ts';
import { faults } from '../shared/http/faults.ts';
import { faultCodes } from '../shared/kit/fault.ts';
import { eventNames, testEvent } from '../shared/webhooks/events.ts';
import { checkoutDeliveryHeaders, deliveryHeaders, testHeaders } from '../shared/webhooks/signature.ts';
import { call } from './call.ts';
import { documents, mismatches, openApi, replyMatches } from './openapi-check.ts';
import { dialectal, openApiStructure } from './openapi-structure.ts';

/** The APIs that each document describes. The first document of an API is checked in detail. */
const coverage: readonly (readonly [path: keyof typeof documents, apis: readonly ApiName[]])[] = [
  ['/api/v1/openapi.json', ['messaging']],
  ['/api/v1/openapi-full.json', ['messaging', 'additions', 'webhooks']],
  ['/v1/openapi.json', ['checkout', 'payers']],
  ['/admin/v1/openapi.json', ['operators']],
];

const rows = await Promise.all(
  describedRoutes.map(async (row) => {
    const file = join(import.meta.dirname, '..', 'functions', row.does, 'contract.ts');
    const exports: Record<string, Contract> = await import(file);
    const contract = Object.entries(exports).find(([name]) => name.endsWith('Contract'))?.[1];
    if (!contract) throw new Error(`functions/${row.does}/contract.ts exports no contract`);
    const [name] = coverage.find(([, apis]) => apis.includes(row.api)) ?? expect.fail(`no document has ${row.api}`);
    return { ...row, name: `${row.method} ${row.path}`, document: documents[name], contract };
  }),
);
const endpointsIn = new Map(Object.values(documents).map((document) => [document, endpointsOf(document)]));
const endpointOf = ({ method, path }: { readonly method: string; readonly path: string }, document = openApi) => {
  const endpoint = endpointsIn
    .get(document)
    ?.find((each) => each.method === method && each.server + each.path === path);
  if (!endpoint) throw new Error(`${method} ${path} is not described`);
  return endpoint;
};

/** The public API (messaging specification, "Summary", without webhook management). */
const specified = [
  'POST /messages',
  'GET /messages',
  'GET /messages/{id}',
  'POST /contacts',
  'POST /contacts/bulk',
  'GET /contacts',
  'GET /contacts/{id}',
  'PATCH /contacts/{id}',
  'DELETE /contacts/{id}',
  'POST /templates',
  'GET /templates',
  'GET /templates/{id}',
  'GET /analytics/messages',
];

describe.each(coverage)('GET %s', (name, covered) => {
  const document = documents[name];
  const endpoints = endpointsOf(document);

  it('has the structure of OpenAPI 3.1', () => {
    // Operators have tools of their own; customers generate clients in any language.
    const tolerated = name === '/admin/v1/openapi.json' ? dialectal : undefined;
    const issues = openApiStructure.safeParse(document).error?.issues ?? [];
    expect(issues.filter(({ message }) => message !== tolerated)).toEqual([]);
  });

  it('has a target for every reference, and a reference to every component', () => {
    const text = JSON.stringify(document);
    const wanted = new Set([...text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g)].map(([, part]) => part));
    const { securitySchemes, ...parts } = document.components;
    const there = Object.entries(parts).flatMap(([part, all]) => Object.keys(all).map((each) => `${part}/${each}`));
    expect([...wanted].filter((each) => !there.includes(String(each)))).toEqual([]);
    const optional = /^(examples|headers)\//;
    expect(there.filter((each) => !optional.test(each) && !wanted.has(each))).toEqual([]);
    const schemes = endpoints.flatMap(({ operation }) => operation.security.flatMap(Object.keys));
    expect([...new Set(schemes)]).toEqual(Object.keys(securitySchemes));
  });

  it('covers the rows of its APIs, and nothing else', () => {
    const expected = describedRoutes.filter(({ api }) => covered.includes(api));
    expect(endpoints.map(({ method, server, path }) => `${method} ${server}${path}`).sort()).toEqual(
      expected.map(({ method, path }) => `${method} ${path}`).sort(),
    );
  });

  it('names every operation once', () => {
    const deliveries = Object.values(document.webhooks ?? {}).map(({ post }) => post.operationId);
    const ids = [...endpoints.map(({ operation }) => operation.operationId), ...deliveries];
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
  });

  it('has a whole example of every delivery, as described', () => {
    for (const [event, { post }] of Object.entries(document.webhooks ?? {})) {
      const { schema = {}, example } = post.requestBody?.content['application/json'] ?? {};
      expect([event, example]).toEqual([event, expect.objectContaining({ event })]);
      expect([event, mismatches(schema, example, document)]).toEqual([event, []]);
    }
  });
});

it('every function has a summary of its own', () => {
  const doneBy = new Map(rows.map(({ does, contract }) => [does, contract.summary]));
  const summaries = [...doneBy.values()];
  expect(summaries.filter((each, n) => summaries.indexOf(each) !== n)).toEqual([]);
});

it('every row with a key, for payers’ programs or for operators is described', () => {
  const keys = Object.entries<Route>(routes).flatMap(([key, { does, auth }]) => {
    const isForPrograms = kindOf(auth) !== 'payer' || key.includes(' /v1/public/');
    const isServed = ['apiKey', 'checkoutKey', 'role', 'payer'].includes(kindOf(auth)) && !does.startsWith('docs/');
    return isServed && isForPrograms ? [key] : [];
  });
  expect(describedRoutes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(keys.sort());
});

describe('GET /api/v1/openapi.json', () => {
  const endpoints = endpointsOf(openApi);

  it('has the endpoints of the specification without webhook management, and nothing else', () => {
    expect(endpoints.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...specified].sort());
  });

  it('lists the codes of these endpoints, and none of the checkout, of operators or of webhook management', () => {
    const codes = openApi.components.schemas['ErrorResponse']?.properties?.['error']?.properties?.['code']?.enum;
    const answered = new Set(endpoints.flatMap(({ refusals }) => refusals.flatMap((refusal) => refusal.codes)));
    expect(codes).toEqual(faultCodes.filter((code) => answered.has(code) || code === 'not_found'));
    expect(Object.keys(openApi.components.examples)).toEqual(codes);
    expect(JSON.stringify(openApi.components.examples)).not.toMatch(/checkout|operator|admin|publishable|payment/i);
  });
});

describe('the deliveries', () => {
  const described = (path: keyof typeof documents) =>
    Object.entries(documents[path].webhooks ?? {}).map(([event, { post }]) => {
      const headers = post.parameters.filter((each): each is Parameter => 'name' in each);
      return { event, headers: Object.fromEntries(headers.map(({ name, example }) => [name, example])) };
    });
  const signed = (event: string, sequence = 42) => ({ event, secrets: ['x'] as const, body: '{}', sequence });
  const namesOf = (headers: object) => Object.keys(headers).filter((name) => name !== 'Content-Type');

  it('have the events and headers that receivers get', () => {
    const got = (path: keyof typeof documents) =>
      described(path).map(({ event, headers }) => ({ event, names: namesOf(headers).sort() }));
    const sent = (event: string, headers: object) => ({ event, names: namesOf(headers).sort() });
    expect(got('/api/v1/openapi-full.json')).toEqual([
      ...eventNames.map((event) => sent(event, deliveryHeaders(signed(event), 'evt_1', 1))),
      sent(testEvent, testHeaders(signed(testEvent))),
    ]);
    expect(got('/v1/openapi.json')).toEqual(
      checkoutEventNames.map((event) => sent(event, checkoutDeliveryHeaders(signed(event), '1'))),
    );
  });

  it('are retried, but for that of a test', () => {
    for (const [event, { post }] of Object.entries(documents['/api/v1/openapi-full.json'].webhooks ?? {}))
      expect(/Any other answer is retried/.test(post.responses['2XX']?.description ?? ''), event).toBe(
        event !== testEvent,
      );
  });

  it('have examples of the headers: the event, and a number that a test does not have', () => {
    for (const { event, headers } of described('/api/v1/openapi-full.json')) {
      const { 'X-Service-Event': name, 'X-Service-Sequence': sequence } = testHeaders(
        signed(event, event === testEvent ? 0 : 42),
      );
      expect(headers).toMatchObject({ 'X-Service-Event': name, 'X-Service-Sequence': sequence });
    }
  });
});

describe.each(rows)('$name', (row) => {
  const { contract, scope, document } = row;
  const api: Api = apis[row.api];
  const { operation, parameters, body, successes, refusals } = endpointOf(row, document);
  const [success] = successes;
  const example = success?.response.content?.['application/json'].example;

  it('requires its scope, with each way to send the key', () => {
    expect(operation.security.flatMap((way) => Object.keys(way))).toEqual(Object.keys(api.securitySchemes));
    for (const way of operation.security) expect(Object.values(way)).toEqual([scope ? [scope] : []]);
  });

  it('has every parameter and body field of its contract, and no other', () => {
    const namesOf = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
    expect(namesOf('path')).toEqual(Object.keys(contract.path.shape));
    expect(namesOf('path')).toEqual([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    expect(namesOf('query')).toEqual(Object.keys(contract.query.shape));
    expect(namesOf('header')).toEqual(contract.isReplayable ? ['Idempotency-Key'] : []);
    const fields = contract.body instanceof z.ZodObject ? Object.keys(contract.body.shape) : [];
    expect(Object.keys(body?.schema.properties ?? {})).toEqual(fields);
  });

  it('has the status, headers and refusals of its contract', () => {
    expect(successes.map(({ status }) => status)).toEqual([String(contract.status)]);
    const headers = Object.keys(success?.response.headers ?? {});
    expect(headers).toEqual([...api.headers, ...(contract.isReplayable ? ['Idempotent-Replay'] : [])]);
    const codes = refusals.flatMap(({ status, codes }) => codes.map((code) => `${status} ${code}`));
    expect(codes.sort()).toEqual(
      [...refusalsOf(api, contract).map((code) => `${faults[code].status} ${code}`), '503 internal_error'].sort(),
    );
  });

  it('states every rule that JSON Schema cannot express as text', () => {
    const parts = { path: contract.path, query: contract.query, body: contract.body, reply: contract.reply };
    for (const [part, schema] of Object.entries(parts)) {
      if (schema)
        expect(untold(schema, part === 'reply' ? 'output' : 'input').map((at) => `${part}.${at}`)).toEqual([]);
    }
  });

  it('has an example request that its contract accepts', () => {
    for (const { name, in: place, schema, example, required } of parameters) {
      if (required) expect([name, example]).not.toEqual([name, undefined]);
      if (example === undefined) continue;
      expect([name, mismatches(schema, example, document)]).toEqual([name, []]);
      if (place === 'query')
        expect(contract.query.partial().safeParse({ [name]: String(example) }).error).toBeUndefined();
    }
    if (!contract.body || !body) return;
    expect(body.example).toBeDefined();
    expect(contract.body.safeParse(body.example).error).toBeUndefined();
    expect(mismatches(body.schema, body.example, document)).toEqual([]);
  });

  it('describes as one line each text of its example that must be one', () => {
    if (!contract.body || !body) return;
    const sent = (body.example ?? {}) as Fields;
    for (const [name, value] of Object.entries(sent)) {
      if (typeof value !== 'string') continue;
      const broken = { ...sent, [name]: `${value}\u0000` };
      const issues = contract.body.safeParse(broken).error?.issues ?? [];
      if (issues.some(({ message }) => message.includes('control characters')))
        expect([name, mismatches(body.schema, broken, document)]).not.toEqual([name, []]);
    }
  });

  it('has an example of its answer, and of every refusal, as described', () => {
    expect(replyMatches(row.method, row.path, contract.status, example)).toEqual([]);
    for (const { status } of refusals) {
      const response = operation.responses[status];
      const { components } = document;
      const { content } =
        (response && '$ref' in response ? components.responses[nameOf(response.$ref)] : response) ?? {};
      for (const { $ref } of Object.values(content?.['application/json'].examples ?? {})) {
        const { value } = components.examples[nameOf($ref)] ?? {};
        expect([$ref, replyMatches(row.method, row.path, Number(status), value)]).toEqual([$ref, []]);
      }
    }
  });
});

describe.each(rows.filter(({ api }) => api === 'messaging'))('$name', (row) => {
  const { parameters, body, successes } = endpointOf(row);

  it('has matching examples of request and answer', () => {
    const { example } = successes[0]?.response.content?.['application/json'] ?? {};
    const { data, pagination } = (example ?? {}) as { data?: Fields | Fields[]; pagination?: Fields };
    const sent = (body?.example ?? {}) as Fields;
    for (const one of [data ?? []].flat()) {
      const repeated = Object.entries(sent).filter(([name]) => name in one);
      expect(one).toMatchObject({ ...Object.fromEntries(repeated), ...filteredBy(parameters) });
    }
    if (Array.isArray(sent['contacts'])) expect(data).toMatchObject({ total: sent['contacts'].length });
    if (Array.isArray(data) && pagination) expect(pagination).toEqual(lastPageOf(data));
  });
});

type Fields = Readonly<Record<string, unknown>>;

/** The values that every row of a list must have, when its parameters are the examples. */
const filteredBy = (parameters: readonly Parameter[]): Fields => {
  const examples = new Map(
    parameters.filter(({ in: place }) => place === 'query').map((each) => [each.name, each.example]),
  );
  const [status, tags] = [examples.get('status'), examples.get('tags')];
  return {
    ...Object.fromEntries([...examples].filter(([name]) => ['channel', 'source'].includes(name))),
    ...(status !== undefined && { status: String(status).toLowerCase() }),
    ...(tags !== undefined && { tags: String(tags).split(',').slice(0, 1) }),
    ...(examples.has('startDate') && {
      range: { startDate: examples.get('startDate'), endDate: examples.get('endDate') },
    }),
  };
};

const lastPageOf = ({ length }: readonly unknown[]) =>
  expect.toSatisfy(
    (page: Fields) =>
      'total' in page ? page['total'] === length && page['totalPages'] === 1 : page['hasMore'] === false,
    'a page that is the last one',
  );

/** Places where a schema has a custom check, or a type that JSON Schema lacks, and no description of it. */
const untold = (schema: z.ZodType, io: 'input' | 'output'): string[] => {
  const hidden = new Set<string>();
  const described = new Set<string>();
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const { checks = [], type } = zodSchema._zod.def;
      if (type === 'custom') hidden.add(path.join('.'));
      for (const { def } of checks.map(({ _zod }) => _zod)) {
        // A rule about two fields is named `a or b`, and described at the first.
        const names =
          'path' in def && Array.isArray(def.path) ? def.path.map((name) => `${name}`.split(' or ')[0]) : [];
        const field = names.flatMap((name) => ['properties', name]);
        if (def.check === 'custom') hidden.add([...path, ...field].join('.'));
      }
      const sayings = ['description', 'pattern', 'maximum', 'maxLength', 'contentEncoding', 'enum'];
      if (sayings.some((name) => name in jsonSchema) || (type === 'custom' && 'type' in jsonSchema)) {
        described.add(path.join('.'));
      }
    },
  });
  return [...hidden].filter((place) => !described.has(place));
};

describe('replyMatches', () => {
  const reply = () =>
    structuredClone(endpointOf({ method: 'GET', path: '/api/v1/messages/{id}' }).successes[0]?.response.content)?.[
      'application/json'
    ].example as { data: Record<string, unknown> };

  it('accepts a described reply at the called path', () => {
    for (const path of ['/api/v1/messages/{id}', '/api/v1/messages/1', '/api/v1/messages/1?a=b']) {
      expect(replyMatches('GET', path, 200, reply())).toEqual([]);
    }
  });

  it('names a field that is missing, wrong or not described', () => {
    const { data } = reply();
    const { id: _, ...withoutId } = data;
    for (const [broken, name] of [
      [withoutId, 'id'],
      [{ ...data, status: 'SENT' }, 'status'],
      [{ ...data, createdAt: 'yesterday' }, 'createdAt'],
      [{ ...data, sentAt: 'yesterday' }, 'sentAt'],
      [{ ...data, secret: 1 }, 'secret'],
    ] as const) {
      expect(replyMatches('GET', '/api/v1/messages/1', 200, { data: broken }).join()).toContain(name);
    }
  });

  it('refuses a status, path and code that are not described', () => {
    const error = { code: 'conflict', message: 'm', docsUrl: '/docs/errors#conflict' };
    expect(replyMatches('GET', '/api/v1/messages/1', 418, {})).toHaveLength(1);
    expect(replyMatches('GET', '/api/v1/nowhere', 200, {})).toHaveLength(1);
    expect(replyMatches('GET', '/api/v1/messages/1', 404, { error })).not.toEqual([]);
    expect(replyMatches('GET', '/api/v1/messages/1', 404, { error: { ...error, code: 'message_not_found' } })).toEqual(
      [],
    );
    expect(replyMatches('GET', '/api/v1/messages/1', 404, { error: { code: 'message_not_found' } })).not.toEqual([]);
  });

  it('holds for in-process calls too', async () => {
    const { contract } = rows.find(({ does }) => does === 'messages/get-message') ?? expect.fail();
    const unkept = { 'Cache-Control': 'no-store' };
    const answering = (statusCode: number, body: unknown, headers = unkept) =>
      call(Object.assign(async () => ({ statusCode, headers, body: JSON.stringify(body) }), { contract }));
    expect((await answering(200, reply())).status).toBe(200);
    await expect(answering(200, reply(), { 'Cache-Control': 'private' })).rejects.toThrow('no-store');
    await expect(answering(200, { data: {} })).rejects.toThrow('is required');
    await expect(answering(201, reply())).rejects.toThrow('not described to answer 201');
  });
});
