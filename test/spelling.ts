import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lint } from 'cspell';

// Checks the spelling of all files. They repeat their words a hundred times: cspell gets each word once for each kind of file, which takes a third
// of the time, and a report names the place where it stands first.

const config = '.cspell.json';
const { ignorePaths }: { readonly ignorePaths: readonly string[] } = JSON.parse(readFileSync(config, 'utf8'));
const ignored = [...ignorePaths, ...readFileSync('.gitignore', 'utf8').trim().split('\n')];
const exclude = ignored.map((path) => (/\/./.test(path) ? path : `**/${path.replace('/', '')}`));
const files = globSync(['**/{,.}*', '.*/**/{,.}*'], { exclude }).filter((file) => statSync(file).isFile());

/** The words of a text without spaces. Part of what cspell passes over, such as addresses, codes and escapes, would be taken for a word: it gets these whole. */
const wordsOf = (text: string): readonly string[] =>
  /[\d\\@%&#]|:\/\/|[A-Za-z+/=_-]{24}/.test(text) ? [text] : text.split(/[^\p{L}\p{M}'’_-]+/u);

/** For each kind of file, the distinct words, with the place of each. */
const places = new Map<string, Map<string, string>>();
for (const file of files) {
  const kind = `words${extname(file)}`;
  const known = places.get(kind) ?? new Map<string, string>();
  places.set(kind, known);
  for (const [n, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const text of new Set(line.split(/\s+/).flatMap(wordsOf))) {
      if (!known.has(text)) known.set(text, `${file}:${n + 1}`);
    }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'spelling-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
for (const [kind, words] of places) writeFileSync(join(folder, kind), [...words.keys()].join('\n'));

const { issues, errors } = await lint(
  [`${folder}/*`],
  { config, root: folder },
  {
    issue: ({ uri = '', row, text }) => {
      const place = [...(places.get(basename(fileURLToPath(uri)))?.values() ?? [])][row - 1];
      process.stdout.write(`${place} - Unknown word (${text})\n`);
    },
  },
);
if (issues + errors > 0) process.exitCode = 1;
