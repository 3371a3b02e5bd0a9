import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Fault } from '../kit/fault.ts';
import { contract } from './contract.ts';
import { readRequest } from './read-request.ts';

const reads = <Body extends z.ZodType>(body: Body) => contract({ summary: '', status: 200, body });
const event = (sent: Partial<APIGatewayProxyEventV2>) =>
  ({ isBase64Encoded: false, ...sent }) as APIGatewayProxyEventV2;

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
  it('is read whatever its encoding', () => {
    expect(bodyOf('{"a":"ü😀"}')).toEqual({ a: 'ü😀' });
    expect(bodyOf(Buffer.from('{"a":"ü😀"}').toString('base64'), true)).toEqual({ a: 'ü😀' });
    expect(bodyOf(' \n{}\t')).toEqual({});
  });

  it.each([
    undefined,
    '',
    ' ',
    '{',
    '{"a":1,}',
    "{'a':1}",
    '{"a":1}x',
    'null',
    'true',
    '1',
    '"x"',
    '[]',
    '[{}]',
    'a=b',
    '<a/>',
    '\ufeff{}',
  ])('400 refuses %j', (text) => {
    expect(faultOf(() => bodyOf(text))).toBe('invalid_request: body: must be a JSON object');
  });

  it('is a list where the contract takes one, and nothing else then', () => {
    const list = z.array(z.object({ a: z.int() }));
    expect(readRequest(reads(list), event({ body: '[{"a":1}]' })).body).toEqual([{ a: 1 }]);
    expect(bodyFault(list, {})).toBe('invalid_request: body: must be a JSON array');
    expect(bodyFault(list, 'x')).toBe('invalid_request: body: must be a JSON array');
    expect(bodyFault(list, [{ a: 1 }, { a: 'x' }])).toMatch(/^invalid_request: 1\.a: /);
  });

  it('is not read where the contract takes none', () => {
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

  it('is as deep as its brackets outside of text', () => {
    const brackets = '[{'.repeat(100);
    for (const text of [brackets, `${brackets}"`, `"${brackets}`, `\\${brackets}`, `\\"${brackets}\\`]) {
      expect(bodyOf(JSON.stringify({ [text]: text }))).toEqual({ [text]: text });
    }
    expect(bodyOf(`{"a":[${'[],'.repeat(1_000)}[]]}`)).toHaveProperty('a');
  });

  const isPlain = (name: string) => name !== '__proto__';

  it('is given back as it was sent', () => {
    fc.assert(
      // zod drops a field of the body that is called `__proto__`; what is kept verbatim, metadata for one, is tested where it is kept.
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }).filter(isPlain), fc.jsonValue({ maxDepth: 5 })),
        (sent) => {
          const json = JSON.stringify(sent);
          expect(JSON.stringify(bodyOf(json))).toBe(json);
        },
      ),
    );
  });

  it.each([
    ['text', `{"a":"${'x'.repeat(10_000_000)}"}`],
    ['escapes', `{"a":"${'\\"'.repeat(4_000_000)}"}`],
    ['open text', `"${'\\"'.repeat(4_000_000)}`],
    ['numbers', `{"a":[${'1,'.repeat(4_000_000)}1]}`],
  ])('of ten megabytes of %s is read in a moment', (_, text) => {
    const startMs = performance.now();
    faultOf(() => bodyOf(text));
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it('of ten megabytes in one text is read', () => {
    const text = 'A'.repeat(10_000_000);
    expect(bodyOf(JSON.stringify({ text }))).toEqual({ text });
  });
});

describe('what is wrong', () => {
  it('is said in words for a person', () => {
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
          'short: must be at most 1 characters',
          'long: must be at least 2 characters',
          'few: must be at most 1 items',
          'big: must be at most 1',
        ].join('; '),
    );
  });

  it('is named by its path, and never with the value', () => {
    const schema = z.object({ list: z.array(z.object({ a: z.email('must be an email address') })) });
    expect(bodyFault(schema, { list: [{ a: 'a@b.co' }, { a: 'secret' }, {}] })).toBe(
      'invalid_request: list.1.a: must be an email address; list.2.a: must be an email address',
    );
  });

  it('is joined over path, query and body, and said once', () => {
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

  it('has the code that the field names, unless another field is plainly invalid', () => {
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
