import { remembering } from '../remembering.ts';

/** A step into an item: a field's name or its placeholder, or a place in a list. */
export type Step = string | number;
export type Path = readonly Step[];

export type Operand =
  | { readonly kind: 'path'; readonly path: Path }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'size'; readonly path: Path };

export type Condition =
  | { readonly kind: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'compare'; readonly by: string; readonly left: Operand; readonly right: Operand }
  | { readonly kind: 'between'; readonly of: Operand; readonly from: Operand; readonly to: Operand }
  | { readonly kind: 'in'; readonly of: Operand; readonly any: readonly Operand[] }
  | { readonly kind: 'call'; readonly name: string; readonly path: Path; readonly operand: Operand | undefined };

export type Term =
  | Operand
  | { readonly kind: 'sum'; readonly left: Term; readonly right: Term; readonly sign: 1 | -1 }
  | { readonly kind: 'default'; readonly path: Path; readonly otherwise: Term }
  | { readonly kind: 'append'; readonly left: Term; readonly right: Term };

export interface Update {
  readonly set: readonly { readonly path: Path; readonly to: Term }[];
  readonly remove: readonly Path[];
  readonly add: readonly { readonly path: Path; readonly value: string }[];
  readonly delete: readonly { readonly path: Path; readonly value: string }[];
}

/** An expression, and the placeholders that it uses. */
export interface Read<Tree> {
  readonly tree: Tree;
  readonly placeholders: ReadonlySet<string>;
}

const token = /\s*([#:]?[A-Za-z_][A-Za-z0-9_-]*|[#:][0-9]\w*|<>|<=|>=|[=<>()[\],.+-]|\d+)\s*/y;

const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const at = token.lastIndex;
    const found = token.exec(text)?.[1];
    if (found === undefined) throw new Error(`DynamoDB cannot read the expression at "${text.slice(at)}"`);
    tokens.push(found);
  }
  return tokens;
};

const conditionCalls = new Set([
  'attribute_exists',
  'attribute_not_exists',
  'attribute_type',
  'begins_with',
  'contains',
]);

/** Reads the tokens of one expression, from left to right. */
const readerOf = (text: string) => {
  const tokens = tokensOf(text);
  let at = 0;
  const isNext = (wanted: string): boolean => tokens[at]?.toUpperCase() === wanted;
  const skipped = (wanted: string): boolean => {
    if (!isNext(wanted)) return false;
    at += 1;
    return true;
  };
  const next = (): string => {
    const found = tokens[at];
    if (found === undefined) throw new Error(`the expression ends too soon: ${text}`);
    at += 1;
    return found;
  };
  const expect = (wanted: string): void => {
    if (!skipped(wanted)) throw new Error(`${wanted} is missing before "${tokens.slice(at).join(' ')}": ${text}`);
  };
  const listed = <Each>(read: () => Each): Each[] => {
    const all = [read()];
    while (skipped(',')) all.push(read());
    return all;
  };

  const path = (): Path => {
    const steps: Step[] = [next()];
    for (;;) {
      if (skipped('.')) steps.push(next());
      else if (skipped('[')) {
        steps.push(Number(next()));
        expect(']');
      } else return steps;
    }
  };

  const operand = (): Operand => {
    if (isNext('SIZE') && tokens[at + 1] === '(') {
      at += 2;
      const of = path();
      expect(')');
      return { kind: 'size', path: of };
    }
    return tokens[at]?.startsWith(':') ? { kind: 'value', name: next() } : { kind: 'path', path: path() };
  };

  const called = (): Condition => {
    const name = next();
    expect('(');
    const of = path();
    const second = skipped(',') ? operand() : undefined;
    expect(')');
    return { kind: 'call', name, path: of, operand: second };
  };

  const compared = (): Condition => {
    const of = operand();
    if (skipped('BETWEEN')) {
      const from = operand();
      expect('AND');
      return { kind: 'between', of, from, to: operand() };
    }
    if (skipped('IN')) {
      expect('(');
      const any = listed(operand);
      expect(')');
      return { kind: 'in', of, any };
    }
    const by = next();
    if (!/^(=|<>|<|<=|>|>=)$/.test(by)) throw new Error(`${by} does not compare: ${text}`);
    return { kind: 'compare', by, left: of, right: operand() };
  };

  const single = (): Condition => {
    if (skipped('NOT')) return { kind: 'not', of: single() };
    if (skipped('(')) {
      const inner = either();
      expect(')');
      return inner;
    }
    return conditionCalls.has(tokens[at] ?? '') ? called() : compared();
  };
  const both = (): Condition => {
    let left = single();
    while (skipped('AND')) left = { kind: 'and', left, right: single() };
    return left;
  };
  const either = (): Condition => {
    let left = both();
    while (skipped('OR')) left = { kind: 'or', left, right: both() };
    return left;
  };

  const factor = (): Term => {
    const isDefault = isNext('IF_NOT_EXISTS');
    if (!isDefault && !isNext('LIST_APPEND')) return operand();
    at += 1;
    expect('(');
    if (isDefault) {
      const of = path();
      expect(',');
      const otherwise = factor();
      expect(')');
      return { kind: 'default', path: of, otherwise };
    }
    const left = factor();
    expect(',');
    const right = factor();
    expect(')');
    return { kind: 'append', left, right };
  };
  const term = (): Term => {
    const left = factor();
    if (skipped('+')) return { kind: 'sum', left, right: factor(), sign: 1 };
    return skipped('-') ? { kind: 'sum', left, right: factor(), sign: -1 } : left;
  };

  const assignment = () => {
    const to = path();
    expect('=');
    return { path: to, to: term() };
  };
  const change = () => ({ path: path(), value: next() });

  const update = (): Update => {
    const read: Update = { set: [], remove: [], add: [], delete: [], ...clauses() };
    return read;
  };
  const clauses = (): Partial<Update> => {
    if (at === tokens.length) return {};
    const clause = next().toUpperCase();
    if (clause === 'SET') return { set: listed(assignment), ...clauses() };
    if (clause === 'REMOVE') return { remove: listed(path), ...clauses() };
    if (clause === 'ADD') return { add: listed(change), ...clauses() };
    if (clause === 'DELETE') return { delete: listed(change), ...clauses() };
    throw new Error(`${clause} begins no clause: ${text}`);
  };

  return {
    either,
    update,
    paths: () => listed(path),
    whole: <Tree>(tree: Tree): Read<Tree> => {
      if (at < tokens.length) throw new Error(`the expression goes on with "${tokens.slice(at).join(' ')}": ${text}`);
      return { tree, placeholders: new Set(tokens.filter((each) => /^[#:]/.test(each))) };
    },
  };
};

/** Each text is read once: the code has a few hundred of them. */
const cached = <Tree>(read: (reader: ReturnType<typeof readerOf>) => Tree): ((text: string) => Read<Tree>) => {
  const known = remembering<Read<Tree>>();
  return (text) =>
    known(text, () => {
      const reader = readerOf(text);
      return reader.whole(read(reader));
    });
};

export const readCondition = cached((reader) => reader.either());
export const readUpdate = cached((reader) => reader.update());
export const readProjection = cached((reader) => reader.paths());
