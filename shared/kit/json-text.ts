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
}

export const emptyObject = new JsonText('{}');

/** By object identity, so that a text is garbage-collected with its object. */
const sources = new WeakMap<object, string>();

/**
 * `JSON.parse` that keeps, for `JsonText.of`, the text of every object and array that is a member of the outermost object.
 * @throws SyntaxError
 */
export const parseJson = (json: string): unknown => {
  const value: unknown = JSON.parse(json);
  if (!isObject(value) || Array.isArray(value)) return value;
  for (const [name, text] of membersOf(json)) {
    const member: unknown = Reflect.get(value, name);
    // For a repeated name, `JSON.parse` keeps the last value; its text is also the last one set here.
    if (isObject(member)) sources.set(member, text);
  }
  return value;
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

/** The position after spaces, colons and commas. */
const nextToken = (json: string, from: number): number => {
  let at = from;
  while (' \t\n\r,:'.includes(json.charAt(at))) at += 1;
  return at;
};

const steps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** The end of the member whose value begins here: the position of the comma or closing brace. */
const endOfValue = (json: string, start: number): number => {
  let at = start;
  let depth = 0;
  do {
    const mark = json.charAt(at);
    depth += steps[mark] ?? 0;
    at = mark === '"' ? endOfString(json, at) : at + 1;
  } while (depth > 0 || !',}'.includes(json.charAt(at)));
  return at;
};

/** The position after the string that begins here. Its closing quote has an even number of backslashes before it. */
const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1);
  while (backslashesBefore(json, end) % 2 === 1) end = json.indexOf('"', end + 1);
  return end + 1;
};

const backslashesBefore = (json: string, end: number): number => {
  let first = end;
  while (json.charAt(first - 1) === '\\') first -= 1;
  return end - first;
};
