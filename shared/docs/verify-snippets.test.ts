import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { testInOtherLanguages } from './snippet-languages-fixture.ts';
import { signatureVector, standardSnippets, verifyNotes, verifySnippets } from './verify-snippets.ts';

const { secret, timestamp, eventId, body, headers } = signatureVector;
const directory = mkdtempSync(join(tmpdir(), 'verify-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('the published snippets', () => {
  const fileOf = ({ file, code }: (typeof verifySnippets)[number]) => {
    const path = join(directory, file);
    writeFileSync(path, code);
    return path;
  };
  const signature = headers['X-Service-Signature'];
  const [t = '', v1 = ''] = signature.split(',');
  const cases = [
    { name: 'the vector', isGood: true, body, signature, now: timestamp },
    { name: 'two signatures', isGood: true, body, signature: `${t},v1=${'0'.repeat(64)},${v1}`, now: timestamp },
    {
      name: 'two wrong signatures',
      isGood: false,
      body,
      signature: `${t}${`,v1=${'0'.repeat(64)}`.repeat(2)}`,
      now: timestamp,
    },
    {
      name: 'three signatures',
      isGood: true,
      body,
      signature: `${t}${`,v1=${'0'.repeat(64)}`.repeat(2)},${v1}`,
      now: timestamp,
    },
    { name: 'a clock 300 s behind', isGood: true, body, signature, now: timestamp - 300 },
    { name: 'a clock 300 s ahead', isGood: true, body, signature, now: timestamp + 300 },
    { name: 'a clock 301 s behind', isGood: false, body, signature, now: timestamp - 301 },
    { name: 'a clock 301 s ahead', isGood: false, body, signature, now: timestamp + 301 },
    { name: 'another body', isGood: false, body: `${body} `, signature, now: timestamp },
    { name: 'another time', isGood: false, body, signature: `t=${timestamp + 1},${v1}`, now: timestamp },
    { name: 'another signature', isGood: false, body, signature: `${t},v1=${'0'.repeat(64)}`, now: timestamp },
    { name: 'half a signature', isGood: false, body, signature: signature.slice(0, -2), now: timestamp },
    { name: 'no signature', isGood: false, body, signature: '', now: timestamp },
    { name: 'a header that did not come', isGood: false, body, signature: null, now: timestamp },
  ];

  it.each(cases)('Node: $name', async (one) => {
    const [node] = verifySnippets;
    const { isFromService } = await import(/* @vite-ignore */ pathToFileURL(fileOf(node)).href);
    expect(isFromService(one.body, one.signature, secret, one.now)).toBe(one.isGood);
    expect(isFromService(Buffer.from(one.body), one.signature, secret, one.now)).toBe(one.isGood);
  });

  testInOtherLanguages(
    verifySnippets,
    cases.map((one) => ({ ...one, secret })),
    {
      Python: 'is_from_service(c["body"].encode(), c["signature"], c["secret"], c["now"])',
      Go: 'IsFromService([]byte(c.Body), c.Signature, c.Secret, time.Unix(c.Now, 0))',
      PHP: "is_from_service($c['body'], $c['signature'], $c['secret'], $c['now'])",
      Ruby: "from_service?(c['body'], c['signature'], c['secret'], c['now'])",
    },
  );
});

it('publishes the line that makes the secret of Standard Webhooks, with which its libraries verify', () => {
  const [, line = ''] = /const whsec = (.*);/.exec(standardSnippets[0].code) ?? [];
  const whsec: string = new Function('secret', `return ${line}`)(secret);
  // A library decodes what follows the prefix (Standard Webhooks, "Symmetric").
  const key = Buffer.from(whsec.slice('whsec_'.length), 'base64');
  const made = createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64');
  expect([whsec.slice(0, 6), `v1,${made}`]).toEqual(['whsec_', headers['webhook-signature']]);
});

it('gives the library for PHP the headers in lower case, and the one for Ruby those of the request', () => {
  const codeOf = (wanted: string): string => standardSnippets.find(({ language }) => language === wanted)?.code ?? '';
  expect(codeOf('PHP')).toContain('verify($rawBody, array_change_key_case(');
  expect(codeOf('Ruby')).toContain('verify(raw_body, request.headers)');
});

it('begins each file of Go with its package', () => {
  const files = [...verifySnippets, ...standardSnippets].filter(({ language }) => language === 'Go');
  expect(files).toHaveLength(2);
  for (const { code } of files) expect(code).toMatch(/^(\/\/.*\n)?package \w+\n\nimport /);
});

it('publishes notes that name every header that carries a signature', () => {
  for (const name of ['X-Service-Signature', 'X-Webhook-Signature', 'webhook-signature']) {
    expect(Object.keys(headers)).toContain(name);
    expect(verifyNotes).toContain(`\`${name}`);
  }
});
