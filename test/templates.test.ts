import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, inject, it } from 'vitest';
import * as z from 'zod';
import { functionFolders, functionName } from '../infra/bundle.ts';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { type Route, routes } from '../infra/routes.ts';
import { type QueueRow, queues, workers } from '../infra/workers.ts';
import { readTemplates } from './read-templates.ts';
import { tableSpec } from './world.ts';

const blueprint = readBlueprint(inject('assembly'), {
  queueUrl: (name) => `queue:${name}`,
  apiUrl: 'https://api.example.com',
});
const resources = readTemplates(inject('assembly'));
const propertiesOf = <T>(type: string, schema: z.ZodType<T>): T[] =>
  resources.filter((one) => one.Type === type).map((one) => schema.parse(one.Properties));

it('has a folder for every row and a row for every folder', () => {
  const folders = globSync('functions/*/*/main.ts').map((file) => file.split('/').slice(1, 3).join('/'));
  expect([...functionFolders].sort()).toEqual(folders.sort());
});

it('names every function once, by the last part of its folder', () => {
  const names = functionFolders.map(functionName);
  expect(new Set(names).size).toBe(names.length);
});

it('has a test and a sample event for every row', () => {
  for (const does of functionFolders) {
    expect(existsSync(`events/${basename(does)}.json`), `events/${basename(does)}.json`).toBe(true);
    expect(existsSync(join('functions', does, 'handler.test.ts')), `${does}/handler.test.ts`).toBe(true);
  }
});

it('runs every function on arm64 with Node 24, for less time than API Gateway waits', () => {
  const lambdas = propertiesOf(
    'AWS::Lambda::Function',
    z.object({ Runtime: z.string(), Architectures: z.array(z.string()), Timeout: z.number() }),
  );
  expect(lambdas).toHaveLength(functionFolders.length);
  for (const { Runtime, Architectures, Timeout } of lambdas) {
    expect([Runtime, Architectures]).toEqual(['nodejs24.x', ['arm64']]);
    expect(Timeout).toBeLessThan(30);
  }
});

it('protects the admin API by IAM, and everything under /api/v1 that is not public by an API key', () => {
  for (const { key, authorization } of blueprint.routes) {
    expect([key, authorization]).toEqual([key, key.includes('/admin/v1/') ? 'AWS_IAM' : 'NONE']);
  }
  for (const [key, route] of Object.entries<Route>(routes)) {
    if (key.includes('/admin/v1/')) expect([key, route.by]).toEqual([key, 'operator']);
    else expect([key, route.by]).toEqual([key, undefined]);
  }
});

it('answers HEAD with the function of GET, except at callbacks', () => {
  const specs = new Map(blueprint.routes.map((route) => [route.key, route]));
  const reads = blueprint.routes.filter(({ key }) => key.startsWith('GET ') && !key.startsWith('GET /callbacks/'));
  expect(reads.length).toBeGreaterThan(0);
  for (const { key, ...read } of reads) expect(specs.get(key.replace('GET', 'HEAD'))).toMatchObject(read);
});

it('feeds every worker, and parks its failures', () => {
  const subscriptions = blueprint.topics.flatMap(({ functionArns }) => functionArns);
  const feeds = [...blueprint.queueMappings, ...blueprint.streamMappings, ...subscriptions];
  expect(feeds).toHaveLength(workers.flatMap(({ on }) => on).length);
  for (const mapping of blueprint.queueMappings) {
    expect(mapping.reportBatchItemFailures).toBe(true);
    const queue = blueprint.queues.find(({ arn }) => arn === mapping.queueArn);
    expect(queue?.attributes['RedrivePolicy']).toContain('deadLetterTargetArn');
    expect(Number(queue?.attributes['VisibilityTimeout'])).toBeGreaterThanOrEqual(6 * 25);
  }
  for (const mapping of blueprint.streamMappings) {
    expect(mapping).toMatchObject({ bisectOnError: true, reportBatchItemFailures: true });
    expect(mapping.maximumRetryAttempts).toBeGreaterThan(0);
    expect(mapping.maximumRecordAgeSeconds).toBeGreaterThan(0);
    expect(blueprint.buckets).toEqual([mapping.onFailureBucket]);
    expect(mapping.filters.length).toBeGreaterThan(0);
  }
  const parked = z.object({ RedrivePolicy: z.object({ deadLetterTargetArn: z.object({}) }) });
  expect(propertiesOf('AWS::SNS::Subscription', parked)).toHaveLength(subscriptions.length);
  const kept = z.object({ DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.object({}) }) }) });
  expect(propertiesOf('AWS::Lambda::EventInvokeConfig', kept)).toHaveLength(subscriptions.length);
});

it('sends the jobs of rounds by schedule', () => {
  const rates = Object.values<QueueRow>(queues).flatMap(({ every }) => (every ? [`rate(${every})`] : []));
  expect(blueprint.schedules.map(({ expression }) => expression).sort()).toEqual(rates.sort());
  for (const { targetArn } of blueprint.schedules) {
    expect(blueprint.queueMappings.map(({ queueArn }) => queueArn)).toContain(targetArn);
  }
});

it('has SES publish all events of every mail', () => {
  const environmentOf = (name: string) => blueprint.functions.find((fn) => fn.name === name)?.environment;
  const told = [
    'send',
    'delivery',
    'bounce',
    'complaint',
    'reject',
    'open',
    'click',
    'deliveryDelay',
    'renderingFailure',
  ];
  expect(blueprint.mailEvents).toEqual([
    {
      configurationSet: environmentOf('send-message')?.['MAIL_CONFIGURATION_SET'],
      eventTypes: told,
      topicArn: environmentOf('receive-ses-notification')?.['TOPIC_ARN'],
    },
  ]);
});

it('has the table that the tests run on', () => {
  const [table] = blueprint.tables;
  expect({ ...table, name: tableSpec.name, arn: tableSpec.arn }).toEqual(tableSpec);
});

it('grants exactly these actions', () => {
  const policy = z.object({
    Roles: z.tuple([z.object({ Ref: z.string() })]),
    PolicyDocument: z.object({
      Statement: z.array(
        z.object({
          Effect: z.literal('Allow'),
          Action: z.union([z.string(), z.array(z.string())]).transform((action) => [action].flat()),
          Resource: z.unknown(),
        }),
      ),
    }),
  });
  const granted = propertiesOf('AWS::IAM::Policy', policy).map(({ Roles: [{ Ref }], PolicyDocument }) => {
    const actions = PolicyDocument.Statement.flatMap(({ Action }) => Action).filter(
      (action) => !action.startsWith('logs:'),
    );
    expect(PolicyDocument.Statement.map(({ Resource }) => Resource)).not.toContain('*');
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    return `${Ref.replace(/role[0-9A-F]{8}$/, '')}: ${[...new Set(actions)].sort().join(' ')}`;
  });
  expect(granted.sort().join('\n')).toMatchSnapshot();
});

it('grants nothing by managed policies', () => {
  const roles = propertiesOf('AWS::IAM::Role', z.object({ ManagedPolicyArns: z.array(z.unknown()).optional() }));
  expect(roles.flatMap(({ ManagedPolicyArns = [] }) => ManagedPolicyArns)).toEqual([]);
});
