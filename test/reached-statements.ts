import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Imported {
  readonly file: string;
  readonly name: string | undefined;
}

interface Source {
  /** Top-level statements by the names that they declare. */
  readonly statements: ReadonlyMap<string, string>;
  /** Imported values by their name here; a namespace has no name there. */
  readonly imports: ReadonlyMap<string, Imported>;
  /** Files whose exports are exported again. */
  readonly passedOn: readonly string[];
}

const withoutComments = (text: string): string => text.replaceAll(/\/\*.*?\*\/|(?<=^|\s)\/\/.*?$/gms, '');

const read = (file: string): Source => {
  const text = withoutComments(readFileSync(file, 'utf8'));
  const at = (path: string) => join(dirname(file), path);
  const imports = [...text.matchAll(/^(?:import|export) (?!type )([^;']*?) from '(\.[^']+)';/gms)];
  const named = imports.flatMap(([, names = '', path = '']): (readonly [string, Imported])[] => {
    const namespace = /^\* as (\w+)$/.exec(names)?.[1];
    if (namespace) return [[namespace, { file: at(path), name: undefined }]];
    const each = names.matchAll(/(?<!type )\b(?!type\b)(\w+)(?: as (\w+))?/g);
    return [...each].map(([, there = '', here = there]) => [here, { file: at(path), name: there }]);
  });
  // Code is formatted: only the first line of a statement, and what closes it, begin at the margin.
  const statements = text
    .split(/^(?=(?:export )?(?:const|async function|function) )/m)
    .flatMap((statement): (readonly [string, string])[] => {
      const name = /^(?:export )?(?:const|async function\*?|function\*?) (\w+)/.exec(statement)?.[1];
      const [own = ''] = statement.split(/^(?=(?:export )?(?:interface|type|declare|import)\b)/m);
      return name === undefined ? [] : [[name, own]];
    });
  const passedOn = imports.flatMap(([, names, path = '']) => (names === '*' ? [at(path)] : []));
  return { statements: new Map(statements), imports: new Map(named), passedOn };
};

/** A statement, and the file that has it. */
interface Place {
  readonly file: string;
  readonly name: string;
}

/**
 * Finds every top-level statement that one needs, through all files: what a bundle would hold. A store counts as a whole, whichever of its
 * methods are called.
 */
export const statementReader = () => {
  const sources = new Map<string, Source>();
  const sourceOf = (file: string): Source => {
    const source = sources.get(file) ?? read(file);
    sources.set(file, source);
    return source;
  };

  const find = ({ file, name }: Place): Place[] => {
    if (!existsSync(file)) return [];
    const { statements, imports, passedOn } = sourceOf(file);
    if (statements.has(name)) return [{ file, name }];
    const imported = imports.get(name);
    if (imported?.name !== undefined) return find({ file: imported.file, name: imported.name });
    return passedOn.flatMap((other) => find({ file: other, name }));
  };

  const textAt = ({ file, name }: Place): string => sourceOf(file).statements.get(name) ?? '';

  const neededBy = (place: Place): Place[] => {
    const { imports } = sourceOf(place.file);
    const names = textAt(place).matchAll(/(?<![.\w'])([A-Za-z_]\w*)(?:\.(\w+))?/g);
    return [...new Map([...names].map(([text, name = '', member = '']) => [text, { name, member }])).values()].flatMap(
      ({ name, member }) => {
        const imported = imports.get(name);
        return imported && imported.name === undefined
          ? find({ file: imported.file, name: member })
          : find({ file: place.file, name });
      },
    );
  };

  const known = new Map<string, { readonly place: Place; readonly next: readonly string[] }>();
  /** Learns a statement and all that it needs; returns its key. */
  const learn = (place: Place): string => {
    const key = `${place.file} ${place.name}`;
    if (known.has(key)) return key;
    const next: string[] = [];
    known.set(key, { place, next });
    for (const needed of neededBy(place)) next.push(learn(needed));
    return key;
  };

  return {
    /** The texts of all statements that are needed by the one of this name, itself included, each with its file. */
    reachedFrom: (file: string, name: string): readonly { readonly file: string; readonly text: string }[] => {
      const reached = new Set(find({ file, name }).map(learn));
      for (const key of reached) for (const next of known.get(key)?.next ?? []) reached.add(next);
      return [...reached]
        .flatMap((key) => known.get(key)?.place ?? [])
        .map((place) => ({ file: place.file, text: textAt(place) }));
    },
  };
};
