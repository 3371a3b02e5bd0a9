import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAwsCalls } from '../aws-calls.ts';
import { checksOf } from './aws-checks.ts';
import { deployedStacks, startAwsStandIn, twoWay } from './aws-stand-in-fixture.ts';
import { examine } from './examine.ts';

let aws: Awaited<ReturnType<typeof startAwsStandIn>>;
beforeAll(async () => {
  aws = await startAwsStandIn();
});
afterAll(() => aws.close());

const client = new DynamoDBClient({
  region: 'eu-west-1',
  credentials: { accessKeyId: 'local', secretAccessKey: 'secret' },
});

const examined = async (changes: Parameters<typeof aws.answer>[0] = {}, call = aws.call) => {
  aws.answer(changes);
  const lines: string[] = [];
  const checks = checksOf('prod', call, () => client.config.region());
  const exitCode = await examine(checks, (text) => lines.push(text));
  return { exitCode, lines };
};

const ours = '<StackName>prod-data</StackName><StackStatus>UPDATE_COMPLETE</StackStatus>';
const denied = { status: 403, body: '{"message":"User: ada is not authorized to perform: ses:GetAccount"}' };
const identity = {
  VerifiedForSendingStatus: true,
  DkimAttributes: { SigningEnabled: true, Status: 'SUCCESS' },
};

const ownMailFrom = {
  MailFromAttributes: { MailFromDomain: 'bounces.shop.example', MailFromDomainStatus: 'SUCCESS' },
};

const spending = (EnforcedLimit: number, MaxLimit: number) => ({
  SpendLimits: [{ Name: 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT', EnforcedLimit, MaxLimit }],
});

const pooled = { PhoneNumberId: 'phone-1', PhoneNumber: '+18005550100', PoolId: 'pool-1', ...twoWay };

/** The permission for a question. STS answers who the caller is without one. */
const permissions = [
  [/^GetCallerIdentity$/, ''],
  [/^AmazonSSM\.GetParameter$/, 'ssm:GetParameter'],
  [/^DescribeStacks/, 'cloudformation:DescribeStacks'],
  [/^ListStackResources/, 'cloudformation:ListStackResources'],
  [/^ListSubscriptionsByTopic\b/, 'sns:ListSubscriptionsByTopic'],
  [/^PinpointSMSVoiceV2\.DescribeAccountAttributes$/, 'sms-voice:DescribeAccountAttributes'],
  [/^PinpointSMSVoiceV2\.DescribePhoneNumbers\b/, 'sms-voice:DescribePhoneNumbers'],
  [/^PinpointSMSVoiceV2\.DescribePools\b/, 'sms-voice:DescribePools'],
  [/^PinpointSMSVoiceV2\.DescribeSpendLimits$/, 'sms-voice:DescribeSpendLimits'],
  [/^\/schedules\//, 'scheduler:GetSchedule'],
  [/\/event-source-mappings\//, 'lambda:GetEventSourceMapping'],
  [/\/functions\/.+\/configuration$/, 'lambda:GetFunctionConfiguration'],
  [/\/functions\/.+\/concurrency$/, 'lambda:GetFunctionConcurrency'],
  [/\/account-settings$/, 'lambda:GetAccountSettings'],
  [/\?list-type=2$/, 's3:ListBucket'],
  [/\/email\/account$/, 'ses:GetAccount'],
  [/\/email\/identities\//, 'ses:GetEmailIdentity'],
  [/\/event-destinations$/, 'ses:GetConfigurationSetEventDestinations'],
  [/\/configuration-sets\//, 'ses:GetConfigurationSet'],
] as const;

describe('npm run doctor -- --aws', () => {
  it('finds nothing wrong with a healthy account, and signs each call', async () => {
    expect(await examined({}, openAwsCalls(client, aws.url))).toEqual({
      exitCode: 0,
      lines: [
        'ok       Credentials       arn:aws:iam::123456789012:user/ada in eu-west-1.',
        'ok       Bootstrap         Version 30.',
        'ok       Stacks            8 stacks of prod are deployed.',
        'ok       SES               120 of 50000 emails sent in 24 hours, up to 14 a second.',
        'ok       Sender            shop.example is verified and signed, with the MAIL FROM domain bounces.shop.example.',
        'ok       Mail events       mailing reports deliveries, bounces and complaints.',
        'ok       Concurrency       1000 functions may run at once, 500 of them are not reserved.',
        'ok       Workers           2 queues and streams feed their workers.',
        'ok       Schedules         2 are on.',
        'ok       Parked batches    None.',
        'ok       Alarms            1 confirmed subscription.',
        'ok       Sms               Out of the sandbox, up to $500 a month.',
        'ok       Opt-outs          The platform hears each STOP: its two-way numbers are 1 of 2.',
        '\nAll is well.',
      ],
    });
    expect(aws.unsigned).toEqual([]);
  });

  it.each([
    [
      { 'AmazonSSM.GetParameter': { status: 400, body: '{"__type":"ParameterNotFound"}' } },
      /PROBLEM {2}Bootstrap .+cdk bootstrap$/,
    ],
    [{ 'AmazonSSM.GetParameter': { Parameter: { Value: '4' } } }, /PROBLEM {2}Bootstrap .+too old/],
    [
      { DescribeStacks: '<StackName>prod-data</StackName><StackStatus>UPDATE_ROLLBACK_FAILED</StackStatus>' },
      /PROBLEM {2}Stacks .+prod-data \(UPDATE_ROLLBACK_FAILED\)/,
    ],
    [
      { DescribeStacks: deployedStacks({ 'prod-front': 'absent' }) },
      /PROBLEM {2}Stacks .+Not deployed: prod-front\. Next: npm run deploy -- -c stage=prod/,
    ],
    [
      { DescribeStacks: deployedStacks({ 'prod-work': 'UPDATE_ROLLBACK_COMPLETE' }) },
      /PROBLEM {2}Stacks .+The last upgrade was undone: prod-work \(UPDATE_ROLLBACK_COMPLETE\)/,
    ],
    [
      { '/v2/email/identities/shop.example': { ...identity, VerifiedForSendingStatus: false } },
      /PROBLEM {2}Sender .+not verified.+DNS records/,
    ],
    [
      {
        '/v2/email/identities/shop.example': {
          ...identity,
          DkimAttributes: { SigningEnabled: true, Status: 'PENDING' },
        },
      },
      /PROBLEM {2}Sender .+DKIM is PENDING/,
    ],
    [
      { '/v2/email/identities/shop.example': { status: 404, body: '{}' } },
      /PROBLEM {2}Sender .+does not know no-reply@mail.shop.example.+MAIL_DOMAIN=mail.shop.example/,
    ],
    [
      {
        '/2015-03-31/functions/send-message-X1/configuration': {
          Environment: {
            Variables: {
              PLATFORM_EMAIL: 'no-reply@mail.shop.example',
              PEOPLE_EMAIL: 'sign-in@people.example',
              MAIL_CONFIGURATION_SET: 'mailing',
            },
          },
        },
        '/v2/email/identities/people.example': { status: 404, body: '{}' },
        '/v2/email/identities/sign-in%40people.example': { status: 404, body: '{}' },
      },
      /PROBLEM {2}Sender .+does not know sign-in@people.example.+MAIL_DOMAIN=people.example/,
    ],
    [
      { '/v2/email/configuration-sets/mailing/event-destinations': { EventDestinations: [] } },
      /PROBLEM {2}Mail events .+DELIVERY, BOUNCE, COMPLAINT/,
    ],
    [
      {
        '/2015-03-31/event-source-mappings/uuid-of-stream': { State: 'Disabled' },
        '/2015-03-31/event-source-mappings/uuid-of-sms': { State: 'Disabled' },
      },
      /PROBLEM {2}Workers .+messages-send-text, outbox-route-changes are off.+--enabled --uuid uuid-of-stream$/,
    ],
    [
      { '/schedules/sweep-of-scheduled?groupName=prod-schedules': { State: 'DISABLED' } },
      /PROBLEM {2}Schedules .+are off.+: sweep-of-scheduled\. Next: .+EventBridge/,
    ],
    [
      { '/prod-data-failedbatches?list-type=2': '<ListBucketResult><KeyCount>2</KeyCount></ListBucketResult>' },
      /PROBLEM {2}Parked batches .+2 batches\. Next: npm run replay -- --stage prod$/,
    ],
    [
      { ListSubscriptionsByTopic: '<Subscriptions/>' },
      /PROBLEM {2}Alarms .+no recipient.+ALARM_EMAIL=.+aws sns subscribe --topic-arn arn:aws:sns:\S+:alarms --protocol email /,
    ],
    [
      { ListSubscriptionsByTopic: '<SubscriptionArn>Deleted</SubscriptionArn>' },
      /PROBLEM {2}Alarms .+no recipient.+aws sns subscribe/,
    ],
    [
      { ListSubscriptionsByTopic: '<SubscriptionArn>PendingConfirmation</SubscriptionArn>' },
      /PROBLEM {2}Alarms .+1 of 1 subscriptions are not confirmed.+link/,
    ],
    [
      {
        ListSubscriptionsByTopic:
          '<SubscriptionArn>arn:aws:sns:eu-west-1:123456789012:alarms:1</SubscriptionArn><NextToken>2</NextToken>',
        'ListSubscriptionsByTopic 2': '<SubscriptionArn>PendingConfirmation</SubscriptionArn>',
      },
      /PROBLEM {2}Alarms .+1 of 2 subscriptions are not confirmed.+link/,
    ],
    [
      {
        'PinpointSMSVoiceV2.DescribePhoneNumbers': {
          PhoneNumbers: [{ PhoneNumberId: 'phone-1', PhoneNumber: '+18005550100', ...twoWay }],
        },
      },
      /PROBLEM {2}Opt-outs .+\+18005550100.+--phone-number-id phone-1 --self-managed-opt-outs-enabled$/,
    ],
    [
      {
        'PinpointSMSVoiceV2.DescribePhoneNumbers': {
          PhoneNumbers: ['1', '2', '3'].map((n) => ({
            ...{ PhoneNumberId: `phone-${n}`, PhoneNumber: `+1800555010${n}`, ...twoWay },
            ...(n !== '3' && { PoolId: 'pool-1' }),
          })),
        },
      },
      /PROBLEM {2}Opt-outs .+update-pool --pool-id pool-1 --self-managed-opt-outs-enabled && .+--phone-number-id phone-3 --self-managed-opt-outs-enabled$/,
    ],
    [
      {
        'PinpointSMSVoiceV2.DescribePhoneNumbers': { PhoneNumbers: [], NextToken: '2' },
        'PinpointSMSVoiceV2.DescribePhoneNumbers 2': { PhoneNumbers: [{ ...pooled, SelfManagedOptOutsEnabled: true }] },
        'PinpointSMSVoiceV2.DescribePools': { Pools: [], NextToken: '2' },
        'PinpointSMSVoiceV2.DescribePools 2': { Pools: [{ PoolId: 'pool-1', ...twoWay }] },
      },
      /PROBLEM {2}Opt-outs .+\+18005550100.+update-pool --pool-id pool-1 --self-managed-opt-outs-enabled$/,
    ],
    [
      { '/2015-03-31/event-source-mappings/uuid-of-sms': { State: 'Disabled' } },
      /PROBLEM {2}Workers .+paused: messages-send-text\. Next: npm run sending -- resume --stage prod$/,
    ],
    [
      { '/v2/email/configuration-sets/mailing': { SendingOptions: { SendingEnabled: false } } },
      /PROBLEM {2}Mail events .+paused: emails\. Next: npm run sending -- resume --stage prod$/,
    ],
    [{ '/v2/email/account': denied }, /PROBLEM {2}SES .+not authorized.+credentials/],
  ])('has a problem with its next step, and exits with 1: %j', async (changes, line) => {
    const { exitCode, lines } = await examined(changes);
    expect(lines).toContainEqual(expect.stringMatching(line));
    expect([exitCode, lines.at(-1)]).toEqual([1, '\n1 problem, 0 warnings.']);
  });

  it.each([
    [{ '/v2/email/identities/shop.example': identity }, /warning {2}Sender .+MAIL FROM.+bounces\.shop\.example/],
    [
      { '/v2/email/identities/shop.example': { ...identity, ...ownMailFrom, FeedbackForwardingStatus: true } },
      /warning {2}Sender .+mails each bounce.+--email-identity shop\.example --no-email-forwarding-enabled/,
    ],
    [
      {
        '/2016-08-19/account-settings': {
          AccountLimit: { ConcurrentExecutions: 10, UnreservedConcurrentExecutions: 10 },
        },
      },
      /warning {2}Concurrency .+10 functions.+RESERVED_CONCURRENCY=500/,
    ],
    [
      {
        '/2016-08-19/account-settings': {
          AccountLimit: { ConcurrentExecutions: 1_000, UnreservedConcurrentExecutions: 1_000 },
        },
        '/2019-09-30/functions/send-message-X1/concurrency': {},
      },
      /warning {2}Concurrency .+1000 of them are not reserved.+from sending and payments.+-c RESERVED_CONCURRENCY=500/,
    ],
    // What is reserved is for another stage.
    [
      { '/2019-09-30/functions/send-message-X1/concurrency': {} },
      /warning {2}Concurrency .+500 of them are not reserved\. prod has reserved none.+-c RESERVED_CONCURRENCY=500/,
    ],
    [
      {
        'PinpointSMSVoiceV2.DescribeAccountAttributes': {
          AccountAttributes: [{ Name: 'ACCOUNT_TIER', Value: 'SANDBOX' }],
        },
      },
      /warning {2}Sms .+sandbox.+verified numbers/,
    ],
    [
      { 'PinpointSMSVoiceV2.DescribeSpendLimits': spending(1, 1) },
      /warning {2}Sms .+up to \$1 a month\. Beyond that.+Next: Request a higher SMS spending quota/,
    ],
    [
      { 'PinpointSMSVoiceV2.DescribeSpendLimits': spending(1, 200) },
      /warning {2}Sms .+up to \$1 a month\..+set-text-message-spend-limit-override --monthly-limit 200$/,
    ],
    [
      {
        'PinpointSMSVoiceV2.DescribePhoneNumbers': {
          PhoneNumbers: [
            { PhoneNumberId: 'phone-1', PhoneNumber: '+18005550100', ...twoWay, TwoWayChannelArn: 'arn:of:another' },
          ],
        },
      },
      /warning {2}Opt-outs .+hears no STOP\. Next: .+two-way channel.+:sms-events, with self-managed opt-outs/,
    ],
  ])('warns, and exits with 0: %j', async (changes, line) => {
    const { exitCode, lines } = await examined(changes);
    expect(lines).toContainEqual(expect.stringMatching(line));
    expect([exitCode, lines.at(-1)]).toEqual([0, '\n0 problems, 1 warning.']);
  });

  it('warns of the sandbox of SES with the quota', async () => {
    const quota = { Max24HourSend: 200, MaxSendRate: 1, SentLast24Hours: 0 };
    const sandbox = { ProductionAccessEnabled: false, SendingEnabled: true, SendQuota: quota };
    const { lines } = await examined({ '/v2/email/account': sandbox });
    expect(lines[3]).toMatch(/^warning {2}SES .+sandbox.+0 of 200 emails.+production access/);
  });

  it('hears each STOP where the pool of a number leaves it to the platform, whatever the number itself has', async () => {
    const { lines } = await examined({
      'PinpointSMSVoiceV2.DescribePhoneNumbers': { PhoneNumbers: [pooled] },
      'PinpointSMSVoiceV2.DescribePools': {
        Pools: [{ PoolId: 'pool-1', ...twoWay, SelfManagedOptOutsEnabled: true }],
      },
    });
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}Opt-outs .+1 of 1\.$/));
  });

  it.each([
    '<Stacks/>',
    // CloudFormation has refused the change set of the first deployment.
    '<StackName>prod-data</StackName><StackStatus>REVIEW_IN_PROGRESS</StackStatus>',
  ])('checks an account before anything is deployed in it: %s', async (DescribeStacks) => {
    const { exitCode, lines } = await examined({ DescribeStacks });
    expect(lines[2]).toMatch(
      /^warning {2}Stacks .+prod is not deployed here yet\. Next: npm run deploy -- -c stage=prod/,
    );
    expect([exitCode, lines.at(-1)]).toEqual([0, '\n0 problems, 1 warning.']);
  });

  it.each(['<Stacks/>', ours])(
    'does not take a stack of others that begins with the name of the stage for one of it: %#',
    async (own) => {
      const other = '<StackName>prod-network</StackName><StackStatus>ROLLBACK_COMPLETE</StackStatus>';
      const { lines } = await examined({ DescribeStacks: other + own });
      expect(lines).toEqual((await examined({ DescribeStacks: own })).lines);
    },
  );

  it('needs the permissions that its page lists, and no other', async () => {
    await examined();
    const asked = [...aws.asked].map((question) => {
      const [, action] = permissions.find(([shape]) => shape.test(question)) ?? expect.fail(question);
      return action;
    });
    const page = readFileSync(join(import.meta.dirname, '../../shared/docs/pages/going-live.md'), 'utf8');
    const [, list = ''] = /^It reads, so your own AWS credentials need (.+)$/m.exec(page) ?? [];
    const listed = [...list.matchAll(/`([\w-]+:\w+)`/g)].map(([, action]) => action);
    expect(listed.toSorted()).toEqual([...new Set(asked)].filter((action) => action !== '').toSorted());
  });

  it('stops where AWS cannot be called at all', async () => {
    const { exitCode, lines } = await examined({ GetCallerIdentity: denied });
    expect(exitCode).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^PROBLEM {2}Credentials .+AWS_REGION/), '\n1 problem, 0 warnings.']);
  });
});
