import * as z from 'zod';
import type { AwsAccount } from './aws-account.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const providerOf = async ({ settings, stacks }: AwsAccount): Promise<string> => {
  if ((await stacks()).length === 0) return 'aws';
  return (await settings('work', 'messages-send-text'))['SMS_PROVIDER'] ?? 'aws';
};

const attributes = z.object({ AccountAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })) });
const spending = z.object({
  SpendLimits: z.array(z.object({ Name: z.string(), EnforcedLimit: z.number(), MaxLimit: z.number() })),
});

const settings = z.object({
  TwoWayEnabled: z.boolean().default(false),
  TwoWayChannelArn: z.string().optional(),
  SelfManagedOptOutsEnabled: z.boolean().default(false),
});
const phoneNumber = settings.extend({
  PhoneNumberId: z.string(),
  PhoneNumber: z.string(),
  PoolId: z.string().optional(),
});
type PhoneNumber = z.output<typeof phoneNumber>;

const page = z.object({ NextToken: z.string().optional() });
const numbers = page.extend({ PhoneNumbers: z.array(phoneNumber) });
const pools = page.extend({ Pools: z.array(settings.extend({ PoolId: z.string() })) });

const pagesOf = async <Page extends z.output<typeof page>>(
  { jsonCall }: AwsAccount,
  schema: z.ZodType<Page>,
  action: string,
): Promise<Page[]> => {
  const all: Page[] = [];
  let next: object | undefined = {};
  while (next) {
    const read: Page = await jsonCall(schema, 'sms-voice', `PinpointSMSVoiceV2.${action}`, next);
    all.push(read);
    next = read.NextToken === undefined ? undefined : { NextToken: read.NextToken };
  }
  return all;
};

/** Those in a pool with the settings of the pool. */
const allNumbers = async (account: AwsAccount): Promise<PhoneNumber[]> => {
  const allPools = (await pagesOf(account, pools, 'DescribePools')).flatMap(({ Pools }) => Pools);
  const byId = new Map(allPools.map((pool) => [pool.PoolId, pool]));
  const all = (await pagesOf(account, numbers, 'DescribePhoneNumbers')).flatMap(({ PhoneNumbers }) => PhoneNumbers);
  return all.map((number) => ({ ...number, ...byId.get(number.PoolId ?? '') }));
};

const cureOf = ({ PhoneNumberId, PoolId }: PhoneNumber): string => {
  const subject =
    PoolId === undefined ? `update-phone-number --phone-number-id ${PhoneNumberId}` : `update-pool --pool-id ${PoolId}`;
  return `aws pinpoint-sms-voice-v2 ${subject} --self-managed-opt-outs-enabled`;
};

/** Where the stage hears what is written to its numbers. Other two-way numbers of the AWS account are those of other applications. */
const topicOf = async ({ stacks, resource }: AwsAccount): Promise<string | undefined> =>
  (await stacks()).length === 0 ? undefined : resource('data', 'AWS::SNS::Topic', 'sms-events');

/** Whether the platform hears each STOP. Where AWS answers it, no account's consent changes, and AWS stops the texts of all accounts to that phone. */
export const optOutsFinding = async (account: AwsAccount): Promise<Finding> => {
  const provider = await providerOf(account);
  if (provider !== 'aws') return ok(`SMS_PROVIDER is ${provider}: each account sets up a gateway of its own.`);
  const topic = await topicOf(account);
  const twoWay = (await allNumbers(account)).filter(({ TwoWayEnabled }) => TwoWayEnabled);
  const own = twoWay.filter(({ TwoWayChannelArn }) => TwoWayChannelArn === topic);
  const deaf = own.filter(({ SelfManagedOptOutsEnabled }) => !SelfManagedOptOutsEnabled);
  if (topic !== undefined && own.length === 0 && twoWay.length > 0)
    return warning(
      'No two-way number writes to the stage: it hears no STOP.',
      `Set the two-way channel of its numbers to ${topic}, with self-managed opt-outs.`,
    );
  const cures = new Set(deaf.map(cureOf));
  return deaf.length > 0
    ? problem(
        `AWS answers STOP itself at ${deaf.map(({ PhoneNumber }) => PhoneNumber).join(', ')}: the platform hears nothing of it.`,
        [...cures].join(' && '),
      )
    : ok(`The platform hears each STOP: its two-way numbers are ${own.length} of ${twoWay.length}.`);
};

/** What AWS lets a new account spend on texts in a month, in dollars. */
const firstSpendLimit = 1;

/** Whether AWS sends texts to everybody, and how much. */
export const smsFinding = async (account: AwsAccount): Promise<Finding> => {
  const { jsonCall } = account;
  const provider = await providerOf(account);
  if (provider !== 'aws') return ok(`SMS_PROVIDER is ${provider}: each account sets up a gateway of its own.`);
  const { AccountAttributes } = await jsonCall(attributes, 'sms-voice', 'PinpointSMSVoiceV2.DescribeAccountAttributes');
  const { SpendLimits } = await jsonCall(spending, 'sms-voice', 'PinpointSMSVoiceV2.DescribeSpendLimits');
  const tier = AccountAttributes.find(({ Name }) => Name === 'ACCOUNT_TIER')?.Value;
  const limit = SpendLimits.find(({ Name }) => Name === 'TEXT_MESSAGE_MONTHLY_SPEND_LIMIT');
  const { EnforcedLimit = 0, MaxLimit = 0 } = limit ?? {};
  const text = `${tier === 'SANDBOX' ? 'In the sandbox' : 'Out of the sandbox'}, up to $${EnforcedLimit} a month.`;
  if (tier === 'SANDBOX')
    return warning(
      `${text} Only verified numbers receive texts.`,
      'Request production access in the console of AWS End User Messaging.',
    );
  return EnforcedLimit > firstSpendLimit
    ? ok(text)
    : warning(
        `${text} Beyond that, AWS sends no texts until the next month.`,
        MaxLimit > EnforcedLimit
          ? `aws pinpoint-sms-voice-v2 set-text-message-spend-limit-override --monthly-limit ${MaxLimit}`
          : 'Request a higher SMS spending quota of AWS End User Messaging in the AWS Support Center.',
      );
};
