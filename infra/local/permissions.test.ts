import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { CreateScheduleCommand, SchedulerClient } from '@aws-sdk/client-scheduler';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { ReceiveMessageCommand, SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { TableSpec } from './blueprint.ts';
import { startDynamodb } from './emulators/dynamodb.ts';
import { startDynamodbFront } from './emulators/dynamodb-front.ts';
import { startKms } from './emulators/kms.ts';
import { startScheduler } from './emulators/scheduler.ts';
import { startSes } from './emulators/ses.ts';
import { startSqs } from './emulators/sqs.ts';
import { closedAfterTest, temporaryDirectory } from './emulators-fixture.ts';
import { localClient } from './local-client.ts';
import { permissionsOf } from './permissions.ts';
import { statementSchema } from './policy.ts';

const arnOf = (service: string, resource: string) => `arn:aws:${service}:us-east-1:000000000000:${resource}`;

type Grant = Omit<z.input<typeof statementSchema>, 'Effect'>;

/** The permissions of one function that has these statements. */
const functionWith = (...grants: readonly Grant[]) => {
  const roleArn = 'arn:aws:iam::000000000000:role/role';
  const statements = grants.map((grant) => statementSchema.parse({ Effect: 'Allow', ...grant }));
  return permissionsOf({
    functions: [{ name: 'caller', roleArn }],
    roles: [{ name: 'role', arn: roleArn, statements }],
  });
};

const clientOf = (url: string, accessKeyId = 'caller') => ({
  ...localClient(url),
  credentials: { accessKeyId, secretAccessKey: 'x' },
  maxAttempts: 1,
});

const outcomeOf = async (call: Promise<unknown>): Promise<unknown> => {
  const [outcome] = await Promise.allSettled([call]);
  return outcome.status === 'fulfilled' ? 'permitted' : outcome.reason;
};

const denied = (name: string, action: string, resource: string) => ({
  name,
  message: `User: arn:aws:sts::000000000000:assumed-role/role/caller is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
});

const things: TableSpec = {
  name: 'things',
  arn: arnOf('dynamodb', 'table/things'),
  attributes: ['PK', 'SK', 'GSI1PK', 'GSI1SK'].map((name) => ({ name, type: 'S' })),
  key: { partition: 'PK', sort: 'SK' },
  indexes: [{ name: 'GSI1', key: { partition: 'GSI1PK', sort: 'GSI1SK' }, projection: 'ALL' }],
};

describe('DynamoDB', () => {
  const start = async (...grants: readonly Grant[]) => {
    const { url } = closedAfterTest(
      await startDynamodb({ dataDirectory: await temporaryDirectory(), tables: [things] }),
    );
    const permissions = functionWith(...grants);
    const front = closedAfterTest(await startDynamodbFront({ url, tables: [things], permissions }));
    const client = new DynamoDBClient(clientOf(front.url));
    const administrator = new DynamoDBClient(clientOf(front.url, 'local'));
    return { client, administrator, url: front.url, calls: callsOf(client) };
  };
  const keyOf = (partition: string) => ({ PK: { S: partition }, SK: { S: 'x' } });
  const asked = { TableName: 'things' };
  const callsOf = (client: DynamoDBClient) => ({
    get: (partition: string) => outcomeOf(client.send(new GetItemCommand({ ...asked, Key: keyOf(partition) }))),
    put: (partition: string, more = {}) =>
      outcomeOf(client.send(new PutItemCommand({ ...asked, Item: { ...keyOf(partition), ...more } }))),
    batchGet: (...partitions: string[]) =>
      outcomeOf(client.send(new BatchGetItemCommand({ RequestItems: { things: { Keys: partitions.map(keyOf) } } }))),
    query: (partition: string, index?: 'GSI1') =>
      outcomeOf(
        client.send(
          new QueryCommand({
            ...asked,
            IndexName: index,
            KeyConditionExpression: '#key = :key AND #sort > :sort',
            ExpressionAttributeNames: { '#key': index ? 'GSI1PK' : 'PK', '#sort': index ? 'GSI1SK' : 'SK' },
            ExpressionAttributeValues: { ':key': { S: partition }, ':sort': { S: '0' } },
          }),
        ),
      ),
    write: (...partitions: string[]) =>
      outcomeOf(
        client.send(
          new TransactWriteItemsCommand({
            TransactItems: partitions.map((partition, n) =>
              n === 0
                ? { Put: { ...asked, Item: keyOf(partition) } }
                : {
                    ConditionCheck: {
                      ...asked,
                      Key: keyOf(partition),
                      ConditionExpression: 'attribute_not_exists(PK)',
                    },
                  },
            ),
          }),
        ),
      ),
  });
  const Resource = things.arn;
  const only = (...patterns: string[]) => ({
    Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } },
  });

  it('refuses an action and an index that no statement names, and other callers are administrators', async () => {
    const { calls, client, administrator } = await start({ Action: 'dynamodb:GetItem', Resource });
    expect(await calls.get('a')).toBe('permitted');
    expect(await calls.put('a')).toMatchObject(denied('AccessDeniedException', 'dynamodb:PutItem', Resource));
    expect(await calls.query('a', 'GSI1')).toMatchObject(
      denied('AccessDeniedException', 'dynamodb:Query', `${Resource}/index/GSI1`),
    );
    expect(await outcomeOf(client.send(new ScanCommand(asked)))).toMatchObject({ name: 'AccessDeniedException' });
    expect(await callsOf(administrator).put('a')).toBe('permitted');
    // The connection of a refused call serves the next one.
    expect(await calls.get('a')).toBe('permitted');
  });

  it('answers no page that a browser shows, whatever the name of its host', async () => {
    const { url } = await start();
    const signature = 'Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';
    const headers = {
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-date': '20260101T000000Z',
      authorization: `AWS4-HMAC-SHA256 ${signature}`,
    };
    const listed = async (more: Record<string, string>) =>
      (await fetch(url, { method: 'POST', headers: { ...headers, ...more }, body: '{}' })).json();
    expect(await listed({})).toEqual({ TableNames: ['things'] });
    expect(await listed({ origin: 'http://rebound.example' })).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'A page in a browser sent this.',
    });
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin: 'http://other.example' } });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('binds single calls, queries, and every key of a batch to leading keys', async () => {
    const { calls } = await start(
      { Action: 'dynamodb:BatchGetItem', Resource, ...only('A#*', 'B') },
      { Action: 'dynamodb:Query', Resource: `${Resource}*`, ...only('A#*') },
    );
    const refused = { name: 'AccessDeniedException' };
    expect(await calls.batchGet('A#1', 'B')).toBe('permitted');
    expect(await calls.batchGet('A#1', 'C')).toMatchObject(refused);
    expect(await calls.query('A#1')).toBe('permitted');
    expect(await calls.query('B')).toMatchObject(refused);
    expect(await calls.query('A#1', 'GSI1')).toBe('permitted');
    expect(await calls.query('B', 'GSI1')).toMatchObject(refused);
  });

  it('requires of a transaction what its parts require', async () => {
    const { calls } = await start(
      { Action: 'dynamodb:PutItem', Resource },
      { Action: 'dynamodb:ConditionCheckItem', Resource, ...only('A') },
    );
    expect(await calls.write('X', 'A')).toBe('permitted');
    expect(await calls.write('Y', 'B')).toMatchObject(
      denied('AccessDeniedException', 'dynamodb:ConditionCheckItem', Resource),
    );
  });

  it('binds calls to the attributes that they name, and to what they return', async () => {
    const { client, calls } = await start(
      {
        Action: 'dynamodb:UpdateItem',
        Resource,
        Condition: {
          'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['PK', 'SK', 'n', 'm'] },
          StringEqualsIfExists: { 'dynamodb:ReturnValues': ['NONE', 'UPDATED_NEW'] },
        },
      },
      {
        Action: 'dynamodb:PutItem',
        Resource,
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['PK', 'SK', 'n'] } },
      },
    );
    const update = (UpdateExpression: string, more: object = {}) =>
      outcomeOf(
        client.send(
          new UpdateItemCommand({
            ...asked,
            Key: keyOf('a'),
            UpdateExpression,
            ExpressionAttributeNames: { '#m': 'm', '#secret': 'secret' },
            ExpressionAttributeValues: { ':one': { N: '1' } },
            ...more,
          }),
        ),
      );
    const refused = { name: 'AccessDeniedException' };
    expect(await update('SET n = if_not_exists(n, :one) + :one, #m = :one')).not.toMatchObject(refused);
    expect(await update('SET n = :one, #secret = :one')).toMatchObject(refused);
    expect(await update('SET n = secret')).toMatchObject(refused);
    expect(await update('SET n = :one', { ReturnValues: 'ALL_OLD' })).toMatchObject(refused);
    expect(await calls.put('a', { n: { N: '1' } })).toBe('permitted');
    expect(await calls.put('a', { other: { N: '1' } })).toMatchObject(refused);
  });
});

it('KMS refuses an action, another key and a context without the account', async () => {
  const Condition = {
    'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['account'] },
    Null: { 'kms:EncryptionContext:account': 'false' },
  };
  const permissions = functionWith({
    Action: 'kms:Decrypt',
    Resource: arnOf('kms', 'key/ours'),
    Condition,
  });
  const { url } = closedAfterTest(await startKms({ dataDirectory: await temporaryDirectory(), permissions }));
  const administrator = new KMSClient(clientOf(url, 'local'));
  const client = new KMSClient(clientOf(url));
  const decrypt = async (key: string, EncryptionContext: Record<string, string>) => {
    const encrypt = new EncryptCommand({ KeyId: key, Plaintext: Buffer.from('x'), EncryptionContext });
    const { CiphertextBlob } = await administrator.send(encrypt);
    return outcomeOf(client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext })));
  };
  const refused = denied('AccessDeniedException', 'kms:Decrypt', arnOf('kms', 'key/ours'));
  expect(await decrypt('ours', { account: '1' })).toBe('permitted');
  expect(await decrypt('ours', {})).toMatchObject(refused);
  expect(await decrypt('ours', { account: '1', other: '2' })).toMatchObject(refused);
  expect(await decrypt('theirs', { account: '1' })).toMatchObject({ name: 'AccessDeniedException' });
  const encrypt = new EncryptCommand({ KeyId: 'ours', Plaintext: Buffer.from('x') });
  expect(await outcomeOf(client.send(encrypt))).toMatchObject({ name: 'AccessDeniedException' });
});

it('SQS refuses another queue and another action, and a batch requires the single permission', async () => {
  const queues = ['mine', 'theirs'].map((name) => ({ name, arn: arnOf('sqs', name), attributes: {} }));
  const permissions = functionWith({ Action: 'sqs:SendMessage', Resource: arnOf('sqs', 'mine') });
  const sqs = closedAfterTest(await startSqs({ dataDirectory: await temporaryDirectory(), queues, permissions }));
  const client = new SQSClient(clientOf(sqs.url));
  const QueueUrl = sqs.queueUrl('mine');
  const single = new SendMessageCommand({ QueueUrl, MessageBody: 'x' });
  const batch = new SendMessageBatchCommand({ QueueUrl, Entries: [{ Id: '1', MessageBody: 'x' }] });
  const elsewhere = new SendMessageCommand({ QueueUrl: sqs.queueUrl('theirs'), MessageBody: 'x' });
  expect(await outcomeOf(client.send(single))).toBe('permitted');
  expect(await outcomeOf(client.send(batch))).toBe('permitted');
  expect(await outcomeOf(client.send(elsewhere))).toMatchObject(
    denied('AccessDenied', 'sqs:SendMessage'.toLowerCase(), arnOf('sqs', 'theirs')),
  );
  expect(await outcomeOf(client.send(new ReceiveMessageCommand({ QueueUrl })))).toMatchObject(
    denied('AccessDenied', 'sqs:ReceiveMessage'.toLowerCase(), arnOf('sqs', 'mine')),
  );
});

it('SES requires a permission on the identity and on the configuration set', async () => {
  const permissions = functionWith(
    { Action: 'ses:SendRawEmail', Resource: arnOf('ses', 'identity/*') },
    { Action: 'ses:SendRawEmail', Resource: arnOf('ses', 'configuration-set/mails') },
  );
  const { url } = closedAfterTest(await startSes({ dataDirectory: await temporaryDirectory(), permissions }));
  const client = new SESClient(clientOf(url));
  const send = (ConfigurationSetName?: string) => {
    const Data = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\n\r\nx');
    const mail = { Source: 'a@example.com', RawMessage: { Data }, ConfigurationSetName };
    return outcomeOf(client.send(new SendRawEmailCommand(mail)));
  };
  expect(await send()).toBe('permitted');
  expect(await send('mails')).toBe('permitted');
  expect(await send('others')).toMatchObject(
    denied('AccessDenied', 'ses:SendRawEmail', arnOf('ses', 'configuration-set/others')),
  );
});

describe('Scheduler', () => {
  const roleArn = 'arn:aws:iam::000000000000:role/sender';
  const create = async (name: string, passed: string, grants: readonly Grant[]) => {
    const scheduler = await startScheduler({
      dataDirectory: await temporaryDirectory(),
      deliver: async () => {},
      permissions: functionWith(...grants),
    });
    const { url } = closedAfterTest(scheduler);
    const schedule = {
      Name: name,
      ScheduleExpression: 'rate(1 hour)',
      FlexibleTimeWindow: { Mode: 'OFF' as const },
      Target: { Arn: arnOf('sqs', 'mine'), RoleArn: passed, Input: '{}' },
    };
    return outcomeOf(new SchedulerClient(clientOf(url)).send(new CreateScheduleCommand(schedule)));
  };
  const creating = { Action: 'scheduler:CreateSchedule', Resource: arnOf('scheduler', 'schedule/default/mine-*') };
  const passingTo = (service: string) => ({
    Action: 'iam:PassRole',
    Resource: roleArn,
    Condition: { StringEquals: { 'iam:PassedToService': [service] } },
  });

  it('creates a schedule with a permitted name and a role that its creator may pass to it', async () => {
    expect(await create('mine-1', roleArn, [creating, passingTo('scheduler.amazonaws.com')])).toBe('permitted');
  });

  it.each<[string, string, string, string, string]>([
    ['another name', 'other', roleArn, 'scheduler.amazonaws.com', 'scheduler:CreateSchedule'],
    ['another role', 'mine-1', `${roleArn}s`, 'scheduler.amazonaws.com', 'iam:PassRole'],
    ['a role for another service', 'mine-1', roleArn, 'lambda.amazonaws.com', 'iam:PassRole'],
  ])('refuses %s', async (_, name, passed, service, action) => {
    expect(await create(name, passed, [creating, passingTo(service)])).toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining(action),
    });
  });
});
