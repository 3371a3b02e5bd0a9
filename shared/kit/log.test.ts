import { expect, it } from 'vitest';
import { linesOf } from '../../test/log-lines.ts';
import { Fault, Unavailable } from './fault.ts';
import { InternalError } from './internal-error.ts';
import { alsoAbout, causeOf, log, logAbout } from './log.ts';

it('the log names the causes of an error with their codes and frames, without messages', async () => {
  const thrown: unknown = await fetch('http://127.0.0.1:1/secret').catch((error: unknown) => error);
  const cause = causeOf(thrown);
  expect(cause).toMatchObject({ error: 'TypeError', cause: { error: expect.any(String), stack: expect.any(String) } });
  expect(JSON.stringify(cause)).not.toMatch(/fetch failed|secret/);
});

it('the log names the errors of an AggregateError, and a code that is a plain code', () => {
  const refused = Object.assign(new Error('to ada@example.com'), { code: 'ECONNREFUSED' });
  const odd = Object.assign(new Error('x'), { code: 'to ada@example.com' });
  const cause = causeOf(new AggregateError([refused, odd, 'text'], 'all failed'));
  expect(cause.errors).toMatchObject([
    { error: 'Error', code: 'ECONNREFUSED' },
    { error: 'Error' },
    { error: 'string' },
  ]);
  expect(JSON.stringify(cause)).not.toMatch(/ada@|all failed/);
});

it('the log has each cause of an error once, for any number of causes, and ends at a cycle', () => {
  const last: Error & { cause?: unknown } = new Error('last');
  const chain = [1, 2, 3, 4, 5, 6].reduce((cause, n) => new Error(String(n), { cause }), last);
  last.cause = chain;
  expect(JSON.stringify(causeOf(chain)).match(/"error"/g)).toHaveLength(7);
});

it('the log shows the message and details of an InternalError, also when it is a cause', () => {
  const ours = new InternalError('the queue refused jobs', { jobs: 3, code: 'InternalFailure', isFifo: false });
  const cause = causeOf(new TypeError('to ada@example.com', { cause: ours }));
  expect(cause).toMatchObject({
    error: 'TypeError',
    cause: {
      error: 'InternalError',
      reason: 'the queue refused jobs',
      details: { jobs: 3, code: 'InternalFailure', isFifo: false },
      stack: expect.stringMatching(/^ +at .*log\.test\.ts\S*:\d+:\d+\)?$/m),
    },
  });
  expect(JSON.stringify(cause)).not.toMatch(/ada@/);
});

it('the log shows the message of Unavailable, and its cause', () => {
  const busy = Object.assign(new Error('+8801711111111 is busy'), { name: 'ThrottlingException' });
  const cause = causeOf(new Unavailable('an AWS service is unavailable', { cause: busy }));
  expect(cause).toMatchObject({
    error: 'Unavailable',
    reason: 'an AWS service is unavailable',
    cause: { error: 'ThrottlingException' },
  });
});

const personal = ['ada@example.com', '+8801711111111', 'Ada Lovelace', 'a text\n    at home (/secret/ada.ts:1:1)\n'];

it.each(personal)('the log never shows %j, in any field of a foreign error', (text) => {
  const parsed = () => JSON.parse(text);
  const thrown = [
    new Error(text),
    Object.assign(new Error('x'), { name: text, code: text, detail: text }),
    new Error('x', { cause: new RangeError(text, { cause: text }) }),
    new AggregateError([new Error(text), text, { text }], text),
    new Fault('invalid_request', text),
    new InternalError('a literal', { said: text }),
    text,
    { text },
  ];
  expect(parsed).toThrow(SyntaxError);
  const lines = JSON.stringify(thrown.map((each) => causeOf(each)));
  for (const part of text.trim().split('\n')) expect(lines).not.toContain(part.trim());
});

it('only a constant text can be the message of an InternalError', () => {
  const who = String(process.env['USER']);
  // @ts-expect-error A composed text may contain personal data.
  expect(new InternalError(`no account of ${who}`)).toBeInstanceOf(Error);
  // @ts-expect-error A variable may, too.
  expect(new Unavailable(who)).toBeInstanceOf(Error);
  // @ts-expect-error An object in the details may, too.
  expect(new InternalError('a literal', { account: { who } })).toBeInstanceOf(Error);
});

it('the log names what AWS answered: status, request id and the refused parts of a transaction', () => {
  const refused = Object.assign(new Error('to ada@example.com'), {
    name: 'TransactionCanceledException',
    $metadata: { httpStatusCode: 400, requestId: 'R1' },
    CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict', Message: 'ada@example.com' }],
  });
  const cause = causeOf(new InternalError('the email provider is unavailable', {}, { cause: refused }));
  expect(cause.cause).toMatchObject({ httpStatus: 400, awsRequestId: 'R1', refusals: ['TransactionConflict'] });
  expect(JSON.stringify(cause)).not.toMatch(/ada@/);
});

it('every line of a request or job names what it is about, and no line of another one does', async () => {
  const request = (requestId: string) =>
    logAbout({ requestId }, async () => {
      await Promise.resolve();
      alsoAbout({ accountId: `of ${requestId}` });
      await logAbout({ messageId: `in ${requestId}` }, async () => log('info', 'inner'));
      log('info', 'outer', { status: 200 });
    });
  const lines = await linesOf(() => Promise.all([request('one'), request('two')]));
  const of = (requestId: string) =>
    lines.filter((line) => line['requestId'] === requestId).map(({ level: _, timestamp: __, ...line }) => line);
  for (const requestId of ['one', 'two'])
    expect(of(requestId)).toEqual([
      { message: 'inner', requestId, accountId: `of ${requestId}`, messageId: `in ${requestId}` },
      { message: 'outer', requestId, accountId: `of ${requestId}`, status: 200 },
    ]);
  expect(lines).toHaveLength(4);
  expect(await linesOf(async () => log('info', 'outside'))).not.toMatchObject([{ requestId: expect.anything() }]);
});
