import { randomUUID } from 'node:crypto';

/**
 * JSON that is passed on exactly as it came. Parsing and printing it again would change numbers (`1.0`, `1e400`, more than 17 digits), the
 * order of keys that look like integers, and escapes. `jsonOf` writes it.
 */
export class JsonText {
  readonly text: string;

  /** @param text must be valid JSON, because it is written without another look at it */
  constructor(text: string) {
    this.text = text;
  }

  /** The text that `parseJson` has read this object from; for any other object, what `JSON.stringify` makes of it. */
  static of(value: object): JsonText {
    return new JsonText(sources.get(value) ?? JSON.stringify(value));
  }
}

export const emptyObject = new JsonText('{}');

/** Objects by identity, so that a text lives no longer than the object that was read from it. */
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
    // Of a repeated name, `JSON.parse` keeps the last value; its text is the last one set here.
    if (isObject(member)) sources.set(member, text);
  }
  return value;
};

/** `JSON.stringify` of a value in which a `JsonText` stands for the JSON that it holds. */
export const jsonOf = (value: unknown): string => {
  // Unguessable and new for each call, so no text in the value can pass for a place of it.
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

/** The members of an object in JSON that is known to be valid: each name, and its value's text. */
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

/** Past blanks, and past the marks between names and values. */
const nextToken = (json: string, from: number): number => {
  let at = from;
  while (' \t\n\r,:'.includes(json.charAt(at))) at += 1;
  return at;
};

const steps: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Where the member ends that has its value here: at a comma or the closing brace, blanks before it included. */
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

/** Past the quote that ends the string which begins here: the first with an even number of backslashes before it. */
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
