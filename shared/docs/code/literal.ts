/** How a language writes a value of JSON. */
export interface Notation {
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, close: string];
  /** A key, with what separates it from its value. */
  key(name: string): string;
  text(value: string): string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
}

const quoted = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

export const javascript: Notation = {
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: `,
  text: quoted,
  words: { true: 'true', false: 'false', null: 'null' },
};

export const python: Notation = {
  list: ['[', ']'],
  map: ['{', '}'],
  key: (name) => `${JSON.stringify(name)}: `,
  text: (value) => JSON.stringify(value),
  words: { true: 'True', false: 'False', null: 'None' },
};

/** PHP reads no `\n` between single quotes, and `$` between double ones is a variable. */
const phpText = (value: string): string =>
  value.includes('\n') ? JSON.stringify(value).replaceAll('$', '\\$').replaceAll('\\/', '/') : quoted(value);

export const php: Notation = {
  list: ['[', ']'],
  map: ['[', ']'],
  key: (name) => `${phpText(name)} => `,
  text: phpText,
  words: { true: 'true', false: 'false', null: 'null' },
};

const unit = (notation: Notation): string => (notation === javascript ? '  ' : '    ');

/** A value as source code; a small one in one line. */
export const literalOf = (value: unknown, notation: Notation, depth = 0): string => {
  if (typeof value === 'string') return notation.text(value);
  if (typeof value === 'boolean' || value === null) return notation.words[`${value}`];
  if (typeof value !== 'object' || value === undefined) return String(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? notation.list : notation.map;
  const partsAt = (at: number): string[] =>
    isList
      ? value.map((item) => literalOf(item, notation, at))
      : Object.entries(value).map(([name, item]) => notation.key(name) + literalOf(item, notation, at));
  if (partsAt(depth).length === 0) return notation === php && !isList ? '(object) []' : open + close;
  const space = isList || notation !== javascript ? '' : ' ';
  const line = open + space + partsAt(depth).join(', ') + space + close;
  if (!line.includes('\n') && line.length + depth * 2 <= 72) return line;
  const indent = unit(notation).repeat(depth + 1);
  return `${open}\n${partsAt(depth + 1)
    .map((part) => `${indent}${part},\n`)
    .join('')}${unit(notation).repeat(depth)}${close}`;
};
