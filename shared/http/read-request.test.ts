import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { contract } from './contract.ts';
import { readRequest } from './read-request.ts';

const reads = <Body extends z.ZodType>(body: Body) => contract({ summary: '', status: 200, body });
const event = (sent: Partial<APIGatewayProxyEventV2>) =>
  ({ isBase64Encoded: false, rawQueryString: '', headers: {}, ...sent }) as APIGatewayProxyEventV2;

const anything = reads(z.looseObject({}));
const bodyOf = (text: string | undefined, isBase64Encoded = false) =>
  readRequest(anything, event({ isBase64Encoded, ...(text !== undefined && { body: text }) })).body;

const faultOf = (read: () => unknown): string => {
  try {
    read();
    return 'none';
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return `${thrown.code}: ${thrown.message}`;
  }
};
const bodyFault = <Body extends z.ZodType>(schema: Body, value: unknown) =>
  faultOf(() => readRequest(reads(schema), event({ body: JSON.stringify(value) })));

describe('a body', () => {
  it('is read in every encoding', () => {
    expect(bodyOf('{"a":"ü😀"}')).toEqual({ a: 'ü😀' });
    expect(bodyOf(Buffer.from('{"a":"ü😀"}').toString('base64'), true)).toEqual({ a: 'ü😀' });
    expect(bodyOf(' \n{}\t')).toEqual({});
  });

  it.each([undefined, '', ' ', '\n\t'])('400 refuses %j as empty', (text) => {
    expect(faultOf(() => bodyOf(text))).toBe('invalid_request: body: is required, as a JSON object');
  });

  /** After the classes of the JSON parsing test suite. */
  const broken = [
    '{',
    '{"a":"',
    '{"a":"\\"',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}x',
    'a=b',
    '<a/>',
    '\ufeff{}',
    '[1 true]',
    '["": 1]',
    '[1,,2]',
    '[1,]',
    '{"a" "b"}',
    '{a:1}',
    '{"a":}',
    '{"a":1',
    '{"a":1}}',
    '{"a":"\\x00"}',
    '{"a":"\\u00A"}',
    '{"a":"\t"}',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":0x1}',
    '{"a":1e}',
    '{"a":NaN}',
    '{"a":Infinity}',
    '{"a":tru}',
    '{"a":1}//',
    '/* */{}',
    '{"a":"b',
    '"',
    '[',
    ']',
    '{]',
    '\u0000',
    '{}\u0000',
  ];
  it.each(broken)('400 refuses %j as broken', (text) => {
    expect(faultOf(() => bodyOf(text))).toBe('invalid_request: body: is not valid JSON');
  });

  it.each([
    ['null', 'null'],
    ['true', 'a boolean'],
    ['1', 'a number'],
    ['"x"', 'a string'],
    ['[]', 'an array'],
    ['[{}]', 'an array'],
  ])('400 refuses %j as no object', (text, kind) => {
    expect(faultOf(() => bodyOf(text))).toBe(`invalid_request: body: must be a JSON object, not ${kind}`);
  });

  it.each(['gzip', 'br', 'deflate', 'GZIP, identity', 'x'])('400 refuses one compressed by %j', (encoding) => {
    const sent = event({ body: '{}', headers: { 'content-encoding': encoding } });
    expect(faultOf(() => readRequest(anything, sent))).toBe(
      'invalid_request: body: must not be compressed; send it without Content-Encoding',
    );
  });

  it.each(['', 'identity', ' Identity '])('is read when its Content-Encoding is %j', (encoding) => {
    const sent = event({ body: '{}', headers: { 'content-encoding': encoding } });
    expect(readRequest(anything, sent).body).toEqual({});
  });

  it.each([
    ['a byte that begins nothing', [0xff]],
    ['a pair that is cut short', [0xc3]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
  ])('400 refuses what is not UTF-8: %s', (_, bytes) => {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]).toString('base64');
    expect(faultOf(() => bodyOf(body, true))).toBe('invalid_request: body: must be valid UTF-8');
  });

  const halves = 'must not contain half of a surrogate pair (an unpaired \\ud800 to \\udfff)';

  it.each([
    ['{"a":"\\ud800"}', 'a'],
    ['{"a":"x\\uDFFFy"}', 'a'],
    ['{"a":"\\udc00\\ud800"}', 'a'],
    ['{"a":{"b":[0,"\\udbff"]}}', 'a.b.1'],
    ['{"a":{"b":{"\\ud800":1}}}', 'a.b'],
    ['{"\\ud800":1}', 'body'],
    [`{"a":{"${'k'.repeat(100)}":"\\ud800"}}`, `a.${'k'.repeat(100)}`],
    [`{"a":{"${'k'.repeat(101)}":{"b":"\\ud800"}}}`, 'a'],
    [`{"${'\\\\'.repeat(101)}":{"b":"\\ud800"}}`, 'body'],
    ['{"a":"\\ud800","a":"x"}', 'body'],
    ['{"a":{"b":"\\ud800","b":1}}', 'body'],
    ['{"a":"😀\\ud83d\\ude00","b":"\\ud83d"}', 'b'],
  ])('400 refuses half of a surrogate pair, wherever it is: %s', (text, place) => {
    expect(faultOf(() => bodyOf(text))).toBe(`invalid_request: ${place}: ${halves}`);
    expect(faultOf(() => bodyOf(Buffer.from(text).toString('base64'), true))).toContain(halves);
  });

  it('may contain surrogate pairs, escaped or not, and text that only looks like half of one', () => {
    expect(bodyOf('{"a":"😀\\ud83d\\ude00","b":"\\\\ud83d"}')).toEqual({ a: '😀😀', b: '\\ud83d' });
  });

  it('must be a list when the contract requires one', () => {
    const list = z.array(z.object({ a: z.int() }));
    expect(readRequest(reads(list), event({ body: '[{"a":1}]' })).body).toEqual([{ a: 1 }]);
    expect(bodyFault(list, {})).toBe('invalid_request: body: must be a JSON array, not an object');
    expect(bodyFault(list, 'x')).toBe('invalid_request: body: must be a JSON array, not a string');
    expect(bodyFault(list, [{ a: 1 }, { a: 'x' }])).toMatch(/^invalid_request: 1\.a: /);
  });

  it('is not read when the contract has none', () => {
    expect(readRequest(contract({ summary: '', status: 200 }), event({ body: '{' })).body).toBeUndefined();
  });

  it('may be nested 64 levels deep and not one more', () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
    expect(JSON.stringify(bodyOf(nested(64)))).toBe(nested(64));
    expect(faultOf(() => bodyOf(nested(65)))).toBe(
      'invalid_request: body: must not be nested more than 64 levels deep',
    );
    expect(faultOf(() => bodyOf(`{"a":${'['.repeat(64)}${']'.repeat(64)}}`))).toContain('nested');
    expect(faultOf(() => bodyOf('['.repeat(5_000_000)))).toContain('nested');
  });

  it('may have 300,000 values and not one more, so that checking them fits into the memory of a function', () => {
    const empty = '""';
    const body = (count: number) => `{"a":"1,\\",2","b":[${`${empty},`.repeat(count - 2)}${empty}]}`;
    const refused = 'invalid_request: body: must have at most 300000 values';
    expect(Object.keys(Object(bodyOf(body(300_000))))).toEqual(['a', 'b']);
    expect(faultOf(() => bodyOf(body(300_001)))).toBe(refused);
    expect(faultOf(() => bodyOf(`{"a":[${','.repeat(2_900_000)}]}`))).toBe(refused);
    expect(Object.keys(Object(bodyOf(`{"a":"${','.repeat(2_900_000)}"}`)))).toEqual(['a']);
  });

  it('has the depth of its brackets outside strings', () => {
    const brackets = '[{'.repeat(100);
    for (const text of [brackets, `${brackets}"`, `"${brackets}`, `\\${brackets}`, `\\"${brackets}\\`]) {
      expect(bodyOf(JSON.stringify({ [text]: text }))).toEqual({ [text]: text });
    }
    expect(bodyOf(`{"a":[${'[],'.repeat(1_000)}[]]}`)).toHaveProperty('a');
  });

  const isPlain = (name: string) => name !== '__proto__';

  it('is read as the values that were sent, in their order', () => {
    fc.assert(
      // zod drops a top-level field `__proto__`; verbatim objects, for example metadata, are tested where they are stored.
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }).filter(isPlain), fc.jsonValue({ maxDepth: 5 })),
        (sent) => {
          const json = JSON.stringify(sent);
          expect(JSON.stringify(bodyOf(json))).toBe(json);
        },
      ),
    );
  });

  it.each([
    ['text', `{"a":"${'x'.repeat(10_000_000)}"}`],
    ['escapes', `{"a":"${'\\"'.repeat(2_000_000)}"}`],
    ['open text', `"${'\\"'.repeat(2_000_000)}`],
    ['numbers', `{"a":[${'1,'.repeat(2_000_000)}1]}`],
  ])('of four megabytes or more of %s is read in linear time', (_, text) => {
    // Quadratic time would exceed the time limit of the test.
    faultOf(() => bodyOf(text));
  });

  it('of ten megabytes in one text is read', () => {
    const text = 'A'.repeat(10_000_000);
    expect(bodyOf(JSON.stringify({ text }))).toEqual({ text });
  });
});

describe('a validation message', () => {
  it('is written for people', () => {
    const schema = z.object({
      string: z.string(),
      number: z.number(),
      whole: z.int(),
      list: z.array(z.string()),
      object: z.object({}),
      choice: z.enum(['a', 'b']),
      yes: z.boolean(),
      short: z.string().max(1),
      long: z.string().min(2),
      few: z.array(z.string()).max(1),
      big: z.number().max(1),
    });
    const wrong = {
      number: '',
      whole: 1.5,
      list: {},
      object: [],
      choice: 'c',
      yes: 1,
      short: 'ab',
      long: 'a',
      few: ['', ''],
      big: 2,
    };
    expect(bodyFault(schema, wrong)).toBe(
      'invalid_request: ' +
        [
          'string: is required',
          'number: must be a number',
          'whole: must be a whole number',
          'list: must be an array',
          'object: must be an object',
          'choice: must be one of a, b',
          'yes: must be a boolean',
          'short: must be at most 1 character',
          'long: must be at least 2 characters',
          'few: must have at most 1 item',
          'big: must be at most 1',
        ].join('; '),
    );
  });

  it('names the kinds of an object that has several', () => {
    const kinds = ['email', 'sms'].map((kind) => z.object({ kind: z.literal(kind), to: z.string() }));
    const [email = expect.fail(), sms = expect.fail()] = kinds;
    const schema = z.object({ message: z.discriminatedUnion('kind', [email, sms]) });
    expect(bodyFault(schema, { message: { kind: 'fax' } })).toBe(
      'invalid_request: message.kind: must be one of email, sms',
    );
    expect(bodyFault(schema, { message: {} })).toBe('invalid_request: message.kind: is required');
  });

  it('counts characters as people do', () => {
    const schema = z.object({
      empty: z.string().min(1),
      none: z.array(z.string()).min(1),
      few: z.array(z.string()).min(2),
      many: z.array(z.string()).max(2),
      long: z.string().max(2),
    });
    expect(bodyFault(schema, { empty: '', none: [], few: [], many: ['', '', ''], long: 'abc' })).toBe(
      'invalid_request: empty: must not be empty; none: at least 1 item is required; few: at least 2 items are required; ' +
        'many: must have at most 2 items; long: must be at most 2 characters',
    );
  });

  it('names only the limit of the field, where a whole number is beyond the safe integers too', () => {
    const amount = z.int().min(1).max(5);
    const schema = z.object({ big: amount, small: amount, other: amount, unlimited: z.int(), list: z.array(amount) });
    const sent = { big: 1e300, small: -1e300, other: 1e16, unlimited: 1e16, list: [1e16, 1e16] };
    expect(bodyFault(schema, sent)).toBe(
      'invalid_request: big: must be at most 5; small: must be at least 1; other: must be at most 5; ' +
        'unlimited: must be at most 9007199254740991; list.0: must be at most 5; list.1: must be at most 5',
    );
  });

  it('names the path of a field, and never its value', () => {
    const schema = z.object({ list: z.array(z.object({ a: z.email('must be an email address') })) });
    expect(bodyFault(schema, { list: [{ a: 'a@b.co' }, { a: 'secret' }, {}] })).toBe(
      'invalid_request: list.1.a: must be an email address; list.2.a: must be an email address',
    );
  });

  it('400 names 100 faults, and says how many more there are', () => {
    const schema = z.object({ tags: z.array(z.string()) });
    const message = bodyFault(schema, { tags: Array.from({ length: 150_000 }, () => 1) });
    const named = message.replace('invalid_request: ', '').split('; ');
    expect([named.length, named[0], named[99]]).toEqual([101, 'tags.0: must be a string', 'tags.99: must be a string']);
    expect(named.at(-1)).toBe('149900 more');
    expect(bodyFault(schema, { tags: Array.from({ length: 100 }, () => 1) })).not.toContain('more');
  });

  it('400 counts as more only what it could name: each fault once, and none that another one says better', () => {
    const amounts = z.object({ list: z.array(z.int().max(5)) });
    const named = Array.from({ length: 100 }, (_, n) => `list.${n}: must be at most 5`);
    expect(bodyFault(amounts, { list: Array.from({ length: 100 }, () => 1e300) })).toBe(
      `invalid_request: ${named.join('; ')}`,
    );
    expect(bodyFault(amounts, { list: Array.from({ length: 102 }, () => 1e300) })).toBe(
      `invalid_request: ${named.join('; ')}; 2 more`,
    );
    const metadata = z.object({ metadata: z.record(z.string().max(3), z.string()), id: z.string() });
    const names = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`long_${n}`, '']));
    const message = bodyFault(metadata, { metadata: names });
    expect(message).toMatch(/^invalid_request: metadata: has a name that is not allowed: [^;]*; id: is required$/);
  });

  it('joins errors of path, query and body, each once', () => {
    const all = contract({
      summary: '',
      status: 200,
      path: z.object({ id: z.string().refine((id) => id === 'x', 'is unknown') }),
      query: z.object({ limit: z.enum(['1']) }),
      body: z.object({
        to: z
          .string()
          .refine(() => false, 'is wrong')
          .refine(() => false, 'is wrong'),
      }),
    });
    const sent = event({ pathParameters: { id: 'y' }, queryStringParameters: { limit: '2' }, body: '{"to":""}' });
    expect(faultOf(() => readRequest(all, sent))).toBe(
      'invalid_request: id: is unknown; limit: must be one of 1; to: is wrong',
    );
  });

  it('has the field’s own code, unless another field is invalid', () => {
    const coded = (code: string) => z.string().refine(() => false, { error: 'is wrong', params: { code } });
    const schema = z.object({
      a: coded('attachment_too_large').optional(),
      b: coded('invalid_attachment').optional(),
      c: z.string().optional(),
      d: coded('no_such_code').optional(),
    });
    expect(bodyFault(schema, { b: '' })).toBe('invalid_attachment: b: is wrong');
    expect(bodyFault(schema, { a: '', b: '' })).toBe('attachment_too_large: a: is wrong; b: is wrong');
    expect(bodyFault(schema, { b: '', c: 1 })).toBe('invalid_request: b: is wrong; c: must be a string');
    expect(bodyFault(schema, { d: '' })).toBe('invalid_request: d: is wrong');
  });
});

describe('a query', () => {
  it.each(['a=%ff', 'a=%C3', 'a=x%ED%A0%80y', '%ff=1', 'a=%c3%a9&b=%fe'])(
    '400 refuses %j, which is not UTF-8, if the endpoint refuses any input',
    (query) => {
      const sent = event({ rawQueryString: query });
      expect(
        faultOf(() => readRequest(contract({ summary: '', status: 200, refuses: ['invalid_request'] }), sent)),
      ).toBe('invalid_request: query: must be percent-encoded UTF-8');
      expect(faultOf(() => readRequest(contract({ summary: '', status: 200, refuses: ['bad_request'] }), sent))).toBe(
        'invalid_request: query: must be percent-encoded UTF-8',
      );
      expect(faultOf(() => readRequest(contract({ summary: '', status: 200 }), sent))).toBe('none');
    },
  );

  it.each(['', 'a=%C3%A9', 'a=%F0%9F%98%80%20', 'a=100%', 'a=%zz', 'a=é'])('may be %j', (query) => {
    const sent = event({ rawQueryString: query });
    expect(faultOf(() => readRequest(contract({ summary: '', status: 200, refuses: ['invalid_request'] }), sent))).toBe(
      'none',
    );
  });
});

describe('null', () => {
  const free = z.record(z.string(), z.unknown());
  const row = z.object({ email: z.string().optional(), phone: z.string() });
  const schema = z.object({
    name: z.string().optional(),
    mode: z.enum(['a', 'b']).default('a'),
    cleared: z.string().nullable().optional(),
    metadata: free.optional(),
    customer: z.object({ name: z.string().exactOptional(), tag: z.string().nullish() }).optional(),
    rows: z.array(row.transform((sent) => sent).catch({ phone: 'bad' })).optional(),
    way: z
      .discriminatedUnion('kind', [
        z.object({ kind: z.literal('x'), note: z.string().optional() }),
        z.object({ kind: z.literal('y'), note: z.string().nullable().optional() }),
      ])
      .optional(),
  });
  const read = (value: unknown) => readRequest(reads(schema), event({ body: JSON.stringify(value) })).body;

  it('in an optional field counts as an omitted field, also inside objects and lists', () => {
    expect(read({ name: null, mode: null, metadata: null, customer: null, rows: null, way: null })).toEqual({
      mode: 'a',
    });
    expect(read({ customer: { name: null, tag: null } })).toEqual({ mode: 'a', customer: { tag: null } });
    expect(read({ rows: [{ email: null, phone: '1' }] })).toEqual({ mode: 'a', rows: [{ phone: '1' }] });
    expect(read({ way: { kind: 'x', note: null } })).toEqual({ mode: 'a', way: { kind: 'x' } });
  });

  it('is kept where it has a meaning, and in free-form objects', () => {
    expect(read({ cleared: null })).toEqual({ mode: 'a', cleared: null });
    expect(read({ metadata: { a: null } })).toEqual({ mode: 'a', metadata: { a: null } });
    expect(read({ way: { kind: 'y', note: null } })).toEqual({ mode: 'a', way: { kind: 'y', note: null } });
  });

  it('is refused with 400 in a required field', () => {
    expect(bodyFault(z.object({ name: z.string() }), { name: null })).toBe('invalid_request: name: must be a string');
  });
});
