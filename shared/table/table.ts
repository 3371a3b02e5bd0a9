import { randomBytes, randomUUID } from 'node:crypto';
import type {
  BatchGetCommandOutput,
  BatchWriteCommandOutput,
  PutCommandInput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { isPassingCode, pauseAfter, retried } from '../aws/aws-retry.ts';
import { type DynamoDb, DynamoDbError } from '../aws/dynamodb.ts';
import type { ItemKey } from './keys.ts';
import { type CountedStretch, type Partition, questionOf, type Stretch } from './question.ts';

export type Item = Readonly<Record<string, unknown>>;
/** The input of a call, without the name of the table, which is added here. */
type WithoutTable<T> = Omit<T, 'TableName'>;

type Transacted = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Part<Kind extends keyof Transacted> = { readonly [K in Kind]: WithoutTable<NonNullable<Transacted[K]>> };

/** One write of a transaction, as DynamoDB has it, but for the table's name. */
export type Write = Part<'Put'> | Part<'Update'> | Part<'Delete'> | Part<'ConditionCheck'>;

export type Updated =
  | { readonly done: true; readonly item: Item }
  | { readonly done: false; readonly item: Item | undefined };

/**
 * The writes of a transaction, or how they are built for each try. After a try that wrote nothing because other calls were at its items,
 * `collided` has the positions of the writes that met them, and `throttled` of those whose partition took no more: the next try may take another
 * way.
 */
export type Writes =
  | readonly Write[]
  | ((collided: readonly number[], throttled: readonly number[]) => readonly Write[]);

/** Nothing was written, because the condition of at least one write did not hold. `failed` has its position, and the item that was there. */
export interface Refused {
  readonly failed: readonly { readonly position: number; readonly item: Item | undefined }[];
}

/** The parameters of `update`. It sets the returned values itself, and puts the condition in parentheses. */
type Update = Omit<WithoutTable<UpdateCommandInput>, 'ReturnValues' | 'ReturnValuesOnConditionCheckFailure'>;

/** What is read of a partition, and in which order: `limit` items at most. */
export interface Read extends Stretch {
  readonly newestFirst: boolean;
  readonly limit?: number;
}

interface CountLimits {
  readonly most?: number;
  readonly mostMegabytes?: number;
  readonly ifMore?: number;
}

/** DynamoDB takes no more in one transaction. */
export const mostWrites = 100;
const mostGotPerCall = 100;
const mostPutPerCall = 25;

/**
 * The one table, seen through the calls that this product makes. Reads are strongly consistent unless an index is asked. Conflicts, throttles
 * and lost answers are waited out: every call is repeated until its deadline, and a write that was carried out already is not carried out
 * again by the repetition.
 * @throws Unavailable when the deadline passes; a write may have been carried out then
 */
export const openTable = ({ send }: DynamoDb, name: string) => {
  /** All pages of one query: DynamoDB returns 1 MB at a time. `later`: what is asked of those after the first. */
  async function* answers(
    partition: Partition,
    stretch: CountedStretch,
    wishes: Pick<QueryCommandInput, 'ScanIndexForward' | 'Limit' | 'Select'>,
    later: Pick<QueryCommandInput, 'ConsistentRead'> = {},
  ): AsyncGenerator<QueryCommandOutput> {
    // DynamoDB refuses a stretch that ends before it begins, for example of a cursor from another period.
    if (stretch.from > stretch.to) return;
    const question = { TableName: name, ...questionOf(partition, stretch), ...wishes };
    let start: QueryCommandInput['ExclusiveStartKey'];
    do {
      const page = { ...question, ...(start && later), ExclusiveStartKey: start };
      const answer: QueryCommandOutput = await retried(() => send('Query', page));
      yield answer;
      start = answer.LastEvaluatedKey;
    } while (start);
  }

  /** A stretch of a partition in the order of its sort key, in the parts in which it is read: `limit` items, or all there are. */
  async function* parts(
    partition: Partition,
    { newestFirst, limit, ...stretch }: Read,
  ): AsyncGenerator<readonly Item[]> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const { Items = [] } of answers(partition, stretch, { ScanIndexForward: !newestFirst, Limit: limit })) {
      yield Items.length > left ? Items.slice(0, left) : Items;
      left -= Items.length;
      if (left <= 0) return;
    }
  }

  return {
    parts,

    get: async (key: ItemKey): Promise<Item | undefined> => {
      const wanted = { TableName: name, Key: key, ConsistentRead: true };
      return (await retried(() => send('GetItem', wanted))).Item;
    },

    /** These items, in the order of their keys; undefined where there is none, or no key. A key may be there twice. */
    getAll: async (keys: readonly (ItemKey | undefined)[]): Promise<(Item | undefined)[]> => {
      const found = new Map<string, Item>();
      const wanted = keys.flatMap((key) => (key ? [[textOf(key), { PK: key.PK, SK: key.SK }] as const] : []));
      let open: Record<string, unknown>[] = [...new Map(wanted).values()];
      let unprocessed = 0;
      while (open.length > 0) {
        const RequestItems = { [name]: { Keys: open.slice(0, mostGotPerCall), ConsistentRead: true } };
        const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await retried(() =>
          send('BatchGetItem', { RequestItems }),
        );
        for (const item of Responses?.[name] ?? []) found.set(textOf(item), item);
        const left = UnprocessedKeys?.[name]?.Keys ?? [];
        open = [...open.slice(mostGotPerCall), ...left];
        if (left.length > 0) await pauseAfter(++unprocessed);
      }
      return keys.map((key) => key && found.get(textOf(key)));
    },

    /** Whether something is there or not, so a repetition changes nothing. */
    put: async (input: WithoutTable<PutCommandInput>): Promise<void> => {
      await retried(() => send('PutItem', { TableName: name, ...input }));
    },

    /** Puts several items, each by itself: after an error some may be there. A repetition changes nothing. */
    putAll: async (items: readonly Item[]): Promise<void> => {
      let open = items.map((Item) => ({ PutRequest: { Item } }));
      let unprocessed = 0;
      while (open.length > 0) {
        const RequestItems = { [name]: open.slice(0, mostPutPerCall) };
        const { UnprocessedItems }: BatchWriteCommandOutput = await retried(() =>
          send('BatchWriteItem', { RequestItems }),
        );
        const left = (UnprocessedItems?.[name] ?? []) as typeof open;
        open = [...open.slice(mostPutPerCall), ...left];
        if (left.length > 0) await pauseAfter(++unprocessed);
      }
    },

    /** Puts an item if none exists; otherwise returns the existing one. */
    add: async (item: Item): Promise<Item | undefined> => {
      const writeId = newWriteId();
      const put: PutCommandInput = {
        TableName: name,
        Item: { ...item, writeId },
        ConditionExpression: 'attribute_not_exists(PK)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      };
      try {
        await retried(() => send('PutItem', put));
        return undefined;
      } catch (thrown) {
        const known = conditionFailedIn(thrown).item ?? {};
        return known['writeId'] === writeId ? undefined : known;
      }
    },

    /** One update under its condition: the item as it is afterwards or, where the condition did not hold, as it was. */
    update: async (input: Update): Promise<Updated> => {
      const writeId = newWriteId();
      const update: UpdateCommandInput = {
        TableName: name,
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ...onceOnly(input, writeId),
      };
      try {
        const { Attributes } = await retried(() => send('UpdateItem', update));
        return { done: true, item: Attributes ?? {} };
      } catch (thrown) {
        const { item } = conditionFailedIn(thrown);
        return item?.['writeId'] === writeId ? { done: true, item } : { done: false, item };
      }
    },

    remove: async (key: ItemKey): Promise<void> => {
      await retried(() => send('DeleteItem', { TableName: name, Key: key }));
    },

    /** All parts of a stretch. */
    query: async (partition: Partition, read: Read): Promise<Item[]> => {
      const items: Item[] = [];
      for await (const part of parts(partition, read)) items.push(...part);
      return items;
    },

    /**
     * How many items a stretch of a partition has, up to `most`, and of those the last that lie in `mostMegabytes`; `ifMore`: what it gives where
     * others do not. Costs as much as reading them, or half: what lies behind the first megabyte is not read consistently.
     */
    count: async (
      partition: Partition,
      stretch: CountedStretch,
      { most = Number.POSITIVE_INFINITY, mostMegabytes = Number.POSITIVE_INFINITY, ifMore }: CountLimits = {},
    ): Promise<number> => {
      let [total, megabytes] = [0, 0];
      const wishes = { Select: 'COUNT', ScanIndexForward: false } as const;
      for await (const { Count = 0, LastEvaluatedKey } of answers(partition, stretch, wishes, {
        ConsistentRead: false,
      })) {
        total += Count;
        megabytes += 1;
        if (total >= most) return most;
        if (megabytes >= mostMegabytes && LastEvaluatedKey) return ifMore ?? total;
      }
      return total;
    },

    /** All writes or none. Returns undefined when done, or the writes whose condition failed. */
    transact: async (writes: Writes): Promise<Refused | undefined> => {
      const callAfter = (collided: readonly number[], throttled: readonly number[]): TransactWriteCommandInput => ({
        ClientRequestToken: randomUUID(),
        TransactItems: (typeof writes === 'function' ? writes(collided, throttled) : writes).map((write) =>
          inTable(name, write),
        ),
      });
      let call = callAfter([], []);
      let mayBeDone = false;
      const attempt = async () => {
        try {
          await send('TransactWriteItems', call);
        } catch (thrown) {
          const collided = collidedIn(thrown);
          // After a lost answer, only the same writes under the same token are certain to be carried out once.
          mayBeDone ||= collided.length === 0;
          if (!mayBeDone) call = callAfter(collided, collidedIn(thrown, isThrottlingCode));
          throw thrown;
        }
      };
      try {
        await retried(attempt);
        return undefined;
      } catch (thrown) {
        const refused = refusalIn(reasonsIn(thrown));
        if (!refused) throw thrown;
        return refused;
      }
    },
  };
};

export type Table = ReturnType<typeof openTable>;

/** A key as one text. */
const textOf = ({ PK, SK }: { readonly PK?: unknown; readonly SK?: unknown }): string => `${PK}\n${SK}`;

const inTable = (name: string, write: Write): Transacted =>
  Object.fromEntries(
    Object.entries(write).map(([kind, input]) => [
      kind,
      { TableName: name, ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input },
    ]),
  );

/** @throws what was thrown if it is not the refusal of a condition */
const conditionFailedIn = (thrown: unknown): DynamoDbError => {
  if (thrown instanceof DynamoDbError && thrown.name === 'ConditionalCheckFailedException') return thrown;
  throw thrown;
};

type Reasons = NonNullable<DynamoDbError['CancellationReasons']>;

/** Why a transaction was cancelled, by its writes; nothing of another error. */
const reasonsIn = (thrown: unknown): Reasons => (thrown instanceof DynamoDbError && thrown.CancellationReasons) || [];

const refusalIn = (reasons: Reasons): Refused | undefined => {
  const failed = reasons.flatMap(({ Code, item }, position) =>
    Code === 'ConditionalCheckFailed' ? [{ position, item }] : [],
  );
  return failed.length > 0 ? { failed } : undefined;
};

/** The writes that met another transaction or a throttled partition, by their position. */
const collidedIn = (thrown: unknown, isMeant: (code: string) => boolean = isPassingCode): number[] =>
  reasonsIn(thrown).flatMap(({ Code }, position) => (isMeant(Code) ? [position] : []));

const isThrottlingCode = (code: string): boolean => /^(Throttling|Throttled|ProvisionedThroughputExceeded)/.test(code);

const newWriteId = (): string => randomBytes(9).toString('base64url');

/**
 * Leaves the write's id in the item, and refuses an item that has it: so a repetition does not write again, and recognizes the write whose
 * answer was lost. Writes of transactions leave the id as it is, because those are recognized by their own token.
 */
const onceOnly = (input: Update, writeId: string): Update => {
  const isNotWritten = 'NOT #writeId = :writeId';
  const { UpdateExpression = '', ConditionExpression: condition } = input;
  return {
    ...input,
    UpdateExpression: /\bSET /.test(UpdateExpression)
      ? UpdateExpression.replace(/\bSET /, 'SET #writeId = :writeId, ')
      : `${UpdateExpression} SET #writeId = :writeId`,
    ConditionExpression: condition === undefined ? isNotWritten : `(${condition}) AND ${isNotWritten}`,
    ExpressionAttributeNames: { ...input.ExpressionAttributeNames, '#writeId': 'writeId' },
    ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':writeId': writeId },
  };
};
