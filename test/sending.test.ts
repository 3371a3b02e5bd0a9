import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { soon } from './soon.ts';
import { runProgram } from './stack-process.ts';
import { startTestStack, type TestStack } from './test-stack.ts';

// `npm run sending` acts on a whole stack, so this one is for no other file.

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack();
});
afterAll(async () => {
  await stack.stop();
  stack.forget();
});

const sending = (...args: readonly string[]) => {
  const command = ['--disable-warning=ExperimentalWarning', 'infra/sending/main.ts', ...args];
  return runProgram([...command, '--data-dir', stack.dataDirectory]);
};
const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };
const credits = async () =>
  (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email as number;
const statusOf = async (id: string) => (await stack.api('GET', `/messages/${id}`)).body.data.status as string;
const ways = ['emails', 'texts', 'scheduled messages'];
const linesOf = (standing: string) => ways.map((of) => `${of} ${standing}\n`).join('');

describe('npm run sending', () => {
  it('pauses: emails are refused with Retry-After and keep their credits, texts wait; after the resume all are sent', async () => {
    expect(await sending('state')).toMatchObject({ status: 0, stdout: linesOf('are sent') });
    expect((await sending('pause', '--dry-run')).stdout).toBe(linesOf('are sent; they would be paused'));
    expect((await stack.api('POST', '/messages', mail)).status).toBe(201);

    const [before, rows] = [await credits(), (await stack.api('GET', '/messages')).body.pagination];
    expect(await sending('pause')).toMatchObject({ status: 0, stdout: linesOf('are paused now') });
    expect((await sending('pause')).stdout).toBe(linesOf('are paused'));
    const refused = await stack.api('POST', '/messages', mail);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect(await credits()).toBe(before);
    expect((await stack.api('GET', '/messages')).body.pagination).toEqual(rows);
    const contacts = (await stack.api('GET', '/contacts')).body.data as { phone: string | null }[];
    const to = contacts.find(({ phone }) => phone !== null)?.phone;
    const text = await stack.api('POST', '/messages', { channel: 'sms', to, text: 'It works.' });
    expect(text.status).toBe(201);

    expect((await sending('state')).stdout).toBe(linesOf('are paused'));
    expect(await statusOf(text.body.data.id)).toBe('queued');
    expect(await sending('resume')).toMatchObject({ status: 0, stdout: linesOf('are sent now') });
    await vi.waitFor(async () => expect(await statusOf(text.body.data.id)).toBe('delivered'), soon);
    expect((await stack.api('POST', '/messages', mail)).status).toBe(201);
  });

  it('refuses what it does not know, in one line', async () => {
    expect(await sending('stop')).toMatchObject({
      status: 1,
      stderr: 'Unknown action: stop. --help shows what can be done.\n',
    });
    expect((await sending('--help')).stdout).toContain('npm run sending -- <what> [--stage prod]');
  });
});
