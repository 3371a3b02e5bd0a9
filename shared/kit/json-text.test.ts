import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { JsonText, jsonOf, parseJson } from './json-text.ts';

const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 3 });

/** Text of a string, with any of its characters escaped. */
const stringText = (value: fc.Arbitrary<string>) =>
  fc.tuple(value, fc.infiniteStream(fc.boolean())).map(([text, choices]) => {
    const written = text.split('').map((unit) => {
      const hasEscape = choices.next().value === true;
      return hasEscape ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(unit).slice(1, -1);
    });
    return `"${written.join('')}"`;
  });

const strings = stringText(fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', ',', 'é') })));
const primitives = fc.oneof(
  strings,
  fc.constantFrom('1.0', '-0', '1e400', '12345678901234567890', '1E+2', 'true', 'false', 'null'),
);

const joined = (parts: readonly string[], gap: string): string => parts.join(`${gap},${gap}`);

/** Any JSON, in any notation. */
const { value: json } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    primitives,
    fc.tuple(fc.array(fc.tuple(strings, tie('value')), { maxLength: 4 }), blanks).map(
      ([members, gap]) =>
        `{${gap}${joined(
          members.map(([name, text]) => `${name}${gap}:${gap}${text}`),
          gap,
        )}${gap}}`,
    ),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), blanks)
      .map(([items, gap]) => `[${gap}${joined(items, gap)}${gap}]`),
  ),
}));

const names = fc.constantFrom('metadata', 'other', '__proto__', 'constructor', '1', '', '"', '\\');
const member = fc.tuple(stringText(names), json);
type Member = readonly [name: string, text: string];

const objectText = (members: readonly Member[], gap: string): string =>
  `{${gap}${joined(
    members.map(([name, text]) => `${name}${gap}:${gap}${text}`),
    gap,
  )}${gap}}`;

const expectTexts = (value: unknown, members: readonly Member[]): void => {
  for (const [name, text] of new Map(members.map(([own, last]) => [JSON.parse(own), last]))) {
    const part: unknown = Reflect.get(Object(value), name);
    if (typeof part === 'object' && part !== null) expect(JsonText.of(part).text).toBe(text);
  }
};

describe('parseJson', () => {
  it('reads what JSON.parse reads, and keeps the text of each member: of a repeated name the last', () => {
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), blanks, (members, gap) => {
        const outer = `${gap}${objectText(members, gap)}${gap}`;
        const value = parseJson(outer);
        expect(value).toEqual(JSON.parse(outer));
        expectTexts(value, members);
      }),
      { numRuns: modelRuns(150), seed: 42 },
    );
  });

  it('keeps the text of each member of the objects in a list', () => {
    // Without quotes and backslashes, which V8's `JSON.parse` may confuse in the names of objects that are alike.
    const field = fc.tuple(stringText(fc.constantFrom('metadata', 'other', '__proto__', '1', '')), json);
    fc.assert(
      fc.property(fc.array(fc.tuple(json, fc.array(field, { maxLength: 3 }))), blanks, (pairs, gap) => {
        const items = pairs.flatMap(([text, row]) => [text, objectText(row, gap)]);
        const value = parseJson(`{"rows":[{}],"rows":${gap}[${gap}${joined(items, gap)}${gap}]}`);
        expect(value).toEqual({ rows: items.map((text) => JSON.parse(text)) });
        for (const [index, [, row]] of pairs.entries())
          expectTexts(Reflect.get(Reflect.get(Object(value), 'rows'), 2 * index + 1), row);
      }),
      { numRuns: modelRuns(60), seed: 42 },
    );
  });

  it('reads all other JSON as JSON.parse does, and throws where that throws', () => {
    fc.assert(
      fc.property(json, (text) => {
        expect(parseJson(text)).toEqual(JSON.parse(text));
        expect(() => parseJson(`${text},`)).toThrow(SyntaxError);
      }),
      { numRuns: modelRuns(60), seed: 42 },
    );
  });

  it('reads millions of backslashes and brackets without exhausting the stack', () => {
    const slashes = '\\'.repeat(4_000_000);
    const value = parseJson(`{"a":{"k":"${slashes}"},"b":[${'[],'.repeat(1_000_000)}[]]}`) as { a: object; b: object };
    expect(JsonText.of(value.a).text).toBe(`{"k":"${slashes}"}`);
    expect(JsonText.of(value.b).text).toHaveLength(3_000_004);
  });
});

describe('compact', () => {
  it('takes away all spaces between the parts, and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\t'), (value, gap) => {
        const spaced = JSON.stringify(value, undefined, gap).replaceAll('\n', '\r\n');
        expect(new JsonText(spaced).compact().text).toBe(JSON.stringify(value));
      }),
    );
    expect(new JsonText('{ "a \\" b" : 1.0 }').compact().text).toBe('{"a \\" b":1.0}');
  });
});

describe('jsonOf', () => {
  it('equals JSON.stringify for a value without a JsonText', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonOf(value)).toBe(JSON.stringify(value));
      }),
      { seed: 42 },
    );
    expect(jsonOf({ toJSON: () => ({ a: undefined, b: [undefined] }) })).toBe('{"b":[null]}');
  });

  it('writes each JsonText unchanged, at any position', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(json, fc.string())), (pairs) => {
        const value = { list: pairs.map(([text, beside]) => [new JsonText(text), beside]) };
        const written = pairs.map(([text, beside]) => `[${text},${JSON.stringify(beside)}]`);
        expect(jsonOf(value)).toBe(`{"list":[${written.join()}]}`);
      }),
      { seed: 42 },
    );
  });

  it('never confuses text in or beside a JsonText with its placeholder', () => {
    const inner = '{"$&":"$1","place":"$$"}';
    const outer = jsonOf({ a: new JsonText(inner), b: inner, c: new JsonText('1.0'), d: [new JsonText('"$`"')] });
    expect(outer).toBe(`{"a":${inner},"b":${JSON.stringify(inner)},"c":1.0,"d":["$\`"]}`);
  });
});
