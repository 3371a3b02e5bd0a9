import { randomUUID } from 'node:crypto';

/**
 * JSON that is passed on verbatim. Parsing and printing would change numbers (`1.0`, `1e400`, more than 17 digits), the
 * order of keys that look like integers, and escapes. `jsonOf` writes it.
 */
export class JsonText {
  readonly text: string;

  /** @param text must be valid JSON, because it is written unchecked */
  constructor(text: string) {
    this.text = text;
  }

  /** The text that `parseJson` read this object from; for any other object, its `JSON.stringify`. */
  static of(value: object): JsonText {
    return new JsonText(sources.get(value) ?? JSON.stringify(value));
  }

  /** Of an object: the same with each name once. Of a repeated name, it has the last value, as `JSON.parse` does. */
  withoutRepeats(): JsonText {
    const members = [...membersOf(this.text)];
    const last = new Map(members);
    if (last.size === members.length) return this;
    return new JsonText(`{${Array.from(last, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`);
  }

  /** The JSON without the spaces between its parts. */
  compact(): JsonText {
    return new JsonText([...compactPiecesOf(this.text)].join(''));
  }
}

export const emptyObject = new JsonText('{}');

/** By object identity, so that a text is garbage-collected with its object. */
const sources = new WeakMap<object, string>();

/**
 * `JSON.parse` that keeps, for `JsonText.of`, the text of the outermost object, and of every object and array that is a member of it, or of an
 * object in a list that is such a member: a row of a batch.
 * @throws SyntaxError
 */
export const parseJson = (json: string): unknown => {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) return value;
  sources.set(value, json.trim());
  for (const [member, text] of keepTexts(value, json))
    if (Array.isArray(member) && member.some(isRecord) && text.startsWith('[')) keepRows(member, text);
  return value;
};

const keepRows = (rows: readonly unknown[], json: string): void => {
  let index = 0;
  for (const text of itemsOf(json)) {
    const row = rows[index];
    if (isRecord(row) && text.startsWith('{')) keepTexts(row, text);
    index += 1;
  }
};

/** Keeps the texts of its members that are objects or arrays, and returns them. For a repeated name, `JSON.parse` keeps the last value. */
const keepTexts = (value: object, json: string): [member: object, text: string][] => {
  const kept: [object, string][] = [];
  for (const [name, text] of new Map(membersOf(json))) {
    const member: unknown = Reflect.get(value, name);
    if (!isObject(member)) continue;
    sources.set(member, text);
    kept.push([member, text]);
  }
  return kept;
};

/** `JSON.stringify` that writes each `JsonText` verbatim. */
export const jsonOf = (value: unknown): string => {
  // Random for each call, so that no text in the value can equal a placeholder.
  const place = randomUUID();
  const texts: string[] = [];
  const outline = JSON.stringify(value, (_, part: unknown) => {
    if (!(part instanceof JsonText)) return part;
    texts.push(part.text);
    return place;
  });
  return texts.length === 0 ? outline : outline.replaceAll(`"${place}"`, () => texts.shift() ?? '');
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isRecord = (value: unknown): value is object => isObject(value) && !Array.isArray(value);

/** The members of an object in valid JSON: each name, and its value's text. */
function* membersOf(json: string): Generator<[name: string, text: string]> {
  let at = nextToken(json, json.indexOf('{') + 1);
  while (json.charAt(at) !== '}') {
    const nameEnd = endOfString(json, at);
    const start = nextToken(json, nameEnd);
    const end = endOfValue(json, start);
    yield [JSON.parse(json.slice(at, nameEnd)), json.slice(start, end).trimEnd()];
    at = nextToken(json, end);
  }
}

/** The text of each item of an array in valid JSON. */
function* itemsOf(json: string): Generator<string> {
  let at = nextToken(json, json.indexOf('[') + 1);
  while (json.charAt(at) !== ']') {
    const end = endOfValue(json, at);
    yield json.slice(at, end).trimEnd();
    at = nextToken(json, end);
  }
}

/** Valid JSON in pieces: its strings as they are, and what is between them without spaces. A pattern would fail at a string of 8 MB. */
function* compactPiecesOf(json: string): Generator<string> {
  for (let at = 0; at < json.length; ) {
    const quote = json.indexOf('"', at);
    const start = quote < 0 ? json.length : quote;
    yield json.slice(at, start).replaceAll(/[ \t\r\n]+/g, '');
    at = quote < 0 ? start : endOfString(json, quote);
    yield json.slice(start, at);
  }
}

/** The position after spaces, colons and commas. */
const nextToken = (json: string, from: number): number => {
  let at = from;
  while (' \t\n\r,:'.includes(json.charAt(at))) at += 1;
  return at;
};

/** How a mark outside of strings changes the depth. */
export const steps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** The end of the member or item whose value begins here: the position of the comma, brace or bracket after it. */
const endOfValue = (json: string, start: number): number => {
  let at = start;
  let depth = 0;
  do {
    const mark = json.charAt(at);
    depth += steps[mark] ?? 0;
    at = mark === '"' ? endOfString(json, at) : at + 1;
  } while (depth > 0 || !',}]'.includes(json.charAt(at)));
  return at;
};

/** The position after the string that begins here, or 0 where it does not end. Its closing quote has an even number of backslashes before it. */
export const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1);
  while (backslashesBefore(json, end) % 2 === 1) end = json.indexOf('"', end + 1);
  return end + 1;
};

const backslashesBefore = (json: string, end: number): number => {
  let first = end;
  while (json.charAt(first - 1) === '\\') first -= 1;
  return end - first;
};
