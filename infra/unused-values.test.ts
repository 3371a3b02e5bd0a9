import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { bundleOptions } from './bundle.ts';
import { asFunctionsNeed } from './unused-values.ts';

const outdir = mkdtempSync(join(tmpdir(), 'unused-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const schemas = `import * as z from 'zod';

export const used = z.object({ name: z.string().max(3).describe('What it is called.') }).meta({
  description: 'Something with a name.',
});
const part = z.string().regex(/of the unused/);
export const unused = z.object({ part }).strict();

export const refuse = (name: string): never => {
  throw new Error(\`not \${name}\`);
};
`;

it('a constant that a function does not use is not made in its bundle, and no text about a schema is in it', async () => {
  writeFileSync(join(outdir, 'schemas.ts'), schemas);
  writeFileSync(
    join(outdir, 'entry.ts'),
    `import { used } from './schemas.ts';
    const { success } = used.safeParse({ name: 'four' });
    console.log(JSON.stringify([used.parse({ name: 'Ada' }), success]));`,
  );
  const entryPoints = { entry: join(outdir, 'entry.ts') };
  await build({ ...bundleOptions(outdir), entryPoints, nodePaths: [resolve('node_modules')] });
  const file = join(outdir, 'entry.js');
  const bundle = readFileSync(file, 'utf8');
  for (const text of ['of the unused', 'Something with', 'What it is']) expect(bundle).not.toContain(text);
  const said = JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
  expect(said).toEqual([{ name: 'Ada' }, false]);
});

it('where something fails is known to the column', () => {
  const [code = '', map = ''] = asFunctionsNeed('schemas.ts', schemas, true).split('//# sourceMappingURL=');
  const payload = JSON.parse(Buffer.from(map.slice(map.indexOf(',') + 1), 'base64').toString());
  const placeIn = (text: string) => {
    const before = text.slice(0, text.indexOf('new Error')).split('\n');
    return [before.length - 1, before.at(-1)?.length ?? 0] as const;
  };
  expect(placeIn(code)).not.toEqual(placeIn(schemas));
  const [originalLine, originalColumn] = placeIn(schemas);
  expect(new SourceMap(payload).findEntry(...placeIn(code))).toMatchObject({ originalLine, originalColumn });
});
