import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleHost, exampleKeys, parseCall } from '../shared/docs/code/call.ts';
import { signatureVector } from '../shared/docs/verify-snippets.ts';
import { deliveryHeaders } from '../shared/webhooks/signature.ts';
import { inFull } from './model-runs.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// The examples that the README links to, run as a reader runs them.

const languages = [
  { name: 'Node', program: process.execPath, file: (name: string) => `node/${name}.mjs` },
  { name: 'Python', program: 'python3', file: (name: string) => `python/${name.replaceAll('-', '_')}.py` },
  { name: 'PHP', program: 'php', file: (name: string) => `php/${name}.php` },
];

let stack: SharedStack;
let environment: Readonly<Record<string, string>>;
beforeAll(async () => {
  stack = await shareTestStack();
  environment = {
    API_URL: stack.file.apiBaseUrl,
    API_KEY: stack.file.keys.messaging,
    CHECKOUT_URL: `${stack.file.checkoutBaseUrl}/v1`,
    CHECKOUT_KEY: stack.file.keys.checkoutSecretTest,
  };
});

const isPresent = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

describe.each(languages)('$name', ({ name, program, file }) => {
  const run = async (example: string, variables: Readonly<Record<string, string>>, input = '') => {
    const running = promisify(execFile)(program, [`test/examples/${file(example)}`], {
      env: { ...process.env, ...environment, ...variables },
    });
    running.child.stdin?.end(input);
    return JSON.parse((await running).stdout);
  };
  const test = it.runIf(isPresent(program));

  test('sends an email once, and reads it back', async () => {
    const variables = { ORDER: `order-${name}`, TO: `ada+${name.toLowerCase()}@example.com` };
    const first = await run('send-email', variables);
    expect(first).toMatchObject({ channel: 'email', to: variables.TO });
    expect((await run('send-email', variables)).id).toBe(first.id);
  });

  test('creates a checkout session once', async () => {
    const variables = { ORDER: `order-${name}` };
    const first = await run('create-checkout-session', variables);
    expect(first).toMatchObject({ status: 'OPEN', amountMinor: 600_000 });
    expect((await run('create-checkout-session', variables)).id).toBe(first.id);
  });

  test('says in one line what to set where its address or key is not', async () => {
    const messaging = 'Set API_URL and API_KEY: npm start prints them as Messaging and mk_ key.\n';
    const checkout = 'Set CHECKOUT_URL and CHECKOUT_KEY: npm start prints them as Checkout and sk_ key.\n';
    const [sending, creating] = ['send-email', 'create-checkout-session'];
    await expect(run(sending, { API_URL: '' })).rejects.toMatchObject({ code: 1, stderr: messaging });
    await expect(run(creating, { CHECKOUT_KEY: '' })).rejects.toMatchObject({ code: 1, stderr: checkout });
    if (!inFull) return;
    await expect(run(sending, { API_KEY: '' })).rejects.toMatchObject({ code: 1, stderr: messaging });
    await expect(run(creating, { CHECKOUT_URL: '' })).rejects.toMatchObject({ code: 1, stderr: checkout });
  });

  test('verifies a webhook during a rotation, and refuses a forged one', async () => {
    const { secret, body, event, eventId, timestamp, headers } = signatureVector;
    const variables = { WEBHOOK_SECRET: secret, SIGNATURE: headers['X-Service-Signature'], NOW: String(timestamp) };
    // The first signature is not the right one, as in a rotation.
    const rotated = { ...variables, SIGNATURE: variables.SIGNATURE.replace(',', `,v1=${'0'.repeat(64)},`) };
    expect(await run('verify-webhook', rotated, body)).toEqual({ id: eventId, event });
    const unkeyed = deliveryHeaders({ event, secrets: [''], body, sequence: 0 }, eventId, timestamp);
    for (const forged of [
      { NOW: String(timestamp + 301) },
      { WEBHOOK_SECRET: 'x' },
      { SIGNATURE: '' },
      { WEBHOOK_SECRET: '', SIGNATURE: unkeyed['X-Service-Signature'] ?? '' },
    ]) {
      await expect(run('verify-webhook', { ...variables, ...forged }, body)).rejects.toThrow('not genuine');
    }
  });
});

const guides = 'shared/docs/pages';
const guideCalls = readdirSync(guides).flatMap((file) =>
  [...readFileSync(`${guides}/${file}`, 'utf8').matchAll(/^```call\n(.*?)^```/gms)].map(([, text = '']) => ({
    guide: file,
    request: text.split('\n')[0] ?? '',
    call: parseCall(text),
  })),
);

it.each(guideCalls)(
  'the request $request of $guide is right: a running stack misses nothing but its ids',
  async (one) => {
    const { file } = stack;
    const keys = new Map<string, string>([
      [exampleKeys['/api/v1'], file.keys.messaging],
      [exampleKeys['/v1'], file.keys.checkoutSecretTest],
      // Nothing is live on a stack that is new.
      ['sk_live_your_key', file.keys.checkoutSecretTest],
      [exampleKeys['/admin/v1'], file.adminToken],
    ]);
    const real = (text: string): string =>
      [...keys].reduce((filled, [example, key]) => filled.replace(example, key), text);
    const { method, url, headers, body } = one.call;
    const response = await fetch(url.replace(exampleHost, file.checkoutBaseUrl), {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, real(value)])),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const hasIds = /019a9c/.test(url + JSON.stringify(body));
    expect(response.status, await response.text()).toSatisfy((status: number) =>
      hasIds ? status === 404 : status < 300,
    );
  },
);

it('the quick start’s example of the typed client sends an email and finds it in the list', async () => {
  const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(`${guides}/quick-start.md`, 'utf8')) ?? [];
  const { apiBaseUrl, keys } = stack.file;
  const program = code.replace(`${exampleHost}/api/v1`, apiBaseUrl).replace(exampleKeys['/api/v1'], keys.messaging);
  const running = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  const [sent, ...listed] = (await running).stdout.trim().split('\n');
  expect(listed.map((line) => line.split(' ')[0])).toContain(sent);
});

it('the guide’s example of the typed client verifies a delivery that is signed now, and throws at a forged one', async () => {
  const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(readFileSync(`${guides}/receiving.md`, 'utf8')) ?? [];
  const { secret, body, event, eventId } = signatureVector;
  const headers = deliveryHeaders(
    { event, secrets: [secret], body, sequence: 42 },
    eventId,
    Math.floor(Date.now() / 1_000),
  );
  const verified = (given: string) => {
    const request = `new Request('http://localhost', ${JSON.stringify({ method: 'POST', headers, body })})`;
    const program = `const [request, secret] = [${request}, '${given}'];\n${code}\nconsole.log(event.event);`;
    return promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', program]);
  };
  expect((await verified(secret)).stdout.trim()).toBe(event);
  await expect(verified('x'.repeat(48))).rejects.toThrow('SignatureError');
});

it('the typed client sends, reads and pages on a running stack', async () => {
  const { client } = stack;
  const body = { channel: 'email', to: 'grace@example.com', subject: 'Hello', text: 'It works.' } as const;
  const sent = [];
  for (let n = 0; n < 3; n += 1) sent.push((await client.call('POST /messages', { body })).data.id);
  const listed = await Array.fromAsync(client.all('GET /messages', { query: { limit: 1 } }), ({ id }) => id);
  expect(listed).toEqual(expect.arrayContaining(sent));
  await expect(client.call('GET /messages/{id}', { path: { id: 'x' } })).rejects.toMatchObject({
    status: 404,
    code: 'message_not_found',
    requestId: expect.any(String),
  });
});
