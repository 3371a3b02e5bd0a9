import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateScheduleCommand,
  type CreateScheduleInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  type ListSchedulesInput,
  paginateListSchedules,
  SchedulerClient,
  UpdateScheduleCommand,
} from '@aws-sdk/client-scheduler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startScheduler } from './scheduler.ts';

const arnPrefix = 'arn:aws:scheduler:us-east-1:000000000000:schedule';
const Target = { Arn: 'arn:aws:sqs:us-east-1:000000000000:q', RoleArn: 'arn:aws:iam::000000000000:role/scheduler' };
const later = (Name: string, more: Partial<CreateScheduleInput> = {}): CreateScheduleInput => ({
  Name,
  ScheduleExpression: 'at(2999-01-01T00:00:00)',
  FlexibleTimeWindow: { Mode: 'OFF' },
  Target,
  ...more,
});

let dataDirectory: string;
let scheduler: Awaited<ReturnType<typeof startScheduler>>;
let client: SchedulerClient;

beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'scheduler-'));
  scheduler = await startScheduler({
    dataDirectory,
    groups: ['webhooks', 'paged'],
    deliver: () => Promise.reject(new Error('nothing here is due')),
  });
  client = new SchedulerClient({
    endpoint: scheduler.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await scheduler.close();
  await rm(dataDirectory, { recursive: true });
});

const create = (input: CreateScheduleInput) => client.send(new CreateScheduleCommand(input));
const refusal = (name: string, httpStatusCode: number, message = '') => ({
  name,
  $metadata: { httpStatusCode },
  message: expect.stringContaining(message),
});

test('a created schedule reads back with the defaults of the service', async () => {
  const before = Date.now();
  expect(await create(later('plain'))).toMatchObject({ ScheduleArn: `${arnPrefix}/default/plain` });
  const { CreationDate, LastModificationDate, $metadata, ...plain } = await client.send(
    new GetScheduleCommand({ Name: 'plain' }),
  );
  expect($metadata.requestId).toBeDefined();
  expect(CreationDate?.getTime()).toBeGreaterThanOrEqual(before);
  expect(LastModificationDate).toEqual(CreationDate);
  expect(plain).toEqual({
    Arn: `${arnPrefix}/default/plain`,
    GroupName: 'default',
    Name: 'plain',
    ScheduleExpression: 'at(2999-01-01T00:00:00)',
    ScheduleExpressionTimezone: 'UTC',
    State: 'ENABLED',
    ActionAfterCompletion: 'NONE',
    FlexibleTimeWindow: { Mode: 'OFF' },
    Target: { ...Target, RetryPolicy: { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 } },
  });
});

test('a schedule with every field set reads back unchanged', async () => {
  const full: Omit<CreateScheduleInput, 'Name' | 'GroupName'> = {
    ScheduleExpression: 'rate(2 hours)',
    ScheduleExpressionTimezone: 'Asia/Dhaka',
    StartDate: new Date('2999-01-01T00:00:00.500Z'),
    EndDate: new Date('2999-02-01T00:00:00Z'),
    Description: 'all of it',
    State: 'DISABLED',
    ActionAfterCompletion: 'DELETE',
    FlexibleTimeWindow: { Mode: 'FLEXIBLE', MaximumWindowInMinutes: 15 },
    Target: {
      ...Target,
      Input: '{"a":1}',
      DeadLetterConfig: { Arn: 'arn:aws:sqs:us-east-1:000000000000:dead' },
      RetryPolicy: { MaximumRetryAttempts: 3, MaximumEventAgeInSeconds: 600 },
      SqsParameters: { MessageGroupId: 'g' },
    },
  };
  await create({ Name: 'full', GroupName: 'webhooks', ...full });
  expect(await client.send(new GetScheduleCommand({ Name: 'full', GroupName: 'webhooks' }))).toMatchObject(full);
});

test('the same client token again gives the same answer, another one is a ConflictException', async () => {
  const first = await create(later('once', { ClientToken: 't1' }));
  const again = await create(later('once', { ClientToken: 't1' }));
  expect(again.ScheduleArn).toBe(first.ScheduleArn);
  await expect(create(later('once', { ClientToken: 't2' }))).rejects.toMatchObject(
    refusal('ConflictException', 409, 'Schedule once already exists.'),
  );
  await expect(create(later('once'))).rejects.toMatchObject(refusal('ConflictException', 409));
});

test('a name can be used in another group, and again after a delete', async () => {
  await create(later('shared'));
  await create(later('shared', { GroupName: 'webhooks' }));
  await client.send(new DeleteScheduleCommand({ Name: 'shared', GroupName: 'webhooks' }));
  await expect(client.send(new GetScheduleCommand({ Name: 'shared', GroupName: 'webhooks' }))).rejects.toMatchObject(
    refusal('ResourceNotFoundException', 404, 'Schedule shared does not exist.'),
  );
  await create(later('shared', { GroupName: 'webhooks' }));
  expect(await client.send(new GetScheduleCommand({ Name: 'shared' }))).toMatchObject({ GroupName: 'default' });
});

test('an update replaces all fields, and omitted ones return to their defaults', async () => {
  await create(later('changing', { Description: 'first', State: 'DISABLED' }));
  const created = await client.send(new GetScheduleCommand({ Name: 'changing' }));
  await client.send(new UpdateScheduleCommand(later('changing', { ScheduleExpression: 'at(2999-05-05T05:05:05)' })));
  const updated = await client.send(new GetScheduleCommand({ Name: 'changing' }));
  expect(updated).toMatchObject({ ScheduleExpression: 'at(2999-05-05T05:05:05)', State: 'ENABLED' });
  expect(updated.Description).toBeUndefined();
  expect(updated.CreationDate).toEqual(created.CreationDate);
});

test.each([
  ['get', () => client.send(new GetScheduleCommand({ Name: 'unknown' }))],
  ['update', () => client.send(new UpdateScheduleCommand(later('unknown')))],
  ['delete', () => client.send(new DeleteScheduleCommand({ Name: 'unknown' }))],
])('404: there is no schedule to %s', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject(
    refusal('ResourceNotFoundException', 404, 'Schedule unknown does not exist.'),
  );
});

const nowhere = { Name: 'plain', GroupName: 'unknown' };
test.each([
  ['create in', () => create(later('plain', nowhere))],
  ['get from', () => client.send(new GetScheduleCommand(nowhere))],
  ['update in', () => client.send(new UpdateScheduleCommand(later('plain', nowhere)))],
  ['delete from', () => client.send(new DeleteScheduleCommand(nowhere))],
  ['list', () => client.send(new ListSchedulesCommand({ GroupName: 'unknown' }))],
])('404: there is no group to %s', async (_, ask) => {
  await expect(ask()).rejects.toMatchObject(
    refusal('ResourceNotFoundException', 404, 'Schedule group unknown does not exist.'),
  );
});

test.each<[string, Partial<CreateScheduleInput>, string]>([
  ['a name with a blank', { Name: 'a b' }, "'Name'"],
  ['a name of 65 characters', { Name: 'n'.repeat(65) }, "'Name'"],
  ['an expression that is none', { ScheduleExpression: 'at(soon)' }, 'Invalid Schedule Expression at(soon).'],
  ['cron', { ScheduleExpression: 'cron(0 12 * * ? *)' }, 'does not run cron'],
  ['an unknown time zone', { ScheduleExpressionTimezone: 'Asia/Atlantis' }, 'ScheduleExpressionTimezone'],
  ['an offset for a time zone', { ScheduleExpressionTimezone: '+06:00' }, 'ScheduleExpressionTimezone'],
  ['no time window', { FlexibleTimeWindow: undefined }, 'FlexibleTimeWindow'],
  ['a flexible window of no length', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }, 'MaximumWindowInMinutes'],
  ['no target', { Target: undefined }, 'Target'],
  ['a target without an ARN', { Target: { ...Target, Arn: undefined } }, 'Target.Arn'],
  ['a target without a role', { Target: { ...Target, RoleArn: undefined } }, 'Target.RoleArn'],
  ['186 retries', { Target: { ...Target, RetryPolicy: { MaximumRetryAttempts: 186 } } }, 'MaximumRetryAttempts'],
  [
    'an event age under a minute',
    { Target: { ...Target, RetryPolicy: { MaximumEventAgeInSeconds: 59 } } },
    'MaximumEventAgeInSeconds',
  ],
  [
    'a dead-letter target that is no queue',
    { Target: { ...Target, DeadLetterConfig: { Arn: 'arn:aws:sns:us-east-1:000000000000:t' } } },
    'DeadLetterConfig.Arn',
  ],
])('400: %s is a ValidationException', async (_, wrong, message) => {
  await expect(create({ ...later('invalid'), ...wrong })).rejects.toMatchObject(
    refusal('ValidationException', 400, message),
  );
});

test('a list is filtered by group, prefix and state', async () => {
  const named = async (filter: ListSchedulesInput) => {
    const { Schedules = [], NextToken } = await client.send(new ListSchedulesCommand(filter));
    expect(NextToken).toBeUndefined();
    return Schedules.map(({ GroupName, Name }) => `${GroupName}/${Name}`);
  };
  await create(later('retry-1'));
  await create(later('retry-2', { State: 'DISABLED' }));
  await create(later('retry-1', { GroupName: 'webhooks' }));
  await create(later('other-1', { GroupName: 'webhooks' }));
  expect(await named({ NamePrefix: 'retry-' })).toEqual(['default/retry-1', 'default/retry-2', 'webhooks/retry-1']);
  expect(await named({ NamePrefix: 'retry-', GroupName: 'default' })).toEqual(['default/retry-1', 'default/retry-2']);
  expect(await named({ NamePrefix: 'retry-', State: 'DISABLED' })).toEqual(['default/retry-2']);
  expect(await named({ NamePrefix: 'none' })).toEqual([]);
  const { Schedules } = await client.send(new ListSchedulesCommand({ NamePrefix: 'retry-2' }));
  expect(Schedules?.[0]).toEqual({
    Arn: `${arnPrefix}/default/retry-2`,
    GroupName: 'default',
    Name: 'retry-2',
    State: 'DISABLED',
    CreationDate: expect.any(Date),
    LastModificationDate: expect.any(Date),
    Target: { Arn: Target.Arn },
  });
});

test('a long list is paged without gaps or repetitions', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `page-${index}`);
  await Promise.all(names.map((name) => create(later(name, { GroupName: 'paged' }))));
  const pages = await Array.fromAsync(paginateListSchedules({ client, pageSize: 3 }, { GroupName: 'paged' }));
  expect(pages.map(({ Schedules = [] }) => Schedules.length)).toEqual([3, 3, 1]);
  expect(pages.flatMap(({ Schedules = [] }) => Schedules.map(({ Name }) => Name))).toEqual(names);
});

test.each([0, 101])('400: a page of %i is refused', async (MaxResults) => {
  await expect(client.send(new ListSchedulesCommand({ MaxResults }))).rejects.toMatchObject(
    refusal('ValidationException', 400, 'MaxResults'),
  );
});

test('404: an operation that the emulator lacks is refused by name', async () => {
  const response = await fetch(`${scheduler.url}/schedule-groups`);
  expect(response.status).toBe(404);
  expect(response.headers.get('x-amzn-errortype')).toBe('UnknownOperationException');
});

test('400: a body that is not JSON is refused', async () => {
  const response = await fetch(`${scheduler.url}/schedules/x`, { method: 'POST', body: '{' });
  expect(response.status).toBe(400);
  expect(response.headers.get('x-amzn-errortype')).toBe('SerializationException');
});

test('a page of another site cannot make a browser create a schedule', async () => {
  const answer = await fetch(`${scheduler.url}/schedules/foreign`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'sec-fetch-site': 'cross-site' },
    body: JSON.stringify(later('foreign')),
  });
  expect(answer.status).toBe(403);
  const reading = client.send(new GetScheduleCommand({ Name: 'foreign' }));
  await expect(reading).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
