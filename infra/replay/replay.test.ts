import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBStreamEvent, SNSEvent, SQSEvent } from 'aws-lambda';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { TableSpec } from '../local/blueprint.ts';
import { openCheckpoints } from '../local/checkpoints.ts';
import { commandOf } from '../local/command.ts';
import { startDynamodb } from '../local/emulators/dynamodb.ts';
import { AwsError, serveJson } from '../local/emulators/json-service.ts';
import { startLambda } from '../local/emulators/lambda.ts';
import { serveLocally } from '../local/emulators/local-server.ts';
import { startS3 } from '../local/emulators/s3.ts';
import { startSqs } from '../local/emulators/sqs.ts';
import { closedAfterTest, eventually, temporaryDirectory } from '../local/emulators-fixture.ts';
import type { Invocation } from '../local/function-instance.ts';
import { localClient } from '../local/local-client.ts';
import { openMappingSwitches } from '../local/mapping-switches.ts';
import { runQueueMapping } from '../local/queue-mapping.ts';
import { runStreamMapping } from '../local/stream-mapping.ts';
import { replayCommand } from './replay.ts';

const arnOf = (name: string) => `arn:aws:sqs:us-east-1:000000000000:${name}`;
const source = 'local-data-accounttraffic0A1B2C3D';
const parked = 'local-data-parkedjobs0A1B2C3D';
const other = 'local-data-chores0A1B2C3D';
const bucket = 'local-data-failedbatches0a1b2c3d';
const redrive = JSON.stringify({ deadLetterTargetArn: arnOf(parked), maxReceiveCount: 1 });
const queues = [
  { name: parked, arn: arnOf(parked), attributes: {} },
  { name: source, arn: arnOf(source), attributes: { VisibilityTimeout: '1', RedrivePolicy: redrive } },
  { name: other, arn: arnOf(other), attributes: { VisibilityTimeout: '0', RedrivePolicy: redrive } },
];
/** What EventBridge says of a stored object. */
const noticeOf = (key: string): string => JSON.stringify({ source: 'aws.s3', detail: { object: { key } } });
const things: TableSpec = {
  name: 'things',
  arn: 'arn:aws:dynamodb:us-east-1:000000000000:table/things',
  attributes: [{ name: 'id', type: 'S' }],
  key: { partition: 'id' },
  indexes: [],
  streamView: 'NEW_AND_OLD_IMAGES',
};

/** A stack of one function that fails on poison until the cause is fixed, and records its completed work. */
const startStack = async () => {
  const dataDirectory = await temporaryDirectory();
  const done: string[] = [];
  let isMended = false;
  const work = (...names: string[]): Invocation => {
    if (!isMended && names.includes('poison'))
      return { ok: false, errorType: 'Error', errorMessage: 'no', reason: 'error' };
    done.push(...names);
    return { ok: true, payload: null };
  };
  const called: string[] = [];
  const events: unknown[] = [];
  const meanwhile = { onInvoke: async (): Promise<unknown> => undefined };
  const invoke = async (name: string, event: unknown): Promise<Invocation> => {
    await meanwhile.onInvoke();
    called.push(name);
    events.push(event);
    const { Records } = event as DynamoDBStreamEvent | SQSEvent | SNSEvent;
    return work(
      ...Records.map((record) => {
        if ('Sns' in record) return isMended ? record.Sns.Message : 'poison';
        return 'body' in record ? record.body : (record.dynamodb?.Keys?.['id']?.S ?? '');
      }),
    );
  };
  const sqs = closedAfterTest(await startSqs({ dataDirectory, queues }));
  const s3 = closedAfterTest(await startS3({ dataDirectory, buckets: [{ name: bucket, expirations: [] }] }));
  const lambda = closedAfterTest(await startLambda({ functions: [], mappings: openMappingSwitches(), invoke }));
  const aws = { sqs: sqs.url, s3: s3.url, lambda: lambda.url };
  writeFileSync(join(dataDirectory, 'stack.json'), JSON.stringify({ pid: process.pid, aws }));
  const client = new SQSClient(localClient(sqs.url));
  const s3Client = new S3Client({ ...localClient(s3.url), forcePathStyle: true });
  return {
    dataDirectory,
    sqs,
    s3,
    invoke,
    done,
    called,
    events,
    mend: () => {
      isMended = true;
    },
    send: (name: string, MessageBody: string) =>
      client.send(new SendMessageCommand({ QueueUrl: sqs.queueUrl(name), MessageBody })),
    count: async (name: string) => {
      const kinds = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const asked = new GetQueueAttributesCommand({ QueueUrl: sqs.queueUrl(name), AttributeNames: [...kinds] });
      const { Attributes } = await client.send(asked);
      return kinds.reduce((sum, kind) => sum + Number(Attributes?.[kind]), 0);
    },
    meanwhile,
    keep: (Key: string, Body: string) => s3Client.send(new PutObjectCommand({ Bucket: bucket, Key, Body })),
    remove: (Key: string) => s3Client.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
    keys: async () => {
      const { Contents = [] } = await s3Client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.map(({ Key = '' }) => Key);
    },
    receive: (name: string) => client.send(new ReceiveMessageCommand({ QueueUrl: sqs.queueUrl(name) })),
    replay: (...args: readonly string[]) => replay(...args, '--data-dir', dataDirectory),
  };
};

const idOf = (name: string): string => `${name.replaceAll('-', '')}0A1B2C3D`;

/** A stage on AWS, with a queue and a bucket before its own by name that belong to none of its stacks. */
const startDeployed = async () => {
  const named = (id: string, end: string) => `prod-data-${idOf(id)}-${end}`;
  const [jobs, left, own] = [named('account-traffic', 'A'), named('parked-jobs', 'A'), named('parked-jobs', 'B')];
  const [leftBucket, ourBucket] = [
    named('failed-batches', 'a').toLowerCase(),
    named('failed-batches', 'b').toLowerCase(),
  ];
  const dataDirectory = await temporaryDirectory();
  const attributes = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(own), maxReceiveCount: 1 }) };
  const described = [left, own, jobs].map((name) => ({
    name,
    arn: arnOf(name),
    attributes: name === jobs ? attributes : {},
  }));
  const sqs = closedAfterTest(await startSqs({ dataDirectory, queues: described }));
  const buckets = [leftBucket, ourBucket].map((name) => ({ name, expirations: [] }));
  const s3 = closedAfterTest(await startS3({ dataDirectory, buckets }));
  const member = (type: string, id: string, name: string) =>
    `<member><ResourceType>AWS::${type}</ResourceType><LogicalResourceId>${idOf(id)}</LogicalResourceId><PhysicalResourceId>${name}</PhysicalResourceId></member>`;
  const body = [
    member('SQS::Queue', 'account-traffic-dead-letters', sqs.queueUrl(left)),
    member('SQS::Queue', 'account-traffic', sqs.queueUrl(jobs)),
    member('SQS::Queue', 'parked-jobs', sqs.queueUrl(own)),
    member('S3::Bucket', 'failed-batches', ourBucket),
  ].join('');
  const { port } = closedAfterTest(await serveLocally({ 'POST /': () => ({ status: 200, body }) }, 0));
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_ENDPOINT_URL_SQS: sqs.url,
    AWS_ENDPOINT_URL_S3: s3.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const clients = {
    sqs: new SQSClient(localClient(sqs.url)),
    s3: new S3Client({ ...localClient(s3.url), forcePathStyle: true }),
  };
  return { clients, queueUrl: sqs.queueUrl(jobs), ourBucket };
};

const replay = async (...args: readonly string[]) => {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await commandOf(replayCommand)(args, {
    line: (text) => out.push(text),
    error: (text) => errors.push(text),
  });
  return { code, out: out.join('\n'), errors: errors.join('\n') };
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('npm run replay', () => {
  it('returns a poisoned job to its queue, and no job of another, and it is done once when its cause is fixed', async () => {
    const stack = await startStack();
    const spec = { id: 'mapping', functionName: 'messages-record-traffic', queueArn: arnOf(source), batchSize: 1 };
    const options = { batchWindowSeconds: 0, reportBatchItemFailures: false };
    const deps = { sqsUrl: stack.sqs.url, queueUrl: stack.sqs.queueUrl(source), invoke: stack.invoke };
    closedAfterTest(runQueueMapping({ ...spec, ...options }, deps));
    await stack.send(other, 'of another queue');
    await stack.receive(other);
    await stack.receive(other);
    await stack.send(source, 'poison');
    await eventually(async () => expect(await stack.count(parked)).toBe(2));
    expect(await stack.replay('account-traffic', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^account-traffic: 1 parked. Messages of campaigns/),
    });
    const facts = JSON.parse((await stack.replay('account-traffic', '--dry-run', '--json')).out);
    expect(facts).toMatchObject({ queue: 'account-traffic', count: 1 });
    expect([await stack.count(parked), stack.done]).toEqual([2, []]);
    expect((await stack.replay()).out).toMatch(
      /chores: 1 parked. [\s\S]*account-traffic: 1 parked. [\s\S]*message-events: 0 parked\n/,
    );

    stack.mend();
    const answer = await stack.replay('account-traffic');
    expect(answer).toEqual({ code: 0, out: 'account-traffic: 1 put back, 0 still parked', errors: '' });
    await eventually(() => expect(stack.done).toEqual(['poison']));
    expect(await stack.replay('account-traffic')).toMatchObject({ out: 'account-traffic: 0 put back, 0 still parked' });
    expect([await stack.count(parked), stack.done]).toEqual([1, ['poison']]);
  });

  it('calls a function with a whole stream batch again, even when the stream has trimmed it', async () => {
    const stack = await startStack();
    const { dataDirectory } = stack;
    const dynamodb = closedAfterTest(await startDynamodb({ dataDirectory, tables: [things] }));
    const table = new DynamoDBClient(localClient(dynamodb.url));
    const put = (id: string) => table.send(new PutItemCommand({ TableName: 'things', Item: { id: { S: id } } }));
    for (const id of ['before', 'poison', 'after']) await put(id);
    const spec = {
      id: 'mapping',
      functionName: 'messages-count-messages',
      tableName: 'things',
      batchSize: 100,
      batchWindowSeconds: 0,
      reportBatchItemFailures: false,
      startingPosition: 'TRIM_HORIZON',
      bisectOnError: false,
      maximumRetryAttempts: 1,
      maximumRecordAgeSeconds: -1,
      filters: [],
      onFailureBucket: bucket,
    } as const;
    const checkpoints = closedAfterTest(openCheckpoints(dataDirectory));
    const deps = { dynamodbUrl: dynamodb.url, s3Url: stack.s3.url, invoke: stack.invoke, checkpoints };
    const mapping = runStreamMapping(spec, deps);
    // A look at what is parked is a process of its own, so wait for the last try first.
    await eventually(() => expect(stack.called).toHaveLength(2));
    await eventually(async () =>
      expect(await stack.replay('messages-count-messages', '--dry-run')).toMatchObject({
        out: expect.stringMatching(/^messages-count-messages: 1 parked. Analytics/),
      }),
    );
    await mapping.close();

    const [key = ''] = await stack.keys();
    await stack.send(parked, noticeOf(key));
    await stack.send(parked, noticeOf('of another batch'));
    const unmended = await stack.replay('messages-count-messages');
    expect(unmended).toMatchObject({ code: 1, out: 'messages-count-messages: 0 put back, 1 still parked' });
    expect(unmended.errors).toContain('"errorMessage":"no"');
    expect(await stack.replay('outbox-route-changes', '--dry-run')).toMatchObject({
      out: 'outbox-route-changes: 0 parked',
    });
    expect(await stack.count(parked)).toBe(1);
    stack.mend();
    expect(await stack.replay('messages-count-messages')).toMatchObject({
      out: 'messages-count-messages: 1 put back, 0 still parked',
    });
    expect(await stack.count(parked)).toBe(0);
    expect(stack.done).toEqual(['before', 'poison', 'after']);
    expect(new Set(stack.called)).toEqual(new Set(['messages-count-messages']));
    expect(await stack.replay('messages-count-messages')).toMatchObject({
      out: 'messages-count-messages: 0 put back, 0 still parked',
    });
  });

  /** What Lambda keeps of a batch that a function failed on. */
  const batchOf = (id: string): string => {
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:messages-count-messages';
    return JSON.stringify({ requestContext: { functionArn }, payload: { Records: [{ body: id }] } });
  };

  it('replays the batches behind one that cannot be read, which stays, and says so without its content', async () => {
    const stack = await startStack();
    stack.mend();
    for (const [key, body] of [
      ['a', 'of Lovelace'],
      ['b', '{"name":"Lovelace"}'],
      ['c', batchOf('c')],
    ] as const)
      await stack.keep(key, body);
    expect(await stack.replay('messages-count-messages', '--dry-run')).toMatchObject({
      code: 0,
      out: expect.stringContaining('messages-count-messages: 3 parked'),
    });
    expect(await stack.replay('messages-count-messages')).toEqual({
      code: 1,
      out: 'messages-count-messages: 1 put back, 2 still parked',
      errors: 'a is not a failed batch; it stays parked\nb is not a failed batch; it stays parked',
    });
    expect([stack.done, await stack.keys()]).toEqual([['c'], ['a', 'b']]);
    // A reader does not park what is kept here already.
    expect(stack.events).toMatchObject([{ isRepeated: true }]);
  });

  it('goes on where another replay has deleted a batch that was listed', async () => {
    const stack = await startStack();
    stack.mend();
    for (const key of ['a', 'b', 'c']) await stack.keep(key, batchOf(key));
    stack.meanwhile.onInvoke = () => stack.remove('b');
    expect(await stack.replay('messages-count-messages')).toMatchObject({
      code: 0,
      out: 'messages-count-messages: 2 put back, 0 still parked',
    });
    expect([stack.done, await stack.keys()]).toEqual([['a', 'c'], []]);
  });

  it('calls a function again with the topic message that it failed on, and leaves messages that are not failed calls', async () => {
    const stack = await startStack();
    stack.mend();
    const failure = {
      requestContext: {
        functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:callbacks-receive-sms-event:$LATEST',
      },
      requestPayload: { Records: [{ body: 'news' }] },
    };
    await stack.send(parked, JSON.stringify(failure));
    await stack.send(parked, 'no call');
    const { code, out, errors } = await stack.replay('callbacks-receive-sms-event');
    expect([code, out]).toEqual([1, 'callbacks-receive-sms-event: 1 put back, 1 still parked']);
    expect(errors).toContain('is not a failed function invocation');
    expect([stack.called, stack.done]).toEqual([['callbacks-receive-sms-event'], ['news']]);
  });

  it('calls the reader of the stream again with a change that it has parked', async () => {
    const stack = await startStack();
    const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:outbox-route-changes';
    const requestPayload = { Records: [{ dynamodb: { Keys: { id: { S: 'poison' } } } }], isRepeated: true };
    await stack.send(parked, JSON.stringify({ requestContext: { functionArn }, requestPayload }));
    await stack.send(parked, 'no call');
    const name = 'outbox-route-changes';
    expect(await stack.replay(name, '--dry-run')).toMatchObject({ out: expect.stringContaining(`${name}: 1 parked`) });
    expect(await stack.replay(name)).toMatchObject({ code: 1, out: `${name}: 0 put back, 1 still parked` });
    stack.mend();
    expect(await stack.replay(name)).toMatchObject({ code: 0, out: `${name}: 1 put back, 0 still parked` });
    expect([stack.events.at(-1), await stack.count(parked)]).toEqual([requestPayload, 1]);
  });

  it('calls the function of a topic with a notification that SNS could not bring to it', async () => {
    const stack = await startStack();
    const notification = {
      Type: 'Notification',
      MessageId: 'a',
      TopicArn: 'arn:aws:sns:us-east-1:000000000000:local-data-smsevents0A1B2C3D',
      Message: 'news',
      Timestamp: '2026-11-20T12:00:00.000Z',
      SignatureVersion: '2',
      Signature: 'signed',
    };
    const [SigningCertURL, UnsubscribeURL] = ['https://sns.example/certificate', 'https://sns.example/unsubscribe'];
    await stack.send(parked, JSON.stringify({ ...notification, SigningCertURL, UnsubscribeURL }));
    expect(await stack.replay('callbacks-receive-ses-notification')).toMatchObject({
      out: expect.stringMatching(/: 0 put back, 0 still/),
    });
    expect((await stack.replay('callbacks-receive-sms-event')).out).toMatch(/: 0 put back, 1 still/);
    stack.mend();
    expect((await stack.replay('callbacks-receive-sms-event')).out).toMatch(/: 1 put back, 0 still/);
    const Sns = { ...notification, SigningCertUrl: SigningCertURL, UnsubscribeUrl: UnsubscribeURL };
    expect(stack.events.at(-1)).toMatchObject({ Records: [{ EventSource: 'aws:sns', Sns }] });
    expect(await stack.count(parked)).toBe(0);
  });

  it('says that a run which was killed has hidden parked work', async () => {
    const stack = await startStack();
    await stack.send(parked, 'no call');
    expect((await stack.replay('account-traffic')).errors).toBe('');
    // As a run that ends here would leave it.
    await stack.receive(parked);
    for (const args of [[], ['account-traffic', '--dry-run'], ['account-traffic']])
      expect((await stack.replay(...args)).errors).toBe(
        'Of all parked work, 1 cannot be seen now: another replay is at work, or one was killed. Run this again in 5 minutes.',
      );
  });

  it('goes on behind messages of other queues that come back while it takes minutes, and each job is again one of its account', async () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const bodyOf = (account: string): string => JSON.stringify({ account });
    const parkedFrom = (queue: string, account: string) => ({
      MessageId: account,
      ReceiptHandle: account,
      Body: bodyOf(account),
      MD5OfBody: md5(bodyOf(account)),
      Attributes: { DeadLetterQueueSourceArn: arnOf(queue) },
    });
    const [first, foreign, last] = [parkedFrom(source, 'a'), parkedFrom(other, 'b'), parkedFrom(source, 'c')];
    const received = [[first, foreign], [foreign], [last], []];
    const sent: unknown[] = [];
    const asked = z.object({ MessageBody: z.string().optional(), MessageGroupId: z.string().optional() });
    const answers: Readonly<Record<string, (body: z.output<typeof asked>) => unknown>> = {
      ListQueues: () => ({ QueueUrls: [`${sqs.url}/0/${source}`, `${sqs.url}/0/${parked}`] }),
      ReceiveMessage: () => ({ Messages: received.shift() }),
      SendMessage: ({ MessageBody = '', MessageGroupId }) => {
        sent.push([MessageBody, MessageGroupId]);
        return { MD5OfMessageBody: md5(MessageBody) };
      },
    };
    const sqs = closedAfterTest(
      await serveJson(({ headers, body }) => {
        const [, call = ''] = String(headers['x-amz-target']).split('.');
        return answers[call]?.(asked.parse(body)) ?? {};
      }),
    );
    const dataDirectory = await temporaryDirectory();
    const aws = { sqs: sqs.url, s3: sqs.url, lambda: sqs.url };
    writeFileSync(join(dataDirectory, 'stack.json'), JSON.stringify({ pid: process.pid, aws }));
    expect(await replay('account-traffic', '--data-dir', dataDirectory)).toMatchObject({
      out: 'account-traffic: 2 put back, 0 still parked',
    });
    expect(sent).toEqual([
      [bodyOf('a'), 'a'],
      [bodyOf('c'), 'c'],
    ]);
  });

  it('on AWS, looks at the queues and the bucket of the stacks, and not at what a stage that was deleted has left', async () => {
    const { clients, queueUrl, ourBucket } = await startDeployed();
    const jobs = { QueueUrl: queueUrl };
    await clients.sqs.send(new SendMessageCommand({ ...jobs, MessageBody: 'job' }));
    const functionArn = `arn:aws:lambda:us-east-1:0:function:prod-work-${idOf('outbox-route-changes')}-X`;
    const batch = JSON.stringify({ requestContext: { functionArn }, payload: '{}' });
    await clients.s3.send(new PutObjectCommand({ Bucket: ourBucket, Key: 'batch', Body: batch }));

    // It is parked instead of received again.
    const parkedNow = async () => {
      await clients.sqs.send(new ReceiveMessageCommand({ ...jobs, VisibilityTimeout: 0 }));
      return (await replay('--stage', 'prod')).out;
    };
    await eventually(async () => expect(await parkedNow()).toContain('account-traffic: 1 parked'));
    expect(await parkedNow()).toContain('outbox-route-changes: 1 parked');
    const again = await replay('account-traffic', '--stage', 'prod');
    expect(again).toMatchObject({ out: 'account-traffic: 1 put back, 0 still parked' });
  });

  it('says what to set where AWS cannot be called, as the other commands do', async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:9');
    for (const name of ['AWS_REGION', 'AWS_PROFILE']) vi.stubEnv(name, undefined);
    for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/dev/null');
    const { code, errors } = await replay('--stage', 'prod');
    expect([code, errors]).toEqual([1, expect.stringMatching(/^AWS cannot be called: .+ Set AWS_REGION, /)]);
  });

  it('says in one line what a service of AWS refuses', async () => {
    const { url } = closedAfterTest(
      await serveJson(() => {
        throw new AwsError('AccessDeniedException', 'You may not list queues.', 403);
      }),
    );
    const dataDirectory = await temporaryDirectory();
    const aws = { sqs: url, s3: url, lambda: url };
    writeFileSync(join(dataDirectory, 'stack.json'), JSON.stringify({ pid: process.pid, aws }));
    const { code, out, errors } = await replay('account-traffic', '--data-dir', dataDirectory);
    expect([code, out, errors]).toEqual([1, '', 'AccessDeniedException: You may not list queues.']);
  });

  it('reports a wrong name in one line that lists the queues', async () => {
    const { dataDirectory } = await startStack();
    const unknown = await replay('sms', '--data-dir', dataDirectory);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.errors).toMatch(/^There is no queue sms. The queues are: .*chores.*messages-count-messages/);
    const missing = await replay('payments', '--data-dir', dataDirectory);
    expect(missing).toMatchObject({ code: 1, errors: 'The stage local has no queue payments.' });
    const stopped = await replay('payments', '--data-dir', join(dataDirectory, 'none'));
    expect(stopped.errors).toMatch(/^No stack is running with .*npm start.*$/);
    const help = await replay('--help');
    expect(help.code).toBe(0);
    for (const word of ['--stage', '--dry-run', 'chores', 'outbox-route-changes']) expect(help.out).toContain(word);
    for (const args of [['--what'], ['payments', 'more']]) expect((await replay(...args)).code).toBe(1);
  });
});
