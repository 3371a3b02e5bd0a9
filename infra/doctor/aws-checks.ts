import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { AwsNotCalled, type CallAws, environmentForAws, notCalled, openAwsCalls, textsIn } from '../aws-calls.ts';
import { type AwsAccount, AwsRefusal, openAwsAccount, requiredStacksOf } from './aws-account.ts';
import { type Check, type Finding, ok, problem, warning } from './finding.ts';
import { configurationSetFinding, mailFinding, senderFinding } from './mail-checks.ts';
import { optOutsFinding, smsFinding } from './sms-checks.ts';
import { batchesFinding, schedulesFinding, workersFinding } from './worker-checks.ts';

/** What a deployment needs of an AWS account. The credentials and the region are those of the environment. */
export const awsChecks = (stage: string): readonly Check[] => {
  const client = new DynamoDBClient({ maxAttempts: 2 });
  return checksOf(stage, openAwsCalls(client), () => client.config.region());
};

type AwsCheck = (account: AwsAccount, stage: string) => Promise<Finding>;

/** A check of what a deployment makes. `before`: what is said until the stage is deployed. */
const onceDeployed =
  (find: AwsCheck, before: string): AwsCheck =>
  async (account, stage) =>
    (await account.stacks()).length === 0 ? ok(before) : find(account, stage);

export const checksOf = (stage: string, call: CallAws, region: () => Promise<string>): readonly Check[] => {
  const account = openAwsAccount(call, stage);
  const [later, withStage] = ['It is checked once the stage is deployed.', `They come with ${stage}.`];
  const checks: Readonly<Record<string, AwsCheck>> = {
    Bootstrap: bootstrapFinding,
    Stacks: stacksFinding,
    SES: mailFinding,
    Sender: onceDeployed(senderFinding, later),
    'Mail events': onceDeployed(configurationSetFinding, later),
    Concurrency: concurrencyFinding,
    Workers: onceDeployed(workersFinding, withStage),
    Schedules: onceDeployed(schedulesFinding, withStage),
    'Parked batches': onceDeployed(batchesFinding, withStage),
    Alarms: onceDeployed(alarmsFinding, `They come with ${stage}: set ALARM_EMAIL.`),
    Sms: smsFinding,
    'Opt-outs': optOutsFinding,
  };
  return [
    { name: 'Credentials', isEssential: true, find: () => callerFinding(account, region) },
    ...Object.entries(checks).map(([name, find]) => ({ name, find: () => permitted(() => find(account, stage)) })),
  ];
};

/** What the caller may not look at may be anything, so it does not pass. */
const permitted = async (find: () => Promise<Finding>): Promise<Finding> => {
  try {
    return await find();
  } catch (thrown) {
    if (thrown instanceof AwsRefusal && isDenial(thrown))
      return problem(
        `This could not be checked, because AWS denied access: ${thrown.message}`,
        'Use credentials with the permissions that /docs/going-live lists.',
      );
    throw thrown;
  }
};

const isDenial = ({ status, message }: AwsRefusal): boolean =>
  [401, 403].includes(status) || /not authorized|AccessDenied/i.test(message);

const callerFinding = async ({ query }: AwsAccount, region: () => Promise<string>): Promise<Finding> => {
  try {
    const place = await region();
    const xml = await query('sts', '2011-06-15', 'GetCallerIdentity');
    return ok(`${textsIn(xml, 'Arn')[0]} in ${place}.`);
  } catch (thrown) {
    return problem(notCalled(thrown instanceof AwsNotCalled ? thrown.cause : thrown), environmentForAws);
  }
};

/** Below this version, CDK refuses to deploy our templates. */
const leastBootstrap = 6;
const parameter = z.object({ Parameter: z.object({ Value: z.string() }) });

const bootstrapFinding = async ({ jsonCall }: AwsAccount): Promise<Finding> => {
  try {
    const { Parameter } = await jsonCall(parameter, 'ssm', 'AmazonSSM.GetParameter', {
      Name: '/cdk-bootstrap/hnb659fds/version',
    });
    return Number(Parameter.Value) >= leastBootstrap
      ? ok(`Version ${Parameter.Value}.`)
      : problem(`Version ${Parameter.Value} is too old.`, 'npx cdk bootstrap');
  } catch (thrown) {
    if (!(thrown instanceof AwsRefusal && thrown.status === 400 && !/authorized/.test(thrown.message))) throw thrown;
    return problem('CDK has not been prepared in this account and region.', 'npx cdk bootstrap');
  }
};

const stacksFinding = async ({ stacks }: AwsAccount, stage: string): Promise<Finding> => {
  const all = await stacks();
  const bad = all.filter(({ status }) => /FAILED|^ROLLBACK/.test(status));
  const missing = requiredStacksOf(stage).filter((required) => all.every(({ name }) => name !== required));
  const undone = all.filter(({ status }) => status === 'UPDATE_ROLLBACK_COMPLETE');
  const moving = all.filter(({ status }) => status.endsWith('_IN_PROGRESS'));
  const named = (some: typeof all): string => some.map(({ name, status }) => `${name} (${status})`).join(', ');
  if (all.length === 0) return warning(`${stage} is not deployed here yet.`, `npm run deploy -- -c stage=${stage} …`);
  if (bad.length > 0)
    return problem(
      `Not as they should be: ${named(bad)}.`,
      'Read the events of the stack in CloudFormation, then deploy again.',
    );
  if (missing.length > 0 && moving.length === 0)
    return problem(`Not deployed: ${missing.join(', ')}.`, `npm run deploy -- -c stage=${stage} …`);
  if (undone.length > 0)
    return problem(
      `The last upgrade was undone: ${named(undone)}.`,
      `Read the events of the stack in CloudFormation, then npm run deploy -- -c stage=${stage} --force …`,
    );
  if (moving.length > 0) return warning(`Under way: ${named(moving)}.`, 'Wait until this is finished.');
  return ok(`${all.length} stacks of ${stage} are deployed.`);
};

const limits = z.object({
  AccountLimit: z.object({ ConcurrentExecutions: z.number(), UnreservedConcurrentExecutions: z.number() }),
});
const usualConcurrency = 1_000;

const reservation = z.object({ ReservedConcurrentExecutions: z.number().optional() });

/** Whether a deployed stage keeps runs of functions for itself. What is reserved in an AWS account may be for another stage or application. */
const reservesNothing = async ({ stacks, resource, get }: AwsAccount): Promise<boolean> => {
  if ((await stacks()).length === 0) return false;
  const sending = await resource('messaging', 'AWS::Lambda::Function', 'messages-send-message');
  const path = `/2019-09-30/functions/${encodeURIComponent(sending ?? '')}/concurrency`;
  return (await get(reservation, 'lambda', path)).ReservedConcurrentExecutions === undefined;
};

const concurrencyFinding = async (account: AwsAccount, stage: string): Promise<Finding> => {
  const { ConcurrentExecutions, UnreservedConcurrentExecutions } = (
    await account.get(limits, 'lambda', '/2016-08-19/account-settings')
  ).AccountLimit;
  const text = `${ConcurrentExecutions} functions may run at once, ${UnreservedConcurrentExecutions} of them are not reserved.`;
  if (ConcurrentExecutions < usualConcurrency)
    return warning(text, `Ask for ${usualConcurrency} in Service Quotas, then set RESERVED_CONCURRENCY=500.`);
  return stage === 'prod' && (await reservesNothing(account))
    ? warning(
        `${text} ${stage} has reserved none: a flood on one route can take them from sending and payments.`,
        'Deploy with -c RESERVED_CONCURRENCY=500.',
      )
    : ok(text);
};

const alarmsFinding = async ({ resource, pages }: AwsAccount, stage: string): Promise<Finding> => {
  const TopicArn = await resource('data', 'AWS::SNS::Topic', 'alarms');
  if (TopicArn === undefined) return problem(`${stage}-data has no topic of alarms.`, 'Deploy this release.');
  const listed = textsIn(
    await pages(['sns', '2010-03-31'], 'ListSubscriptionsByTopic', { TopicArn }),
    'SubscriptionArn',
  );
  // SNS goes on to list a subscription for some days after its end.
  const subscriptions = listed.filter((arn) => arn !== 'Deleted');
  const confirmed = subscriptions.filter((arn) => arn.startsWith('arn:'));
  if (subscriptions.length === 0)
    return problem(
      'The alarms have no recipient. If ALARM_EMAIL was set, its subscription was not confirmed in time, or was ended since.',
      `Deploy with -c ALARM_EMAIL=ops@your-domain.example or, if it was set, aws sns subscribe --topic-arn ${TopicArn} --protocol email --notification-endpoint ops@your-domain.example`,
    );
  return confirmed.length < subscriptions.length
    ? problem(
        `${subscriptions.length - confirmed.length} of ${subscriptions.length} subscriptions are not confirmed.`,
        'Open the link in the email from AWS Notifications within two days of its arrival.',
      )
    : ok(`${confirmed.length} confirmed ${confirmed.length === 1 ? 'subscription' : 'subscriptions'}.`);
};
