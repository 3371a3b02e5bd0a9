import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { detectExtension, detectMimeType } from 'nodemailer/lib/mime-funcs';
import { afterAll, expect, it } from 'vitest';
import { bundleOptions } from './bundle.ts';

const outdir = mkdtempSync(join(tmpdir(), 'late-'));
afterAll(() => rmSync(outdir, { recursive: true }));

it('tables are loaded by their first use, and say what they say in the package', async () => {
  const { entryPoints: _, ...options } = bundleOptions(outdir);
  const contents = `
    import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
    import { detectExtension, detectMimeType } from 'nodemailer/lib/mime-funcs';
    exports.phone = (text) => parsePhoneNumberFromString(text)?.country;
    exports.mime = (name) => [detectMimeType(name), detectExtension('image/png')];`;
  await build({ ...options, stdin: { contents, resolveDir: process.cwd(), sourcefile: 'entry.js' } });
  writeFileSync(
    join(outdir, 'run.cjs'),
    `const { phone, mime } = require('./stdin.js');
    const loaded = () => Object.keys(require.cache).length - 2;
    console.log(JSON.stringify([loaded(), phone('+8801712345678'), loaded(), mime('invoice.pdf'), loaded()]));`,
  );
  const said = JSON.parse(execFileSync(process.execPath, [join(outdir, 'run.cjs')], { encoding: 'utf8' }));
  const country = parsePhoneNumberFromString('+8801712345678')?.country;
  expect(said).toEqual([0, country, 1, [detectMimeType('invoice.pdf'), detectExtension('image/png')], 2]);
  expect(readdirSync(outdir)).toHaveLength(4);
});
