import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { kindOf } from '../infra/auth.ts';
import { currentMistakes } from '../infra/check-rows.ts';
import { readBlueprint } from '../infra/local/read-blueprint.ts';
import { compilePattern } from '../infra/local/stream-filter.ts';
import { outbox } from '../infra/outbox.ts';
import { type QueueRow, queues } from '../infra/queues.ts';
import { keysOf, parts, type Route, routes, unknownRoute } from '../infra/routes.ts';
import { functionFolders, functionName } from '../infra/rows.ts';
import { stageThrottle, throttleOf } from '../infra/throttles.ts';
import { workers } from '../infra/workers.ts';
import { claimMs } from '../shared/checkout/claim.ts';
import { runbook } from '../shared/docs/runbook.ts';
import { longestRunMs } from '../shared/kit/longest-run.ts';
import type { ImagePattern } from '../shared/work/outbox.ts';
import { readTemplates } from './read-templates.ts';
import { assembly } from './testbed.ts';
import { tableSpec } from './world.ts';

const blueprint = readBlueprint(assembly);
const resources = readTemplates(assembly);
const propertiesOf = <T>(type: string, schema: z.ZodType<T>): T[] =>
  resources.filter((one) => one.Type === type).map((one) => schema.parse(one.Properties));

it('finds no mistake in the rows and the folders of functions', () => {
  expect(currentMistakes()).toEqual([]);
});

it('has a test and a sample event for every row', () => {
  for (const does of functionFolders) {
    const event = `events/${functionName(does)}.json`;
    expect(existsSync(event), event).toBe(true);
    expect(existsSync(join('functions', does, 'handler.test.ts')), `${does}/handler.test.ts`).toBe(true);
  }
});

/** The stacks that are deployed before each stack. */
const stacksBefore = () => {
  const artifact = z.object({ dependencies: z.array(z.string()).default([]) });
  const manifest = z.object({ artifacts: z.record(z.string(), artifact) });
  const { artifacts } = manifest.parse(JSON.parse(readFileSync(join(assembly, 'manifest.json'), 'utf8')));
  const stages = Object.keys(artifacts).filter((name) => name.endsWith('-work'));
  expect(stages).not.toEqual([]);
  return stages.map((work) => (part: string) => artifacts[work.replace('work', part)]?.dependencies ?? []);
};

it('deploys the workers of a release before its endpoints, whose new rows they alone know', () => {
  for (const before of stacksBefore())
    for (const part of parts) expect(before(part)).toContainEqual(expect.stringMatching(/-work$/));
});

it('deploys the page of the dashboard after all functions that it calls, whose new fields it reads', () => {
  const others = parts.filter((part) => part !== 'people');
  for (const before of stacksBefore())
    for (const part of others) expect(before('people')).toContainEqual(expect.stringMatching(`-${part}$`));
  const lambdas = resources.filter(({ stack, Type }) => stack.endsWith('-people') && Type === 'AWS::Lambda::Function');
  const nameOfPage = functionName('dashboard/show-app').replaceAll('-', '');
  const isPage = ({ id }: { readonly id: string }) => id.startsWith(nameOfPage);
  const [page] = lambdas.filter(isPage);
  const called = lambdas.filter((one) => !isPage(one)).map(({ id }) => id);
  expect(called).not.toEqual([]);
  expect(page?.DependsOn).toEqual(expect.arrayContaining(called));
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

it('ends every function before its claim on a call does, and the claim on a gateway before its job is tried again', () => {
  const lambdas = propertiesOf('AWS::Lambda::Function', z.object({ Timeout: z.number() }));
  const longestMs = 1_000 * Math.max(...lambdas.map(({ Timeout }) => Timeout));
  expect(longestRunMs).toBeGreaterThan(longestMs);
  expect(claimMs).toBeGreaterThan(2 * longestMs);
  // The least visibility timeout of a worker's queue.
  expect(claimMs).toBeLessThan(6 * longestMs);
});

it('looks up the names of targets and gateways in many threads, because a few that nobody answers for would keep all others waiting', () => {
  const calling = [...Object.values<Route>(routes), ...workers].filter(({ needs }) =>
    (['webhooks:call', 'sms:send', 'gateways:call'] as const).some((power) => needs.includes(power)),
  );
  const manyThreads = blueprint.functions.filter(({ environment }) => environment['UV_THREADPOOL_SIZE'] === '64');
  const names = new Set(calling.map(({ does }) => functionName(does)));
  expect(manyThreads.map(({ name }) => name).sort()).toEqual([...names].sort());
  expect(names).toContain('webhooks-attempt-delivery');
});

it('lets the jobs of queues continue themselves, of which Lambda would lose the rest after 16 calls, and no other calls', () => {
  const allowed = propertiesOf(
    'AWS::Lambda::Function',
    z.object({ Description: z.string(), RecursiveLoop: z.string().optional() }),
  ).filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
  const fed = workers.filter(({ on }) => [on].flat().some((source) => 'queue' in source));
  expect(fed.length).toBeGreaterThan(8);
  expect(allowed.map(({ Description }) => Description).sort()).toEqual(fed.map(({ does }) => does).sort());
});

it('pays for no lines of Lambda about invocations that succeed, and leaves the choice of ours to LOG_LEVEL', () => {
  const loggings = propertiesOf(
    'AWS::Lambda::Function',
    z.object({ LoggingConfig: z.record(z.string(), z.unknown()) }),
  );
  const levels = loggings.map(({ LoggingConfig: { LogGroup: _, ...logging } }) => JSON.stringify(logging));
  expect(levels.length).toBeGreaterThan(100);
  const expected = { ApplicationLogLevel: 'TRACE', LogFormat: 'JSON', SystemLogLevel: 'WARN' };
  expect([...new Set(levels)].map((one) => JSON.parse(one))).toEqual([expected]);
});

it('protects the admin API by its own callers, everything under /api/v1 but its description by an API key, and callbacks by the provider’s signature', () => {
  for (const [key, route] of Object.entries<Route>(routes)) {
    expect([key, kindOf(route.auth) === 'role']).toEqual([key, key.includes('/admin/v1/')]);
    expect([key, kindOf(route.auth) === 'apiKey']).toEqual([key, / \/api\/v1\/(?!openapi)/.test(key)]);
    expect([key, route.auth === 'provider']).toEqual([key, key.includes(' /callbacks/')]);
  }
});

it('answers HEAD with the function of GET, except where GET writes: at callbacks and beginnings of exports', () => {
  const specs = new Map(blueprint.routes.map((route) => [route.key, route]));
  const gets = blueprint.routes.filter(({ key }) => key.startsWith('GET '));
  const [writes = [], reads = []] = [true, false].map((isWrite) =>
    gets.filter(({ key }) => (key.startsWith('GET /callbacks/') || key.endsWith('/export')) === isWrite),
  );
  expect(writes.length && reads.length).toBeGreaterThan(0);
  for (const { key } of writes) expect(specs.has(key.replace('GET', 'HEAD'))).toBe(false);
  for (const { key, ...read } of reads) expect(specs.get(key.replace('GET', 'HEAD'))).toMatchObject(read);
});

it('limits the requests to every route: those without a key more, and the docs most', () => {
  const keyed = Object.entries<Route>(routes).flatMap(([key, row]) => keysOf(key).map((each) => [each, row] as const));
  const rows = new Map([...keyed, ['$default', unknownRoute] as const]);
  expect(blueprint.routes).toHaveLength(rows.size);
  for (const { key, throttle } of blueprint.routes) {
    const row = rows.get(key) ?? expect.fail(key);
    expect([key, throttle]).toEqual([key, throttleOf(row) ?? stageThrottle]);
    const isOpen = ['public', 'payer', 'payerToken'].includes(kindOf(row.auth)) || row.does.startsWith('docs/');
    expect([key, throttle?.rate]).toEqual([key, isOpen ? expect.toSatisfy((rate) => rate <= 200) : 2_000]);
  }
  const docs = blueprint.routes.filter(({ key }) => key.includes(' /docs'));
  expect(docs.map(({ throttle }) => throttle?.rate)).toEqual(docs.map(() => 20));
  expect(propertiesOf('AWS::ApiGatewayV2::Stage', z.object({ StageName: z.string() }))).toEqual([
    { StageName: '$default' },
  ]);
});

it('lets no route take more than an account may in the regions with the smallest quota, because a stage may not exceed it', () => {
  const throttles = blueprint.routes.flatMap(({ throttle }) => throttle ?? []);
  expect(throttles).toHaveLength(blueprint.routes.length);
  expect(Math.max(...throttles.map(({ rate }) => rate))).toBeLessThanOrEqual(2_500);
  expect(Math.max(...throttles.map(({ burst }) => burst))).toBeLessThanOrEqual(1_250);
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
    expect(blueprint.buckets.map(({ name }) => name)).toContain(mapping.onFailureBucket);
    expect(mapping.filters.length).toBeGreaterThan(0);
  }
  const parked = z.object({ RedrivePolicy: z.object({ deadLetterTargetArn: z.object({}) }) });
  expect(propertiesOf('AWS::SNS::Subscription', parked)).toHaveLength(subscriptions.length);
  const kept = z.object({ DestinationConfig: z.object({ OnFailure: z.object({ Destination: z.object({}) }) }) });
  expect(propertiesOf('AWS::Lambda::EventInvokeConfig', kept)).toHaveLength(subscriptions.length);
});

it('reads the table’s stream with two mappings at most, with filters that AWS takes, because more readers are throttled', () => {
  expect(blueprint.streamMappings.map(({ functionName: name }) => name).sort()).toEqual([
    'messages-count-messages',
    'outbox-route-changes',
  ]);
  for (const { filters } of blueprint.streamMappings) {
    expect(filters.length).toBeLessThanOrEqual(5);
    for (const filter of filters) expect(JSON.stringify(filter).length).toBeLessThan(4_096);
  }
});

it('retries what follows from changes for hours, because what is given up waits for a person', () => {
  const [reader] = blueprint.streamMappings.filter(({ functionName: name }) => name === 'outbox-route-changes');
  expect(reader).toMatchObject({ maximumRecordAgeSeconds: 6 * 3_600, maximumRetryAttempts: 10_000 });
});

it('feeds every queue, and has a consumer for every queue', () => {
  const needs = [...Object.values<Route>(routes), ...workers].flatMap((row) => row.needs);
  const sources = workers.flatMap(({ on }) => on).flatMap((source) => ('queue' in source ? [source] : []));
  const after = Object.values<QueueRow>(queues).flatMap(({ afterwards }) => afterwards ?? []);
  const scheduled = Object.entries<QueueRow>(queues).flatMap(([name, { every }]) => (every ? [name] : []));
  const fed = [...needs.flatMap((power) => /^queue:(.*)$/.exec(power)?.[1] ?? []), ...after, ...scheduled];
  const bySisterServices = ['account-traffic'];
  expect([...new Set([...fed, ...bySisterServices])].sort()).toEqual(Object.keys(queues).sort());
  expect(sources.map(({ queue }) => queue).sort()).toEqual(Object.keys(queues).sort());
});

it('lets every pattern of the outbox through the filter of its mapping', () => {
  const reader = blueprint.streamMappings.find(({ functionName: name }) => name === 'outbox-route-changes');
  const passes = (reader?.filters ?? []).map(compilePattern);
  const imageOf = (pattern: ImagePattern) =>
    Object.entries(pattern).map(([field, wanted]) => [field, { S: wanted === 'set' ? 't' : wanted.at(-1) }]);
  for (const { isNew, is, becomes = {} } of outbox.flatMap(({ when }) => when)) {
    const NewImage = Object.fromEntries([...imageOf(is), ...imageOf(becomes)]);
    for (const eventName of isNew ? ['INSERT'] : ['INSERT', 'MODIFY'])
      expect(passes.some((pass) => pass({ eventName, dynamodb: { NewImage } }))).toBe(true);
  }
});

it('sends the jobs of rounds by schedule', () => {
  const rates = Object.values<QueueRow>(queues).flatMap(({ every = {} }) =>
    Object.keys(every).map((rate) => `rate(${rate})`),
  );
  expect(blueprint.schedules.map(({ expression }) => expression).sort()).toEqual(rates.sort());
  for (const { targetArn } of blueprint.schedules) {
    expect(blueprint.queueMappings.map(({ queueArn }) => queueArn)).toContain(targetArn);
  }
});

it('tells the topic of alarms when any alarm begins and ends, and links it to its section of the runbook', () => {
  const text = z.union([z.string(), z.looseObject({}).transform((joined) => JSON.stringify(joined))]);
  const actions = z.tuple([z.looseObject({})]);
  const alarms = propertiesOf(
    'AWS::CloudWatch::Alarm',
    z.object({ AlarmDescription: text, AlarmActions: actions, OKActions: actions }),
  );
  expect(
    new Set(alarms.flatMap((alarm) => [alarm.AlarmActions, alarm.OKActions]).map((to) => JSON.stringify(to))).size,
  ).toBe(1);
  const sections = alarms.map(({ AlarmDescription }) => /\/docs\/runbook#([\w-]+)/.exec(AlarmDescription)?.[1]);
  expect([...new Set(sections)].sort()).toEqual(Object.keys(runbook).sort());
});

it('has SES publish all events of every mail', () => {
  const environmentOf = (name: string) => blueprint.functions.find((fn) => fn.name === name)?.environment;
  const allMailEvents = [
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
      configurationSet: environmentOf('messages-send-message')?.['MAIL_CONFIGURATION_SET'],
      eventTypes: allMailEvents,
      topicArn: environmentOf('callbacks-receive-ses-notification')?.['TOPIC_ARN'],
    },
  ]);
});

it('keeps tables, queues, topics, keys and buckets under the ids that they were first deployed with', () => {
  const kinds = ['DynamoDB::GlobalTable', 'SQS::Queue', 'SNS::Topic', 'KMS::Key', 'S3::Bucket'];
  const kept = resources.filter(({ Type }) => kinds.some((kind) => Type === `AWS::${kind}`));
  const described = kept.map(({ id, Type }) => `${Type} ${id}`).sort();
  expect(described.join('\n')).toMatchSnapshot();
});

it('has the table that the tests run on', () => {
  const [table] = blueprint.tables;
  expect({ ...table, name: tableSpec.name, arn: tableSpec.arn }).toEqual(tableSpec);
});

it('counts a line that raises an alarm in the log of each worker that can write it', () => {
  for (const { does, countedLines = [] } of workers) {
    const name = functionName(does);
    const { codeDirectory } = blueprint.functions.find((one) => one.name === name) ?? expect.fail(name);
    const built = readFileSync(join(codeDirectory, `${name}.js`), 'utf8');
    const written = built.matchAll(/\b(needsPerson|mailRefused|textsRefused|outOfCredits):!0/g);
    expect([...new Set([...written].map(([, field]) => field))].toSorted(), does).toEqual(countedLines.toSorted());
  }
});
