import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { Unavailable } from '../kit/fault.ts';
import { openTable } from '../table/table.ts';
import { retried } from './aws-retry.ts';
import { openAwsService } from './aws-service.ts';
import { openDynamoDb } from './dynamodb.ts';
import { openQueue } from './queue.ts';
import { openLateQueue } from './schedule.ts';
import { openVault } from './vault.ts';

const failing = (failure: unknown) => {
  let calls = 0;
  const call = async () => {
    calls += 1;
    if (calls <= 3) throw failure;
    return calls;
  };
  return { call, calls: () => calls };
};

const answerOf = (name: string, status: number, more: object = {}) =>
  Object.assign(new Error('no'), { name, $metadata: { httpStatusCode: status }, ...more });

describe('a call with a transient failure', () => {
  it.each([
    answerOf('ThrottlingException', 400),
    answerOf('ProvisionedThroughputExceededException', 400),
    answerOf('RequestLimitExceeded', 400),
    answerOf('TransactionConflictException', 400),
    answerOf('TransactionInProgressException', 400),
    answerOf('InternalServerError', 500),
    answerOf('Unknown', 503),
    answerOf('SyntaxError', 200),
    answerOf('TransactionCanceledException', 400, {
      CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
    }),
    answerOf('TransactionCanceledException', 400, { CancellationReasons: [{ Code: 'ProvisionedThroughputExceeded' }] }),
    answerOf('TransactionCanceledException', 400, { CancellationReasons: [{ Code: 'TransactionConflict' }] }),
    Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }),
    Object.assign(new Error('no answer'), { name: 'TimeoutError' }),
  ])('is made again: %s', async (failure) => {
    const { call } = failing(failure);
    expect(await retried(call, { random: () => 0 })).toBe(4);
  });

  it('is unavailable when it still fails at the deadline', async () => {
    const { call, calls } = failing(answerOf('ThrottlingException', 400));
    await expect(retried(call, { beginWithinMs: -1 })).rejects.toBeInstanceOf(Unavailable);
    expect(calls()).toBe(1);
  });
});

it.each([
  answerOf('ValidationException', 400),
  answerOf('AccessDeniedException', 400),
  answerOf('ConditionalCheckFailedException', 400),
  answerOf('TransactionCanceledException', 400, { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }),
  new TypeError('a bug'),
  'a bug',
])('a failure that stays is not waited out: %s', async (failure) => {
  const { call, calls } = failing(failure);
  await expect(retried(call)).rejects.toBe(failure);
  expect(calls()).toBe(1);
});

describe('a service that accepts connections and never answers', () => {
  const silent = createServer();
  beforeAll(async () => {
    await once(silent.listen(0, '127.0.0.1'), 'listening');
  });
  afterAll(() => silent.close());
  const place = () => localEndpoint(`http://127.0.0.1:${(silent.address() as { port: number }).port}`);

  it('is unavailable: the table, the key service, a queue or the scheduler', async () => {
    const queue = openQueue(openAwsService('sqs', place()), `${place().url}/000000000000/jobs`);
    const late = openLateQueue({
      queue,
      queueArn: 'arn',
      roleArn: 'arn',
      groupName: 'own',
      scheduler: openAwsService('scheduler', place()),
    });
    const nowMs = Date.parse('2026-11-20T12:00:00Z');
    const calls = [
      openTable(openDynamoDb(place()), 'table').get({ PK: 'P', SK: 'S' }),
      openVault(openAwsService('kms', place()), { read: async () => [] }).unlock({ id: 'account', sealedKey: 'AAAA' }),
      queue.send([{}]),
      late.sendAt({}, { dueMs: nowMs + 3_600_000, nowMs, name: 'later' }),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes).toEqual(calls.map(() => ({ status: 'rejected', reason: expect.any(Unavailable) })));
  });
});
