import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
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
import * as z from 'zod';
import { type AttributeValue, attributesOf, valuesOf } from './attribute-values.ts';
import { AwsError, openAwsService, type Refused } from './aws-service.ts';
import type { AwsEndpoint, SignedPost } from './signed-post.ts';

/** The calls that this product makes, as the SDK's document client has them: with values in place of DynamoDB's JSON. */
interface Calls {
  readonly GetItem: readonly [GetCommandInput, GetCommandOutput];
  readonly BatchGetItem: readonly [BatchGetCommandInput, BatchGetCommandOutput];
  readonly Query: readonly [QueryCommandInput, QueryCommandOutput];
  readonly PutItem: readonly [PutCommandInput, PutCommandOutput];
  readonly UpdateItem: readonly [UpdateCommandInput, UpdateCommandOutput];
  readonly DeleteItem: readonly [DeleteCommandInput, DeleteCommandOutput];
  readonly BatchWriteItem: readonly [BatchWriteCommandInput, BatchWriteCommandOutput];
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

const optionalItem = z.custom<Readonly<Record<string, AttributeValue>>>().optional();

const reasons = z
  .object({
    Item: optionalItem,
    CancellationReasons: z.array(z.object({ Code: z.string().default(''), Item: optionalItem })).optional(),
  })
  .catch({});

/** Why DynamoDB did not do what it was asked, with the items that it was about. */
export class DynamoDbError extends AwsError {
  /** Of a failed condition. */
  readonly item: Readonly<Record<string, unknown>> | undefined;
  /** Of a cancelled transaction: for each write. */
  readonly CancellationReasons:
    | readonly { readonly Code: string; readonly item: Readonly<Record<string, unknown>> | undefined }[]
    | undefined;

  constructor(refused: Refused) {
    super(refused);
    const { Item, CancellationReasons } = reasons.parse(refused.body);
    this.item = Item && valuesOf(Item);
    this.CancellationReasons = CancellationReasons?.map(({ Code, Item: one }) => ({
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
  UnprocessedItems: (tables: ByTable<readonly { readonly PutRequest: { readonly Item: Attributes } }[]>) =>
    Object.fromEntries(
      Object.entries(tables).map(([table, requests]) => [
        table,
        requests.map(({ PutRequest: { Item } }) => ({ PutRequest: { Item: valuesOf(Item) } })),
      ]),
    ),
};

const decoded = (answer: object): object =>
  Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      value == null ? value : (readers[name]?.(value as never) ?? value),
    ]),
  );

/** The calls of DynamoDB, with plain values. `post` posts them in place of what `openSignedPost` opens. */
export const openDynamoDb = (endpoint: AwsEndpoint, post?: SignedPost): DynamoDb => {
  const service = openAwsService('dynamodb', endpoint, { errorOf: (refused) => new DynamoDbError(refused), post });
  return {
    send: async (name, input) => {
      const answer = await service.send({ target: `DynamoDB_20120810.${name}`, input: encoded(input) as object });
      return decoded(answer) as Awaited<ReturnType<DynamoDb['send']>>;
    },
  };
};
