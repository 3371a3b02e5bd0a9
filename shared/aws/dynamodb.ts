import * as http from 'node:http';
import * as https from 'node:https';
import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { InternalError } from '../kit/internal-error.ts';
import { type AttributeValue, attributesOf, valuesOf } from './attribute-values.ts';

/** The calls that this product makes, as the SDK's document client has them: with values in place of DynamoDB's JSON. */
interface Calls {
  readonly GetItem: readonly [GetCommandInput, GetCommandOutput];
  readonly BatchGetItem: readonly [BatchGetCommandInput, BatchGetCommandOutput];
  readonly Query: readonly [QueryCommandInput, QueryCommandOutput];
  readonly PutItem: readonly [PutCommandInput, PutCommandOutput];
  readonly UpdateItem: readonly [UpdateCommandInput, UpdateCommandOutput];
  readonly DeleteItem: readonly [DeleteCommandInput, DeleteCommandOutput];
  readonly TransactWriteItems: readonly [TransactWriteCommandInput, TransactWriteCommandOutput];
}

export type CallName = keyof Calls;

export interface DynamoDb {
  /**
   * Makes a call once.
   * @throws DynamoDbError when DynamoDB refuses it, or the error of the connection; `TimeoutError` after four seconds
   */
  readonly send: <Name extends CallName>(name: Name, input: Calls[Name][0]) => Promise<Calls[Name][1]>;
}

type SignerSettings = ConstructorParameters<typeof SignatureV4>[0];

export interface DynamoDbSettings extends Pick<SignerSettings, 'credentials' | 'region' | 'sha256'> {
  readonly url: string;
}

const answerWithinMs = 4_000;
/** Connections are kept between calls. One that broke meanwhile is an error that is repeated on another. */
const agents = { keepAlive: true, maxSockets: 50 } as const;

const refusal = z.object({
  __type: z.string().default('InternalServerError'),
  message: z.string().optional(),
  Message: z.string().optional(),
  Item: z.custom<Readonly<Record<string, AttributeValue>>>().optional(),
  CancellationReasons: z
    .array(
      z.object({ Code: z.string().optional(), Item: z.custom<Readonly<Record<string, AttributeValue>>>().optional() }),
    )
    .optional(),
});

/** Why DynamoDB did not do what it was asked, with the name that AWS gives it, and with the items that it was about. */
export class DynamoDbError extends Error {
  readonly $metadata: { readonly httpStatusCode: number; readonly requestId: string | undefined };
  /** Of a failed condition. */
  readonly item: Readonly<Record<string, unknown>> | undefined;
  /** Of a cancelled transaction: for each write. */
  readonly CancellationReasons:
    | readonly { readonly Code: string; readonly item: Readonly<Record<string, unknown>> | undefined }[]
    | undefined;

  constructor(status: number, requestId: string | undefined, body: unknown) {
    const { __type, message, Message, Item, CancellationReasons } = refusal
      .catch({ __type: 'InternalServerError' })
      .parse(body);
    super(message ?? Message ?? `DynamoDB answered ${status}`);
    this.name = __type.split('#').at(-1) ?? __type;
    this.$metadata = { httpStatusCode: status, requestId };
    this.item = Item && valuesOf(Item);
    this.CancellationReasons = CancellationReasons?.map(({ Code = '', Item: one }) => ({
      Code,
      item: one && valuesOf(one),
    }));
  }
}

/** Fields of a call that have items, keys or values. */
const valued = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

const encoded = (input: unknown): unknown => {
  if (Array.isArray(input)) return input.map(encoded);
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (valued.has(name)) return [name, value && attributesOf(value)];
      return [name, name === 'Keys' ? value.map(attributesOf) : encoded(value)];
    }),
  );
};

type Attributes = Readonly<Record<string, AttributeValue>>;
type ByTable<Value> = Readonly<Record<string, Value>>;

/** How the fields of an answer are read; others stay as they are. */
const readers: Readonly<Record<string, (value: never) => unknown>> = {
  Attributes: valuesOf,
  Item: valuesOf,
  LastEvaluatedKey: valuesOf,
  Items: (items: readonly Attributes[]) => items.map(valuesOf),
  Responses: (tables: ByTable<readonly Attributes[]>) =>
    Object.fromEntries(Object.entries(tables).map(([table, items]) => [table, items.map(valuesOf)])),
  UnprocessedKeys: (tables: ByTable<{ readonly Keys: readonly Attributes[] }>) =>
    Object.fromEntries(
      Object.entries(tables).map(([table, { Keys, ...rest }]) => [table, { ...rest, Keys: Keys.map(valuesOf) }]),
    ),
};

const decoded = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      value == null ? value : (readers[name]?.(value as never) ?? value),
    ]),
  );

/**
 * DynamoDB over HTTP. Calls are signed by the SDK's signer and made without its client, which takes two and a half times the processor time of a call, and
 * is half of what a function loads.
 */
export const openDynamoDb = ({ url, ...settings }: DynamoDbSettings): DynamoDb => {
  const signer = new SignatureV4({ service: 'dynamodb', ...settings });
  const { protocol, hostname, port, host } = new URL(url);
  const agent = protocol === 'https:' ? new https.Agent(agents) : new http.Agent(agents);
  const { request } = protocol === 'https:' ? https : http;

  const post = (headers: Readonly<Record<string, string>>, body: string) =>
    new Promise<{ readonly status: number; readonly requestId: string | undefined; readonly text: string }>(
      (resolve, reject) => {
        const sent = request({ hostname, port, agent, headers, method: 'POST', path: '/' }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => void chunks.push(chunk));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            resolve({
              status: response.statusCode ?? 0,
              requestId: response.headers['x-amzn-requestid']?.toString(),
              text: Buffer.concat(chunks).toString(),
            });
          });
        });
        const fail = (error: Error): void => {
          clearTimeout(timer);
          reject(error);
        };
        const timer = setTimeout(() => sent.destroy(timedOut()), answerWithinMs);
        sent.on('error', fail);
        sent.end(body);
      },
    );

  return {
    send: async (name, input) => {
      const body = JSON.stringify(encoded(input));
      const { headers } = await signer.sign({
        method: 'POST',
        protocol,
        hostname,
        ...(port && { port: Number(port) }),
        path: '/',
        query: {},
        headers: { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${name}` },
        body,
      });
      const { status, requestId, text } = await post(headers, body);
      const answer: unknown = parsed(text);
      if (status !== 200 || typeof answer !== 'object' || answer === null)
        throw new DynamoDbError(status, requestId, answer);
      return decoded(answer) as Awaited<ReturnType<DynamoDb['send']>>;
    },
  };
};

/** With the name by which `retried` knows it. */
const timedOut = (): Error =>
  Object.assign(new InternalError('DynamoDB did not answer in time'), { name: 'TimeoutError' });

/** What is not JSON comes from something between. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
