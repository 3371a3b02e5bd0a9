import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { openAwsService } from './aws-service.ts';
import { openQueue } from './queue.ts';

/** Takes everything, and keeps what it was sent: the emulator of SQS has no fair queues. */
const startTaker = async () => {
  const taken: unknown[] = [];
  const server = createServer(async (request, response) => {
    taken.push(await json(request));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { taken, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

it('jobs name their account to SQS, so that those of one do not hold up the others', async () => {
  const { taken, url } = await startTaker();
  const queue = openQueue<unknown>(openAwsService('sqs', localEndpoint(url)), `${url}/jobs`);
  await queue.send([{ account: 'a', message: 'm' }, { session: 's' }, 'text']);
  await queue.sendEach([{ job: { account: 'b' }, delaySeconds: 5 }]);
  expect(taken).toMatchObject([
    { Entries: [{ MessageGroupId: 'a' }, { DelaySeconds: 0 }, { DelaySeconds: 0 }] },
    { Entries: [{ MessageGroupId: 'b', DelaySeconds: 5 }] },
  ]);
  expect(JSON.stringify(taken).match(/MessageGroupId/g)).toHaveLength(2);
});

it('of what a queue does not take, it says whether a repetition may help', async () => {
  const answers = [
    { status: 200, body: { Failed: [{ Id: '', Code: 'InternalError', SenderFault: false }] } },
    { status: 200, body: { Failed: [{ Id: '', Code: 'InvalidMessageContents', SenderFault: true }] } },
    { status: 403, body: { __type: 'com.amazonaws.sqs#AccessDenied' } },
    { status: 400, body: { __type: 'com.amazonaws.sqs#QueueDoesNotExist' } },
  ];
  const server = createServer(async (request, response) => {
    const { Entries } = z.object({ Entries: z.array(z.object({ Id: z.string() })) }).parse(await json(request));
    const { status, body } = answers.shift() ?? expect.fail('another call');
    response.writeHead(status).end(JSON.stringify(body).replace('"Id":""', `"Id":"${Entries[0]?.Id}"`));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const queue = openQueue<object>(openAwsService('sqs', localEndpoint(url)), `${url}/jobs`);
  const entry = { job: {}, delaySeconds: 0 };
  for (const isPassing of [true, false, false, false])
    expect(await queue.sendEach([entry])).toEqual([{ entry, isPassing }]);
});
