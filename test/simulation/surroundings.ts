import * as crypto from 'node:crypto';
import * as dynamodb from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { attributesOf } from '../../shared/aws/attribute-values.ts';
import { type AwsCall, AwsError } from '../../shared/aws/aws-service.ts';
import { type CallName, DynamoDbError } from '../../shared/aws/dynamodb.ts';
import type { RawMail } from '../../shared/providers/email/ses-call.ts';
import type { Surroundings } from './bundle-functions.ts';
import { gatewayUrls } from './gateways.ts';
import type { Machine } from './machine.ts';
import { remembering } from './remembering.ts';
import * as seals from './seals.ts';
import type { SimulatedServices } from './services.ts';

/** What every call of the product goes to: that of the seed that runs now. */
export interface Current {
  machine: Machine;
  services: SimulatedServices;
  /** Takes what the product logs. */
  note(line: string): void;
}

type Input = Readonly<Record<string, unknown>>;

/** As the store of files calls `fetch`, and what reads the templates of Meta. */
interface Fetched {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const settings: Readonly<Record<string, string>> = {
  AWS_REGION: 'us-east-1',
  LOG_LEVEL: 'error',
  TABLE_NAME: 'table',
  MASTER_KEY_ID: 'key',
  PUBLIC_BASE_URL: 'https://api.example.com',
  PLATFORM_EMAIL: 'no-reply@platform.example',
  PEOPLE_EMAIL: 'sign-in@platform.example',
  MAIL_CONFIGURATION_SET: 'mail',
  SEND_GIVE_UP_SECONDS: '60',
  TEXT_GIVE_UP_SECONDS: '900',
  WEBHOOK_TARGETS: 'public',
  WEBHOOK_RETRY_DELAYS: '5,60,300,1800',
  SMS_PROVIDER: 'simulator',
  WHATSAPP_PROVIDER: 'none',
  SIMULATOR_URL: 'https://provider.example.com',
  SIM_TIMEOUT_SECONDS: '60',
  CHECKOUT_SESSION_TTL: '86400',
  SSLCOMMERZ_URL: gatewayUrls.sslcommerz,
  BKASH_URL: gatewayUrls.bkash,
  SCHEDULE_GROUP: 'group',
  SCHEDULER_ROLE_ARN: 'role',
  TOPIC_ARN: 'topic',
  FILES_BUCKET: 'files',
};

/** Which of the simulated services takes a call. */
const callsOf = { kms: 'keys', scheduler: 'schedules', sqs: 'queues', 'sms-voice': 'sms' } as const;

const documentCommands: Readonly<Record<CallName, string>> = {
  GetItem: 'GetCommand',
  BatchGetItem: 'BatchGetCommand',
  Query: 'QueryCommand',
  PutItem: 'PutCommand',
  UpdateItem: 'UpdateCommand',
  DeleteItem: 'DeleteCommand',
  BatchWriteItem: 'BatchWriteCommand',
  TransactWriteItems: 'TransactWriteCommand',
};

/** A refusal of the table in memory, which speaks as the SDK's document client does, as the product gets it. */
const asFromDynamoDb = (thrown: unknown): unknown => {
  const refused =
    thrown instanceof dynamodb.ConditionalCheckFailedException ||
    thrown instanceof dynamodb.TransactionCanceledException;
  if (!refused) return thrown;
  const itemIn = ({ Item }: { readonly Item?: Record<string, dynamodb.AttributeValue> | undefined }) =>
    Item && { Item: attributesOf(unmarshall(Item)) };
  const { name, message } = thrown;
  const more =
    thrown instanceof dynamodb.TransactionCanceledException
      ? { CancellationReasons: thrown.CancellationReasons?.map((one) => ({ Code: one.Code, ...itemIn(one) })) }
      : itemIn(thrown);
  return new DynamoDbError({ status: 400, body: { __type: name, message, ...more } });
};

/** A queue's URL and ARN end with its name. */
const setting = (name: string): string | undefined => {
  const known = settings[name];
  if (known !== undefined) return known;
  const queue = /^(.*)_QUEUE_(URL|ARN)$/.exec(name)?.[1];
  if (queue === undefined) return undefined;
  const words = queue.toLowerCase().replaceAll('_', '-');
  return name.endsWith('URL') ? `https://sqs.example.com/1/${words}` : `arn:aws:sqs:us-east-1:1:${words}`;
};

/** Time, chance and the services of AWS as the product sees them, all of the seed that runs now. */
export const surroundingsOf = (current: Current): Surroundings => {
  const nowMs = () => current.machine.timeline.nowMs();
  const random = () => current.machine.run().random;

  class SimulatedDate extends Date {
    constructor(given: number | string | Date = nowMs()) {
      super(given);
    }
    static override now(): number {
      return nowMs();
    }
  }

  const later = (act: () => void, ms: number) => current.machine.startTimer(act, ms);

  const services = () => current.services;
  const modules = {
    'node:crypto': {
      ...crypto,
      ...seals,
      randomUUID: () => random().uuid(),
      randomBytes: (length: number) => random().bytes(length),
    },
    'node:timers/promises': { setTimeout: (ms: number) => current.machine.sleep(ms) },
    'node:timers': { setTimeout: later },
    'simulated:dynamodb': {
      DynamoDbError,
      openDynamoDb: () => ({
        send: (name: CallName, input: object) =>
          services()
            .table({ name: documentCommands[name], input: input as Input })
            .catch((thrown) => {
              throw asFromDynamoDb(thrown);
            }),
      }),
    },
    'simulated:aws-service': {
      AwsError,
      openAwsService: (service: keyof typeof callsOf) => ({
        send: ({ target, path, input }: AwsCall) => {
          const [, name = 'CreateSchedule'] = target?.split('.') ?? [];
          return services()[callsOf[service]]({ name, input: { ...input, Name: path } });
        },
      }),
    },
    'simulated:signed-post': {
      // As the local S3 has it, which verifies what is signed with it.
      callerOfFunction: () => ({
        region: settings['AWS_REGION'],
        credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      }),
      endpointForFunction: () => ({}),
      urlIn: (_: string, service: string) => `https://${service}.example.com`,
    },
    'simulated:ses-call': {
      openSesCall: () => (mail: RawMail) => services().email(mail),
    },
    'simulated:once': { once: onceIn(current) },
    'simulated:pinned-request': { pinnedRequest: () => (request: never) => services().http(request) },
    'simulated:mime': { mimeOf: (mail: object) => Buffer.from(JSON.stringify(mail)) },
    'simulated:sns-messages': { snsMessages: () => ({ isGenuine: async () => true, confirm: async () => undefined }) },
  };

  const globals = {
    Date: SimulatedDate,
    performance: { now: () => nowMs() },
    Math: Object.defineProperties(
      { random: () => random().next() },
      Object.fromEntries(Object.entries(Object.getOwnPropertyDescriptors(Math)).filter(([name]) => name !== 'random')),
    ),
    process: {
      env: new Proxy({}, { get: (_, name) => setting(String(name)) }),
      stdout: { write: (line: string) => current.note(line) },
    },
    fetch: (to: string | URL, { method = 'GET', headers, body = new Uint8Array() }: Fetched) => {
      const url = new URL(to);
      return url.host.includes('.s3.')
        ? services().files({ method, headers, url, body: Buffer.from(body) })
        : services().web({ method, headers, url: url.href, body: String(body) });
    },
    setTimeout: later,
    clearTimeout: (timer: { isCleared: boolean } | undefined) => {
      if (timer) timer.isCleared = true;
    },
    AbortSignal: { timeout: () => new AbortController().signal },
  };
  return { modules, globals };
};

/** What an instance of a function makes once: another instance makes its own. */
const onceIn =
  (current: Current) =>
  <T>(make: () => T) => {
    const place = Symbol('once');
    return (): T => {
      const { made } = current.machine.run();
      if (!made.has(place)) made.set(place, make());
      return made.get(place) as T;
    };
  };

const openedKeys = remembering<string>();
/** The key that a sealed key opens to, for its account. */
export const openedKey = (sealed: string, accountId: string): string =>
  openedKeys(`${sealed} ${accountId}`, () =>
    crypto.createHash('sha256').update(sealed, 'base64').update(accountId).digest('base64'),
  );
