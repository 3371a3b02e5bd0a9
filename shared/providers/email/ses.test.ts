import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { localEndpoint } from '../../../infra/local/local-client.ts';
import { linesOf } from '../../../test/log-lines.ts';
import { withinTime } from '../../kit/time-limit.ts';
import type { Mail } from '../../messages/mail.ts';
import { sesProvider } from './ses.ts';
import { openSesCall } from './ses-call.ts';
import { refusals } from './ses-refusals.ts';

type Answer = (response: ServerResponse) => void;

const mail: Mail = {
  messageId: 'm',
  accountId: 'a',
  from: { address: 'hello@example.com', name: undefined },
  to: 'ada@example.com',
  replyTo: undefined,
  subject: 's',
  html: undefined,
  text: 't',
  attachments: [],
};

const accept: Answer = (response) =>
  response.end(
    '<SendRawEmailResponse><SendRawEmailResult><MessageId>1</MessageId></SendRawEmailResult></SendRawEmailResponse>',
  );
const refuse =
  (status: number, code: string, message = 'Why.'): Answer =>
  (response) =>
    response
      .writeHead(status)
      .end(
        `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
      );
const tooFast = refuse(400, 'Throttling', 'Maximum sending rate exceeded.');
const hangUp: Answer = (response) => response.socket?.destroy();
const silence: Answer = () => {};
/** Answers with this status, and a body shorter than its Content-Length. */
const breakOff =
  (status: number, then: (response: ServerResponse) => void): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': 1_000 });
    response.write('<SendRaw', () => then(response));
  };

let server: ReturnType<typeof createServer>;
let url: string;
let requests: number;
let connections: number;
/** The answers to the next requests; the last one repeats. */
let answers: Answer[];

beforeEach(async () => {
  requests = 0;
  connections = 0;
  server = createServer((request, response) => {
    requests += 1;
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    request.resume().on('end', () => answer?.(response));
  });
  server.on('connection', () => {
    connections += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(async () => {
  server.closeAllConnections();
  if (server.listening) await once(server.close(), 'close');
});

/** A port that takes connections and says nothing, so that none is ever secure. */
const silentPort = async (): Promise<number> => {
  const silent = createTcpServer();
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void silent.close());
  return (silent.address() as AddressInfo).port;
};

const send = (script: Answer | readonly Answer[], answerWithinMs = 5_000, rateWithinMs = 5_000) => {
  answers = [script].flat();
  return sesProvider(openSesCall(localEndpoint(url)), { answerWithinMs, rateWithinMs }).send(mail);
};

describe('a mail', () => {
  it('is accepted by one call, under the id that SES gives it', async () => {
    expect(await send(accept)).toEqual({ kind: 'accepted', reference: '1' });
    expect(requests).toBe(1);
  });

  it.each(['MessageRejected', 'MailFromDomainNotVerifiedException', 'InvalidParameterValue'])(
    'is refused with %s, and not retried',
    async (code) => {
      expect(await send(refuse(400, code))).toMatchObject({ kind: 'refused', code, reason: 'Why.' });
      expect(requests).toBe(1);
    },
  );

  it.each([
    [400, 'Throttling'],
    [500, 'InternalFailure'],
    [503, 'ServiceUnavailable'],
    [403, 'AccessDenied'],
  ])('that meets %i %s is tried three times and no more', async (status, code) => {
    expect(await send(refuse(status, code))).toMatchObject({ kind: 'unavailable', cause: expect.any(Error) });
    expect(requests).toBe(3);
  });

  it('is accepted when a retry succeeds', async () => {
    expect(await send([refuse(503, 'ServiceUnavailable'), refuse(400, 'Throttling'), accept])).toEqual({
      kind: 'accepted',
      reference: '1',
    });
    expect(requests).toBe(3);
  });

  it('waits while the sending rate is exceeded, however often it is', async () => {
    expect(await send([tooFast, tooFast, tooFast, tooFast, tooFast, accept])).toEqual({
      kind: 'accepted',
      reference: '1',
    });
    expect(requests).toBe(6);
  });

  it('asks for its turn more often than others if it is urgent', async () => {
    const turnsOf = async (isUrgent: boolean) => {
      let turns = 0;
      const exceeded = async () => {
        turns += 1;
        throw Object.assign(new Error('Maximum sending rate exceeded.'), { name: 'Throttling' });
      };
      await sesProvider(exceeded, { rateWithinMs: 600 }).send({ ...mail, isUrgent });
      return turns;
    };
    const [urgent, other] = await Promise.all([turnsOf(true), turnsOf(false)]);
    expect(urgent).toBeGreaterThan(other);
  });

  it('is unavailable, and says when to retry, when the sending rate is exceeded until the deadline', async () => {
    expect(await send(tooFast, 5_000, -1)).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 1 });
    expect(requests).toBe(1);
    const impatient = sesProvider(openSesCall(localEndpoint(url)));
    expect(await impatient.send(mail, -1)).toMatchObject({ kind: 'unavailable', isBusy: true });
    expect(requests).toBe(2);
  });

  it.each(['ConfigurationSetSendingPausedException', 'AccountSendingPausedException'])(
    'is unavailable for a minute, after one call, while the emails of the stage or of the account are paused: %s',
    async (code) => {
      expect(await send(refuse(400, code))).toMatchObject({ kind: 'unavailable', retryAfterSeconds: 60 });
      expect(requests).toBe(1);
    },
  );

  it('is unavailable for a minute, after one call, while AWS has suspended the account: the mail itself is not refused', async () => {
    const message = 'Sending paused for this account. For more information, please check the inbox.';
    expect(await send(refuse(400, 'MessageRejected', message))).toMatchObject({
      ...{ kind: 'unavailable', retryAfterSeconds: 60 },
    });
    expect(requests).toBe(1);
  });

  it('is unavailable without a call when the time of the request is over', async () => {
    expect(await withinTime(Date.now() - 1, () => send(accept))).toMatchObject({ kind: 'unavailable' });
    expect(requests).toBe(0);
    expect(await withinTime(Date.now() + 1_000, () => send(tooFast))).toMatchObject({ kind: 'unavailable' });
    expect(requests).toBeGreaterThan(0);
  });

  it('is unavailable when SES refuses connections', async () => {
    await once(server.close(), 'close');
    expect(await send(accept)).toMatchObject({ kind: 'unavailable', cause: expect.any(Error) });
    expect(requests).toBe(0);
  });

  it('is unavailable when no connection to SES comes about in time', async () => {
    const sendTo = (port: number | string) =>
      sesProvider(openSesCall(localEndpoint(`https://127.0.0.1:${port}`)), { answerWithinMs: 300 }).send(mail);
    expect(await sendTo(await silentPort())).toMatchObject({ kind: 'unavailable', cause: { name: 'TimeoutError' } });
    expect(await sendTo(new URL(url).port)).toMatchObject({ kind: 'unavailable' });
    expect(requests).toBe(0);
  });

  it('has an unknown outcome, and is never retried, when SES disconnects, does not answer, or stops within its answer', async () => {
    const failures = [hangUp, silence, breakOff(200, silence), breakOff(500, silence)];
    for (const answer of failures) expect(await send(answer, 1_000)).toMatchObject({ kind: 'unknown' });
    expect(requests).toBe(failures.length);
  });

  it.each([502, 504])('has an unknown outcome at %i: what is before SES gave up waiting for it', async (status) => {
    expect(await send(refuse(status, 'Gateway'))).toMatchObject({ kind: 'unknown' });
    expect(requests).toBe(1);
  });

  it('is given up at the deadline when SES does not answer a later attempt', async () => {
    expect(await send([refuse(503, 'ServiceUnavailable'), silence], 1_800)).toMatchObject({ kind: 'unknown' });
    expect(requests).toBe(2);
  });

  it('is accepted at status 200, even if the body is truncated or unreadable', async () => {
    const answersOfSuccess = [
      breakOff(200, (response) => response.destroy()),
      (response: ServerResponse) => response.end('<not xml'),
    ];
    for (const answer of answersOfSuccess) expect(await send(answer)).toEqual({ kind: 'accepted' });
    expect(requests).toBe(answersOfSuccess.length);
  });

  it('is retried when the body of a refusal is truncated', async () => {
    expect(await send([breakOff(500, (response) => response.destroy()), accept])).toEqual({
      kind: 'accepted',
      reference: '1',
    });
    expect(requests).toBe(2);
  });

  it('uses a new connection', async () => {
    answers = [accept];
    const provider = sesProvider(openSesCall(localEndpoint(url)));
    for (let n = 0; n < 3; n += 1) await provider.send(mail);
    expect([requests, connections]).toEqual([3, 3]);
  });
});

describe('a refusal that concerns the deployment', () => {
  const notVerified = (who: string) =>
    `Email address is not verified. The following identities failed the check in region US-EAST-1: ${who}`;

  it.each([
    ['access-denied', 403, 'AccessDenied', 'User is not authorized to perform ses:SendRawEmail.', 'unavailable'],
    ['access-denied', 403, 'AccessDeniedException', 'No.', 'unavailable'],
    ['no-configuration-set', 400, 'ConfigurationSetDoesNotExist', 'Configuration set does not exist.', 'unavailable'],
    ['sending-paused', 400, 'AccountSendingPausedException', 'Paused.', 'unavailable'],
    ['sending-suspended', 400, 'MessageRejected', 'Sending suspended for this account.', 'unavailable'],
    ['daily-quota', 400, 'Throttling', 'Daily message quota exceeded.', 'unavailable'],
    ['sandbox', 400, 'MessageRejected', notVerified('Ada@Example.com'), 'refused'],
    ['unverified-identity', 400, 'MessageRejected', notVerified('hello@example.com'), 'refused'],
    ['unverified-mail-from', 400, 'MailFromDomainNotVerifiedException', 'No MX record.', 'refused'],
  ])('is a line with its cure, for an alarm: %s by %i %s', async (refusal, status, code, message, outcome) => {
    const lines = await linesOf(() => send(refuse(status, code, message)));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'error',
        ...{ refusal, outcome, mailRefused: true, cure: expect.stringMatching(/\.$/) },
        ...{ error: expect.stringContaining(code), httpStatus: status, accountId: 'a', messageId: 'm' },
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/ada@example/i);
  });

  it('names the stage in each command of its cure, because without it commands act on the local stack', () => {
    const commands = Object.values(refusals).flatMap(({ cure }) => cure.match(/npm run .+/g) ?? []);
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).toContain('--stage');
  });

  it('is not one that a mail, the network or the sending rate caused: these are lines without an alarm', async () => {
    for (const answer of [refuse(400, 'MessageRejected', 'Virus found.'), refuse(500, 'InternalFailure'), hangUp]) {
      const [line, ...others] = await linesOf(() => send(answer, 300));
      expect(line).toMatchObject({ level: 'warn', error: expect.any(String), messageId: 'm' });
      expect([line?.['mailRefused'], others]).toEqual([undefined, []]);
    }
    const lines = await linesOf(() => send(tooFast, 5_000, -1));
    expect(lines).toMatchObject([{ level: 'warn', error: 'Throttling' }]);
    expect(await linesOf(() => send(accept))).toEqual([]);
  });
});
