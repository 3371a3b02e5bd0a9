import type { Node } from 'constructs';
import * as z from 'zod';
import { byDistance, distance } from './nearest-names.ts';

const numberIn = (format: RegExp, kind: string) => (least: number, most: number) =>
  z.string().refine((text) => format.test(text) && Number(text) >= least && Number(text) <= most, {
    error: `must be a ${kind} from ${least} to ${most}`,
  });
const wholeNumber = numberIn(/^\d{1,9}$/, 'whole number');
const seconds = numberIn(/^\d{1,9}(\.\d{1,3})?$/, 'number of seconds');

const retryDelay = seconds(0, 604_800);

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const isBaseUrl = (text: string): boolean =>
  text === '' || (/^https?:/.test(text) && URL.canParse(text) && !text.endsWith('/'));

/** DynamoDB refuses less than a table on demand has anyway. */
const isWarmThroughput = (text: string): boolean => {
  const [reads = 0, writes = 0] = /^\d{1,9},\d{1,9}$/.test(text) ? text.split(',').map(Number) : [];
  return text === '' || (reads >= 12_000 && writes >= 4_000);
};

const domain = z
  .string()
  .regex(/^(([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63})?$/, {
    error: 'must be empty or a domain in small letters',
  })
  .default('');
const baseUrl = z
  .string()
  .refine(isBaseUrl, { error: 'must be empty or an http(s) URL without a slash at its end' })
  .default('');

/** The settings of a deployment, with their defaults. Set them as CDK context (`-c NAME=value`) or, for `npm start`, in the environment. */
const schemas = {
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'off']).default('info'),
  /** The sender's address when the account's own domain is not verified. On AWS it must be a verified identity of SES; `prod` requires it. */
  PLATFORM_EMAIL: z.email('must be an email address').default('no-reply@platform.example'),
  /** The sender's address of the platform's own mails: links to sign in, invitations, notices. No account sends from it. Empty: PLATFORM_EMAIL. */
  PEOPLE_EMAIL: z.literal('').or(z.email('must be empty or an email address')).default(''),
  /** Seconds after which a send can no longer be running: more than any function's timeout, and no more than SQS delays a job. */
  SEND_GIVE_UP_SECONDS: seconds(0, 900).default('60'),
  /** Seconds to wait for a report of an sms or whatsapp message that a provider may have accepted. */
  TEXT_GIVE_UP_SECONDS: seconds(0, 900).default('900'),
  /** Which addresses are called where accounts set webhook targets, sms gateways and logos: `public` ones only, or `any`. */
  WEBHOOK_TARGETS: oneOf(['public', 'any']).default('public'),
  /** Seconds before each retry of a webhook delivery, counted from the end of the previous attempt. Tests may want fewer than four. */
  WEBHOOK_RETRY_DELAYS: z
    .string()
    .refine((text) => text.split(',').every((one) => retryDelay.safeParse(one).success), {
      error: 'must be numbers of seconds up to a week with commas between them',
    })
    .default('5,60,300,1800'),
  /** Seconds until an open checkout session expires. */
  CHECKOUT_SESSION_TTL: seconds(0, 31_536_000).default('86400'),
  /** Seconds until a pending test payment of the amount 1002 expires. */
  SIM_TIMEOUT_SECONDS: seconds(0, 900).default('60'),
  /** Base URLs that replace the payment gateways' own hosts, without a trailing slash. Empty: their own hosts. */
  SSLCOMMERZ_URL: baseUrl,
  BKASH_URL: baseUrl,
  /** The sms provider of accounts that have not chosen one: `aws`, `simulator` (on the local stack only), or `none`. */
  SMS_PROVIDER: oneOf(['aws', 'simulator', 'none']).default('aws'),
  /** The WhatsApp provider of accounts that have not chosen one: `simulator` or `none`. WhatsApp messages require an account with Meta. */
  WHATSAPP_PROVIDER: oneOf(['simulator', 'none']).default('none'),
  /**
   * Concurrent runs that are reserved for sending messages and for checkout, of the Lambda quota of the account; 0: none. Workers get what
   * their queues may start in addition. 500 fits a quota of 1,000, with up to 36,000 writes of WARM_THROUGHPUT.
   */
  RESERVED_CONCURRENCY: wholeNumber(0, 99_999).default('0'),
  /** Who gets the alarms, by email. Empty: no recipient. */
  ALARM_EMAIL: z.literal('').or(z.email('must be empty or an email address')).default(''),
  /** Read and write units a second that the table of the stage `prod` can take from the beginning: `12000,4000` is what a new table has. Empty: that. */
  WARM_THROUGHPUT: z
    .string()
    .refine(isWarmThroughput, { error: 'must be empty or reads,writes: two whole numbers of at least 12000 and 4000' })
    .default(''),
  /**
   * The table that was restored in place of the own one, and its stream, as they stand in the ARN of the stream:
   * `name/stream/2026-11-20T12:00:00.000`. After another restore, both with a comma between them: the last one serves. Empty: the own table.
   */
  RESTORED_TABLE: z
    .string()
    .regex(/^([\w.-]{3,255}\/stream\/[\dT:.-]+(,(?=.)|$))*$/, {
      error: 'must be empty or <table>/stream/<label of its stream>, with a comma before that of each later restore',
    })
    .default(''),
  /** The key of KMS that a deployment of before has left, under which its table is encrypted. Empty: a key of the stage's own, made with it. */
  MASTER_KEY: z
    .string()
    .regex(/^(arn:aws[\w-]*:kms:[a-z\d-]+:\d{12}:key\/[\w-]+)?$/, { error: 'must be empty or the ARN of a key of KMS' })
    .default(''),
  /** The base URL of links in mails, without a trailing slash. Empty: the API's own domain or endpoint. */
  PUBLIC_BASE_URL: baseUrl,
  /** The API's own domain; its certificate is made with it. Empty: the endpoint that API Gateway gives. */
  DOMAIN_NAME: domain,
  /** The Route 53 zone of the domain, where its records are then made. Empty: an output names the record. */
  HOSTED_ZONE_ID: z
    .string()
    .regex(/^(Z[A-Z\d]{1,31})?$/, { error: 'must be empty or the id of a Route 53 zone' })
    .default(''),
  /** A firewall for CloudFront, in a stack of its own in us-east-1, whose outputs are the two settings below. About $11 a month. */
  EDGE_FIREWALL: oneOf(['on', 'off']).default('off'),
  /** The web ACL of a CloudFront distribution, which is then put before the API. Empty: clients call API Gateway itself. */
  EDGE_WEB_ACL: z
    .string()
    .regex(/^(arn:aws[\w-]*:wafv2:us-east-1:\d{12}:global\/webacl\/[\w-]+\/[\w-]+)?$/, {
      error: 'must be empty or the ARN of a web ACL for CloudFront',
    })
    .default(''),
  /** `on`: the API refuses what does not come through CloudFront. First its address must be known to all callers: links, DNS, callback URLs. */
  EDGE_ONLY: oneOf(['on', 'off']).default('off'),
  /** The certificate of DOMAIN_NAME that CloudFront uses. */
  EDGE_CERTIFICATE: z
    .string()
    .regex(/^(arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]+)?$/, {
      error: 'must be empty or the ARN of a certificate in us-east-1',
    })
    .default(''),
  /** A domain that SES signs and sends mail for. Outputs name its DNS records. Of the stages in one region, one may have it. Empty: none. */
  MAIL_DOMAIN: domain,
  /** Metrics of our own, made of log lines of level `info`. CloudWatch charges $0.30 a month for each that has values. */
  METRICS: oneOf(['on', 'off']).default('on'),
  /** Traces of X-Ray: of each function, one invocation a second and every twentieth of the others. $5 for a million beyond the first 100,000 a month. */
  TRACES: oneOf(['on', 'off']).default('off'),
  /** A CloudWatch dashboard of the stage, $3 a month beyond the first three of an AWS account. */
  DASHBOARD: oneOf(['on', 'off']).default('off'),
} as const satisfies Record<string, z.ZodType<string, string | undefined>>;

export type SettingName = keyof typeof schemas;

export const settingNames = Object.keys(schemas) as SettingName[];

/** The stages of a deployment. What `prod` stores outlives its stacks. */
const stages = ['dev', 'prod'] as const;

/** How `cdk` gets its permissions: from the roles that `cdk bootstrap` makes, or from the caller's own credentials. */
const synthesizers = ['bootstrap', 'cli-credentials'] as const;

/** What the command line chooses besides the settings, and the values that it may have. */
const choices: Readonly<Record<string, readonly unknown[]>> = { stage: stages, synthesizer: synthesizers };

/**
 * A setting's value.
 * @throws Error when it is not allowed, as `mistakesIn` says
 */
export const settingOf = (node: Pick<Node, 'tryGetContext'>, name: SettingName): string => {
  const { data, error } = parsed(name, node.tryGetContext(name));
  if (error) throw new Error(mistakeOf(name, error));
  return data;
};

/** The stage that the context names. */
export const stageOf = (node: Pick<Node, 'tryGetContext'>): string => String(node.tryGetContext('stage') ?? 'dev');

/** What the table can take before traffic has made it larger. Undefined: what a new one takes anyway. */
export const warmThroughputOf = (node: Pick<Node, 'tryGetContext'>) => {
  const [readUnitsPerSecond, writeUnitsPerSecond] = settingOf(node, 'WARM_THROUGHPUT').split(',').map(Number);
  return readUnitsPerSecond && writeUnitsPerSecond ? { readUnitsPerSecond, writeUnitsPerSecond } : undefined;
};

/** CDK parses a number or `true` of its configuration file, and a setting is a text. */
const parsed = (name: SettingName, value: unknown) =>
  (schemas[name] as z.ZodType<string>).safeParse(value === undefined ? undefined : String(value));

const mistakeOf = (name: string, { issues }: z.ZodError): string => `${name}: ${issues[0]?.message ?? 'is not valid'}`;

/** CDK puts names of its own into the context: with a `:` or a `/`, or like none of ours. */
const isOurs = (name: string): boolean => /^\w+$/.test(name) || (!/[:/]/.test(name) && suggestionFor(name) !== '');

/** What is wrong with the context of a deployment, or of the local stack, one sentence each. */
export const mistakesIn = (context: Readonly<Record<string, unknown>>, { isLocal = false } = {}): readonly string[] => {
  const given = Object.keys(context).filter(isOurs);
  return [
    ...given.flatMap((name) => {
      const value = context[name];
      if (isLocal && name === 'stage') return [];
      if (name in choices)
        return choices[name]?.includes(value) ? [] : [`${name}: must be one of ${choices[name]?.join(', ')}`];
      if (!isSetting(name)) return [`${name}: no setting has this name${suggestionFor(name)}`];
      const { error } = parsed(name, value);
      return error ? [mistakeOf(name, error)] : [];
    }),
    ...(context['stage'] === 'prod' && !('PLATFORM_EMAIL' in context)
      ? ['PLATFORM_EMAIL: is required in prod; set it to an address that SES has verified']
      : []),
    ...(context['HOSTED_ZONE_ID'] && !context['DOMAIN_NAME']
      ? ['HOSTED_ZONE_ID: is of no use without DOMAIN_NAME']
      : []),
    ...(context['EDGE_ONLY'] === 'on' && !context['EDGE_WEB_ACL']
      ? ['EDGE_ONLY: is of no use without EDGE_WEB_ACL']
      : []),
    ...(context['EDGE_WEB_ACL'] && context['DOMAIN_NAME'] && !context['EDGE_CERTIFICATE']
      ? ['EDGE_CERTIFICATE: is required with EDGE_WEB_ACL and DOMAIN_NAME; the stack of EDGE_FIREWALL makes one']
      : []),
    ...(isLocal ? [] : mistakesOnAws(context)),
  ];
};

/** More than the 25 s that a function may run. */
const leastGiveUpSeconds = 30;

/** What only tests on the local stack may shorten: on AWS, payers would find their session over, and messages would end before their reports. */
const leastSeconds = {
  SEND_GIVE_UP_SECONDS: leastGiveUpSeconds,
  TEXT_GIVE_UP_SECONDS: leastGiveUpSeconds,
  CHECKOUT_SESSION_TTL: 300,
} as const;

/** Values that are for the local stack only. On AWS they would return the credit of a mail that is being sent, silence alarms, or leave accounts without a provider. */
const mistakesOnAws = (context: Readonly<Record<string, unknown>>): readonly string[] => [
  ...Object.entries(leastSeconds).flatMap(([name, least]) =>
    Number(context[name] ?? least) < least ? [`${name}: must be at least ${least} on AWS`] : [],
  ),
  ...((parsed('WEBHOOK_RETRY_DELAYS', context['WEBHOOK_RETRY_DELAYS']).data?.split(',').length ?? 4) === 4
    ? []
    : ['WEBHOOK_RETRY_DELAYS: must be four on AWS, where subscribers are promised five attempts']),
  ...(context['LOG_LEVEL'] === 'off'
    ? ['LOG_LEVEL: off is on the local stack only; alarms read the lines of level error']
    : []),
  ...['SMS_PROVIDER', 'WHATSAPP_PROVIDER'].flatMap((name) =>
    context[name] === 'simulator' ? [`${name}: simulator is on the local stack only`] : [],
  ),
];

const isSetting = (name: string): name is SettingName => name in schemas;

const suggestionFor = (name: string): string => {
  const [nearest = ''] = byDistance(name, [...Object.keys(choices), ...settingNames]);
  return distance(name, nearest) <= name.length / 2 ? `; did you mean ${nearest}?` : '';
};
