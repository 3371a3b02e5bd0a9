import { describe, expect, it } from 'vitest';
import { openTerminal } from './terminal.ts';

const facts = {
  apiBaseUrl: 'http://localhost:3000/api/v1',
  checkoutBaseUrl: 'http://localhost:3000',
  adminBaseUrl: 'http://localhost:3000/admin/v1',
  dashboardLoginUrl: 'http://localhost:3000/dashboard/sign-in/abc',
  docsUrl: 'http://localhost:3000/docs',
  inboxUrl: 'http://localhost:8005',
  accountId: '01a1f95f-94e3-745c-9404-7ff971047f51',
  keys: { messaging: 'mk_1', checkoutSecretTest: 'sk_test_1' },
};

const request = {
  requestId: 'r1',
  functionName: 'messages-send-message',
  at: '2026-11-20T12:00:00.000Z',
  method: 'POST',
  path: '/api/v1/messages',
  status: 201,
  durationMs: 12,
  accountId: facts.accountId,
};

const printed = (
  options: { isTty?: boolean; isJson?: boolean; isQuiet?: boolean; noColor?: string },
  asked: Parameters<ReturnType<typeof openTerminal>['request']>[0] = request,
) => {
  let text = '';
  let nowMs = 0;
  const terminal = openTerminal({
    write: (more) => {
      text += more;
    },
    isTty: options.isTty ?? false,
    isJson: options.isJson ?? false,
    isQuiet: options.isQuiet ?? false,
    noColor: options.noColor,
    clock: () => {
      nowMs += 500;
      return nowMs;
    },
  });
  terminal.step('Starting the emulators');
  terminal.notice('Reloaded.');
  terminal.ready(facts, '.local');
  terminal.request(asked);
  return text;
};

describe('openTerminal', () => {
  it('prints plain lines without colours where the output is no terminal', () => {
    const text = printed({});
    expect(text).toMatch(/^Starting the emulators…\nReloaded\.\n/);
    expect(text).not.toContain('\u001b');
    expect(text).toContain('Dashboard  http://localhost:3000/dashboard/sign-in/abc');
    expect(text).toMatch(/ POST {4}201 {5}12 ms {2}\/api\/v1\/messages {2}…047f51\n$/);
  });

  it('completes a step in its own line on a terminal, in colour unless NO_COLOR is set', () => {
    expect(printed({ isTty: true })).toContain('\u001b[2K\u001b[32m✓\u001b[0m Starting the emulators');
    expect(printed({ isTty: true, noColor: '1' })).not.toContain('\u001b[32m');
  });

  it('prints one JSON object a line with --json, the content of the block among them', () => {
    const lines = printed({ isJson: true, isTty: true }).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { event: 'step', label: 'Starting the emulators' },
      { event: 'notice', text: 'Reloaded.' },
      { event: 'ready', ...facts },
      expect.objectContaining({ event: 'request', status: 201, accountId: facts.accountId }),
    ]);
  });

  it('names at the end of the line what a request ignored', () => {
    const asked = { ...request, ignored: ['scheduled_at', 'reply_to'] };
    expect(printed({}, asked)).toMatch(/ {2}…047f51 {2}ignored: scheduled_at, reply_to\n$/);
    expect(printed({ isTty: true }, asked)).toContain('ignored: scheduled_at, reply_to\u001b[0m');
    expect(JSON.parse(printed({ isJson: true }, asked).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      ignored: ['scheduled_at', 'reply_to'],
    });
  });

  it('says why a request was refused', () => {
    const refused = { ...request, status: 422, errorCode: 'suppressed' };
    expect(printed({}, refused)).toMatch(/ {2}…047f51 {2}suppressed\n$/);
    expect(JSON.parse(printed({ isJson: true }, refused).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      errorCode: 'suppressed',
    });
  });

  it('prints no requests with --quiet', () => {
    expect(printed({ isQuiet: true })).not.toContain('/api/v1/messages  ');
  });
});
