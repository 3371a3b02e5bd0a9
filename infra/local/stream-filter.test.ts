import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matches } from './stream-filter.ts';

const record = {
  eventName: 'INSERT',
  dynamodb: {
    Keys: { PK: { S: 'A#1#MSG' } },
    NewImage: { entity: { S: 'Message' }, draft: { BOOL: false }, gone: { NULL: true }, tags: { SS: ['a', 'b'] } },
    SizeBytes: 120,
    nothing: null,
  },
};

test.each<[string, unknown, boolean]>([
  ['an exact string', { eventName: ['INSERT'] }, true],
  ['one of several strings', { eventName: ['REMOVE', 'INSERT'] }, true],
  ['another string', { eventName: ['REMOVE'] }, false],
  ['an exact number', { dynamodb: { SizeBytes: [120] } }, true],
  ['a number that is a string there', { dynamodb: { SizeBytes: ['120'] } }, false],
  ['an exact boolean', { dynamodb: { NewImage: { draft: { BOOL: [false] } } } }, true],
  ['another boolean', { dynamodb: { NewImage: { draft: { BOOL: [true] } } } }, false],
  ['null for null', { dynamodb: { nothing: [null] } }, true],
  ['null for what is absent', { dynamodb: { absent: [null] } }, false],
  ['two fields that match', { eventName: ['INSERT'], dynamodb: { SizeBytes: [120] } }, true],
  ['two fields of which one does not match', { eventName: ['INSERT'], dynamodb: { SizeBytes: [121] } }, false],
  ['a field below a leaf', { eventName: { deeper: ['INSERT'] } }, false],
  ['an element of a list', { dynamodb: { NewImage: { tags: { SS: ['b'] } } } }, true],
  ['a prefix', { dynamodb: { Keys: { PK: { S: [{ prefix: 'A#' }] } } } }, true],
  ['another prefix', { dynamodb: { Keys: { PK: { S: [{ prefix: '#MSG' }] } } } }, false],
  ['a suffix', { dynamodb: { Keys: { PK: { S: [{ suffix: '#MSG' }] } } } }, true],
  ['another suffix', { dynamodb: { Keys: { PK: { S: [{ suffix: 'A#' }] } } } }, false],
  ['equality but for case', { eventName: [{ 'equals-ignore-case': 'insert' }] }, true],
  ['no equality but for case', { eventName: [{ 'equals-ignore-case': 'inserted' }] }, false],
  ['anything but another', { eventName: [{ 'anything-but': 'REMOVE' }] }, true],
  ['anything but this', { eventName: [{ 'anything-but': 'INSERT' }] }, false],
  ['anything but a list with it', { eventName: [{ 'anything-but': ['MODIFY', 'INSERT'] }] }, false],
  ['anything but a list without it', { eventName: [{ 'anything-but': ['MODIFY', 'REMOVE'] }] }, true],
  ['anything but a number', { dynamodb: { SizeBytes: [{ 'anything-but': [120, 1] }] } }, false],
  ['anything but a prefix that it has', { eventName: [{ 'anything-but': { prefix: 'INS' } }] }, false],
  ['anything but a prefix that it has not', { eventName: [{ 'anything-but': { prefix: 'REM' } }] }, true],
  ['anything but, of what is absent', { absent: [{ 'anything-but': 'x' }] }, false],
  ['existence', { dynamodb: { NewImage: { entity: { S: [{ exists: true }] } } } }, true],
  ['existence of what is absent', { dynamodb: { OldImage: { entity: { S: [{ exists: true }] } } } }, false],
  ['absence', { dynamodb: { OldImage: { entity: { S: [{ exists: false }] } } } }, true],
  ['absence of what is there', { dynamodb: { NewImage: { entity: { S: [{ exists: false }] } } } }, false],
  ['existence of an object, which is no leaf', { dynamodb: { NewImage: [{ exists: true }] } }, false],
  ['existence of null', { dynamodb: { nothing: [{ exists: true }] } }, true],
  ['a number in a range', { dynamodb: { SizeBytes: [{ numeric: ['>', 100, '<=', 120] }] } }, true],
  ['a number out of a range', { dynamodb: { SizeBytes: [{ numeric: ['>=', 100, '<', 120] }] } }, false],
  ['an equal number', { dynamodb: { SizeBytes: [{ numeric: ['=', 1.2e2] }] } }, true],
  ['a range, of a string', { eventName: [{ numeric: ['>', 0] }] }, false],
  ['one of two alternatives', { $or: [{ eventName: ['REMOVE'] }, { dynamodb: { SizeBytes: [120] } }] }, true],
  ['none of two alternatives', { $or: [{ eventName: ['REMOVE'] }, { eventName: ['MODIFY'] }] }, false],
  ['an alternative beside a field', { eventName: ['REMOVE'], $or: [{ eventName: ['INSERT'] }] }, false],
  ['a name that every object inherits', { toString: [{ exists: true }] }, false],
  ['nothing in particular', {}, true],
])('a pattern of %s', (_, pattern, expected) => {
  expect(matches(pattern, record)).toBe(expected);
});

test('an object in a list satisfies the pattern only as a whole', () => {
  const list = {
    items: [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
  };
  expect(matches({ items: { a: [3], b: [4] } }, list)).toBe(true);
  expect(matches({ items: { a: [1], b: [4] } }, list)).toBe(false);
});

test.each([
  ['an unknown rule', { a: [{ wildcard: '*' }] }],
  ['two rules in one', { a: [{ prefix: 'x', suffix: 'y' }] }],
  ['a value without a list', { a: 'x' }],
  ['alternatives without a list', { $or: {} }],
  ['a range without a number', { a: [{ numeric: ['>', '1'] }] }],
  ['a range with an unknown sign', { a: [{ numeric: ['!', 1] }] }],
])('%s is refused', (_, pattern) => {
  expect(() => matches(pattern, record)).toThrow('event filter');
});

const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
const tree = fc.letrec((tie) => ({
  node: fc.oneof({ maxDepth: 3 }, leaf, fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tie('node'))),
})).node;
const objects = fc.dictionary(fc.stringMatching(/^[a-z]{1,3}$/), tree);

/** The pattern that asks for exactly these leaves. */
const patternOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, patternOf(inner)]))
    : [value];

test('every record satisfies its own pattern, and so does one with more fields', () => {
  fc.assert(
    fc.property(objects, tree, (own, more) => {
      expect(matches(patternOf(own), own)).toBe(true);
      expect(matches(patternOf(own), { ...own, MORE: more })).toBe(true);
    }),
  );
});

test('"value" and "anything-but value" are opposites for one leaf', () => {
  fc.assert(
    fc.property(leaf, leaf, (value, other) => {
      expect(matches({ a: [{ 'anything-but': [other] }] }, { a: value })).toBe(!matches({ a: [other] }, { a: value }));
    }),
  );
});

test('"exists: true" and "exists: false" are opposites for every value', () => {
  fc.assert(
    fc.property(fc.oneof(tree, fc.array(tree), fc.constant(undefined)), (a) => {
      expect(matches({ a: [{ exists: true }] }, { a })).toBe(!matches({ a: [{ exists: false }] }, { a }));
    }),
  );
});

test('a string matches each of its prefixes and each of its suffixes', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (start, end) => {
      const pattern = { a: [{ prefix: start }], b: [{ suffix: end }] };
      expect(matches(pattern, { a: start + end, b: start + end })).toBe(true);
    }),
  );
});

test('a numeric range matches exactly the numbers between its bounds', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (low, high, a) => {
      expect(matches({ a: [{ numeric: ['>=', low, '<', high] }] }, { a })).toBe(low <= a && a < high);
    }),
  );
});

test('$or is the disjunction of its alternatives', () => {
  fc.assert(
    fc.property(objects, objects, objects, (one, two, value) => {
      const [first, second] = [patternOf(one), patternOf(two)];
      expect(matches({ $or: [first, second] }, value)).toBe(matches(first, value) || matches(second, value));
    }),
  );
});
