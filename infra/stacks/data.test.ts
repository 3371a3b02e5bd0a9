import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { DataStack } from './data.ts';
import { synthesized } from './synthesized-fixture.ts';

interface ResourcePolicy {
  readonly Type: string;
  readonly Properties: {
    readonly PolicyDocument: { readonly Statement: readonly Readonly<Record<string, unknown>>[] };
  };
}

const stackWith = (context: Readonly<Record<string, string>>, isProduction = true): DataStack =>
  new DataStack(new App({ analyticsReporting: false, context: { ...context } }), 'test-data', { isProduction });

describe('the address for alarms', () => {
  it('is subscribed to the topic of alarms', () => {
    Template.fromStack(stackWith({ ALARM_EMAIL: 'ops@example.com' })).hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
  });

  it('is refused when it is none', () => {
    for (const address of ['ops', 'ops@example', 'a@example.com, b@example.com'])
      expect(() => stackWith({ ALARM_EMAIL: address })).toThrow('ALARM_EMAIL: must be empty or an email address');
  });

  it('is missed in production, with a warning at synthesis', () => {
    const warnings = (isProduction: boolean) =>
      Annotations.fromStack(stackWith({}, isProduction)).findWarning('*', Match.stringLikeRegexp('ALARM_EMAIL'));
    expect([warnings(true).length, warnings(false).length]).toEqual([1, 0]);
  });
});

it('services of AWS publish to topics and send to queues for this AWS account only, or for what a stage made in it', () => {
  const documents = [...synthesized({}).values()].flatMap(({ Resources }) =>
    Object.values<ResourcePolicy>(Resources).flatMap(({ Type, Properties }) =>
      ['AWS::SNS::TopicPolicy', 'AWS::SQS::QueuePolicy'].includes(Type) ? Properties.PolicyDocument : [],
    ),
  );
  const allowed = documents.flatMap(({ Statement }) => Statement.filter(({ Effect }) => Effect === 'Allow'));
  const idOf = (name: string) => name.replaceAll('-', '');
  const withoutDigits = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll(/(?<=\w)[0-9A-F]{8}(?=")/g, ''));
  const account = { Ref: 'AWS::AccountId' };
  const setOfMailing = [
    ...['arn:', { Ref: 'AWS::Partition' }, ':ses:', { Ref: 'AWS::Region' }, ':', account],
    ...[':configuration-set/', { Ref: 'mailing' }],
  ];
  const parked = { 'Fn::GetAtt': [idOf('parked-jobs'), 'Arn'] };
  expect(
    allowed.map(({ Principal, Action, Resource, Condition }) =>
      withoutDigits([Principal, Action, Resource, Condition]),
    ),
  ).toEqual([
    [
      { Service: 'events.amazonaws.com' },
      ['sqs:SendMessage', 'sqs:GetQueueAttributes', 'sqs:GetQueueUrl'],
      parked,
      { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [idOf('stored-batches'), 'Arn'] } } },
    ],
    ...['mail-events', 'sms-events'].map((topic) => [
      { Service: 'sns.amazonaws.com' },
      'sqs:SendMessage',
      parked,
      { ArnEquals: { 'aws:SourceArn': { Ref: idOf(topic) } } },
    ]),
    [
      { Service: 'ses.amazonaws.com' },
      'sns:Publish',
      { Ref: idOf('mail-events') },
      { StringEquals: { 'AWS:SourceAccount': account, 'AWS:SourceArn': { 'Fn::Join': ['', setOfMailing] } } },
    ],
    ...[
      ['sms-voice', 'sms-events'],
      ['cloudwatch', 'alarms'],
    ].map(([service, topic = '']) => [
      { Service: `${service}.amazonaws.com` },
      'sns:Publish',
      { Ref: idOf(topic) },
      { StringEquals: { 'aws:SourceAccount': account } },
    ]),
  ]);
});

it('no topic has a key of its own, which may be what an alarm is about', () => {
  Template.fromStack(stackWith({})).allResourcesProperties('AWS::SNS::Topic', { KmsMasterKeyId: Match.absent() });
});

const RESTORED_TABLE = 'prod-data-restored/stream/2026-11-20T12:00:00.000';
const MASTER_KEY = 'arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const restoredOnce = { RESTORED_TABLE };
/** The key is kept when all else was lost. All stacks of such a stage are made once: that takes seconds. */
const restoredTwice = {
  RESTORED_TABLE: `${RESTORED_TABLE},${RESTORED_TABLE.replaceAll('restored', 'restored_2')}`,
  MASTER_KEY,
};

describe('a restored table', () => {
  const settingsIn = (templates: ReturnType<typeof synthesized>) =>
    [...templates.values()].flatMap(({ Resources }) =>
      Object.values<{ Type: string; Properties: { Environment?: { Variables: { TABLE_NAME?: unknown } } } }>(Resources)
        .filter(({ Type }) => Type === 'AWS::Lambda::Function')
        .flatMap(({ Properties }) => Properties.Environment?.Variables.TABLE_NAME ?? []),
    );

  it('is what all functions use and read the stream of, while what they imported of the own table stays exported', () => {
    const [before, after] = [synthesized({}), synthesized(restoredOnce)];
    const exportsOf = (templates: typeof before) => Object.keys(templates.get('dev-data').Outputs);
    expect(exportsOf(after)).toEqual(expect.arrayContaining(exportsOf(before)));
    const used = settingsIn(after);
    expect(used.length).toBe(settingsIn(before).length);
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter((name) => name !== 'prod-data-restored')).toEqual([]);
    const importers = (templates: typeof before) =>
      [...templates].filter(([, template]) => /ImportValue":"dev-data:[^"]*table/i.test(JSON.stringify(template)));
    expect([importers(before).length > 3, importers(after)]).toEqual([true, []]);
    expect(JSON.stringify(after.get('dev-work'))).toContain(`:table/${RESTORED_TABLE}`);
    expect(after.get('dev-data').Resources).toMatchObject(
      Object.fromEntries(
        Object.entries<{ Type: string }>(before.get('dev-data').Resources).filter(
          ([, { Type }]) => Type === 'AWS::DynamoDB::GlobalTable',
        ),
      ),
    );
  });

  it('is an export that functions use, which a deployment without it would remove, and CloudFormation refuses that', () => {
    const exportsOf = (settings: Readonly<Record<string, string>>): string[] =>
      Object.values<{ Export?: { Name: string } }>(synthesized(settings).get('dev-data').Outputs).flatMap(
        ({ Export }) => (Export?.Name.includes('restored') ? [Export.Name] : []),
      );
    expect(exportsOf({})).toEqual([]);
    expect(exportsOf(restoredOnce)).toEqual(['dev-data:restored-prod-data-restored']);
    expect(exportsOf(restoredTwice)).toEqual([...exportsOf(restoredOnce), 'dev-data:restored-prod-data-restored-2']);
    const stacksThatImport = (name: string, settings: Readonly<Record<string, string>>): string[] =>
      [...synthesized(settings)].flatMap(([stack, { Resources }]) =>
        JSON.stringify(Resources).includes(`{"Fn::ImportValue":"${name}"}`) ? [stack] : [],
      );
    const [before = '', now = ''] = exportsOf(restoredTwice);
    expect(stacksThatImport(before, restoredOnce).length).toBeGreaterThan(3);
    expect(stacksThatImport(now, restoredTwice)).toEqual(stacksThatImport(before, restoredOnce));
    expect(stacksThatImport(before, restoredTwice)).toEqual([]);
  });

  it.each(['restored', 'restored/stream', 'a b/stream/2026', 'a-b/stream/2026,', ',a-b/stream/2026'])(
    'is not %j',
    (name) => {
      expect(() => stackWith({ RESTORED_TABLE: name })).toThrow('RESTORED_TABLE: must be');
    },
  );
});

describe('a kept key', () => {
  interface Granted {
    readonly Action: unknown;
    readonly Resource: unknown;
  }

  it('is the only one that functions may use, and none is made beside it', () => {
    const templates = synthesized(restoredTwice);
    const resources = [...templates.values()].flatMap(({ Resources }) =>
      Object.values<{ Type: string; Properties: { PolicyDocument?: { Statement: Granted[] } } }>(Resources),
    );
    expect(resources.filter(({ Type }) => Type === 'AWS::KMS::Key')).toEqual([]);
    const grants = resources
      .flatMap(({ Type, Properties }) =>
        Type === 'AWS::IAM::Policy' ? (Properties.PolicyDocument?.Statement ?? []) : [],
      )
      .filter(({ Action }) => JSON.stringify(Action).includes('"kms:'));
    expect(new Set(grants.map(({ Action }) => Action))).toEqual(new Set(['kms:Decrypt', 'kms:GenerateDataKey']));
    const [imported, ...others] = new Set(grants.map(({ Resource }) => JSON.stringify(Resource)));
    expect(others).toEqual([]);
    const { masterkeyarn, ...outputs } = templates.get('dev-data').Outputs;
    expect(masterkeyarn.Value).toBe(MASTER_KEY);
    const exported = Object.values<{ Value: unknown; Export?: { Name: string } }>(outputs).find(
      ({ Value }) => Value === MASTER_KEY,
    );
    expect(JSON.parse(imported ?? '')).toEqual({ 'Fn::ImportValue': exported?.Export?.Name });
  });

  it('has the export of an own key, which CloudFormation changes for nobody as long as it is in use', () => {
    const exportsWith = (settings: Readonly<Record<string, string>>) =>
      Object.values<{ Export?: { Name: string } }>(synthesized(settings).get('dev-data').Outputs).flatMap(
        ({ Export }) => (Export?.Name.includes('key') ? [Export.Name] : []),
      );
    expect(exportsWith(restoredTwice)).toHaveLength(1);
    expect(exportsWith(restoredTwice)).toEqual(exportsWith({}));
  });

  it.each(['1234abcd-12ab-34cd-56ef-1234567890ab', 'alias/mine', 'arn:aws:kms:eu-west-1:123456789012:alias/mine'])(
    'is not %j',
    (name) => {
      expect(() => stackWith({ MASTER_KEY: name })).toThrow('MASTER_KEY: must be');
    },
  );
});

describe('the warm throughput', () => {
  const warm = { ReadUnitsPerSecond: 24_000, WriteUnitsPerSecond: 8_000 };
  const tableOf = (stack: DataStack) => {
    const [table] = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
    const { WarmThroughput, GlobalSecondaryIndexes } = table?.['Properties'] ?? {};
    return [WarmThroughput, GlobalSecondaryIndexes[0].WarmThroughput];
  };

  it('of production is that of the setting, for the table and its index', () => {
    expect(tableOf(stackWith({ WARM_THROUGHPUT: '24000,8000' }))).toEqual([warm, warm]);
  });

  it('is left to DynamoDB without the setting, and in other stages', () => {
    expect(tableOf(stackWith({}))).toEqual([undefined, undefined]);
    expect(tableOf(stackWith({ WARM_THROUGHPUT: '24000,8000' }, false))).toEqual([undefined, undefined]);
  });

  it('in another form is refused', () => {
    expect(() => stackWith({ WARM_THROUGHPUT: '24000' })).toThrow(
      'WARM_THROUGHPUT: must be empty or reads,writes: two whole numbers',
    );
  });
});
