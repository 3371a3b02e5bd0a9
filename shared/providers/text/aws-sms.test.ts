import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localEndpoint } from '../../../infra/local/local-client.ts';
import { openAwsService } from '../../aws/aws-service.ts';
import { awsSms } from './aws-sms.ts';

type Answer = (response: ServerResponse) => unknown;

const text = { messageId: 'm-1', accountId: 'a-1', to: '+8801700000000', text: 'Hi.', reportUrl: 'https://x.example/' };

const accept: Answer = (response) => response.end('{"MessageId":"aws-1"}');
const refuse =
  (status: number, code: string, more: object = {}): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.0' })
      .end(JSON.stringify({ __type: code, Message: 'Why.', ...more }));
const hangUp: Answer = (response) => response.socket?.destroy();
const silence: Answer = () => undefined;
const breakOff =
  (status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-length': 1_000 });
    response.write('{"Mess', () => response.destroy());
  };

let server: ReturnType<typeof createServer>;
let url: string;
let answer: Answer;
let connections: number;
let requests: { readonly target: string; readonly body: unknown }[];

beforeEach(async () => {
  requests = [];
  connections = 0;
  server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await readText(request));
    requests.push({ target: String(request.headers['x-amz-target']), body });
    answer(response);
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

const provider = (withinMs = 5_000) =>
  awsSms({
    service: openAwsService('sms-voice', localEndpoint(url), { isKept: false, withinMs }),
    sender: 'SHOP',
    configurationSetName: 'texts',
  });

const send = (script: Answer, answerWithinMs?: number) => {
  answer = script;
  return provider(answerWithinMs).send(text);
};

describe('a text', () => {
  it('is accepted, and carries its account and message ids', async () => {
    expect(await send(accept)).toEqual({ kind: 'accepted', reference: 'aws-1' });
    expect(requests).toEqual([
      {
        target: 'PinpointSMSVoiceV2.SendTextMessage',
        body: {
          DestinationPhoneNumber: text.to,
          OriginationIdentity: 'SHOP',
          MessageBody: text.text,
          MessageType: 'TRANSACTIONAL',
          ConfigurationSetName: 'texts',
          Context: { accountId: 'a-1', messageId: 'm-1' },
        },
      },
    ]);
  });

  it.each([
    [600_000, 595, 600],
    [1_000, 5, 5],
    [86_400_000 * 9, 259_200, 259_200],
  ])('is of use to its recipient for %i ms, and AWS gives it up then', async (leftMs, least, most) => {
    answer = accept;
    await provider().send({ ...text, expiresMs: Date.now() + leftMs });
    const isWithin = (seconds: number) => seconds >= least && seconds <= most;
    expect(requests[0]?.body).toMatchObject({ TimeToLive: expect.toSatisfy(isWithin) });
  });

  it.each([
    ['ConflictException', 'DESTINATION_PHONE_NUMBER_OPTED_OUT'],
    ['ValidationException', 'INVALID_PARAMETER'],
    ['AccessDeniedException', 'ACCOUNT_DISABLED'],
  ])('is refused with %s, by its reason', async (code, Reason) => {
    const refused = { kind: 'refused', code: Reason, reason: 'Why.' };
    expect(await send(refuse(400, code, { Reason }))).toMatchObject(refused);
    expect(requests).toHaveLength(1);
  });

  it('is refused with the error’s name when there is no reason', async () => {
    expect(await send(refuse(400, 'ResourceNotFoundException'))).toEqual({
      kind: 'refused',
      code: 'ResourceNotFoundException',
      reason: 'Why.',
      concernsSetup: true,
    });
  });

  it.each([
    ['AccessDeniedException', '', true],
    ['ServiceQuotaExceededException', '', true],
    ['ConflictException', 'DESTINATION_PHONE_NUMBER_OPTED_OUT', false],
    ['ConflictException', 'DESTINATION_PHONE_NUMBER_NOT_VERIFIED', true],
    ['ConflictException', 'RESOURCE_NOT_ACTIVE', true],
    ['ValidationException', 'SENDER_ID_NOT_REGISTERED', true],
    ['ThrottlingException', '', false],
  ])('that meets %s %s shows that every text would: %s', async (code, Reason, concernsSetup) => {
    const { concernsSetup: found = false } = { concernsSetup: false, ...(await send(refuse(400, code, { Reason }))) };
    expect(found).toBe(concernsSetup);
  });

  it.each([
    [400, 'ServiceQuotaExceededException'],
    [500, 'InternalServerException'],
    [503, 'ServiceUnavailableException'],
    [403, 'ExpiredTokenException'],
  ])('that meets %i %s is not taken, and not tried again here', async (status, code) => {
    expect(await send(refuse(status, code))).toMatchObject({ kind: 'unavailable' });
    expect(requests).toHaveLength(1);
  });

  it('waits while its sender is over its rate', async () => {
    expect(await send(refuse(400, 'ThrottlingException'))).toEqual({ kind: 'throttled' });
  });

  it('is not accepted when the body of a refusal is truncated', async () => {
    expect(await send(breakOff(500))).toEqual({ kind: 'unavailable' });
  });

  it('is not accepted when AWS refuses connections', async () => {
    await once(server.close(), 'close');
    expect(await send(accept)).toEqual({ kind: 'unavailable' });
  });

  it('has an unknown outcome when AWS disconnects or does not answer', async () => {
    expect(await send(hangUp)).toEqual({ kind: 'unknown' });
    expect(await send(silence, 300)).toEqual({ kind: 'unknown' });
    expect(requests).toHaveLength(2);
  });

  it('is accepted at status 200, even if the body is truncated or unreadable', async () => {
    expect(await send(breakOff(200))).toEqual({ kind: 'accepted', reference: undefined });
    expect(await send((response) => response.end('<not json'))).toEqual({ kind: 'accepted', reference: undefined });
  });

  it('uses a new connection', async () => {
    answer = accept;
    const texts = provider();
    for (let n = 0; n < 3; n += 1) await texts.send(text);
    expect([requests.length, connections]).toEqual([3, 3]);
  });
});
