import {
  type CancellationReason,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { type ItemKey, index } from './keys.ts';

export type Item = Readonly<Record<string, unknown>>;
type Named<T> = Omit<T, 'TableName'>;

type Transacted = NonNullable<TransactWriteCommandInput['TransactItems']>[number];
type Part<Kind extends keyof Transacted> = { readonly [K in Kind]: Named<NonNullable<Transacted[K]>> };

/** One write of a transaction, as DynamoDB has it, but for the table's name. */
export type Write = Part<'Put'> | Part<'Update'> | Part<'Delete'> | Part<'ConditionCheck'>;

export type Updated =
  | { readonly done: true; readonly item: Item }
  | { readonly done: false; readonly item: Item | undefined };

/** Nothing was written, because the condition of at least one write did not hold. `failed` has its position, and the item that was there. */
export interface Refused {
  readonly failed: readonly { readonly position: number; readonly item: Item | undefined }[];
}

const conflictTries = 8;
const mostGotPerCall = 100;

/** The one table, seen through the calls that this product makes. Reads are strongly consistent unless an index is asked. */
export const openTable = (client: DynamoDBClient, name: string) => {
  const document = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

  const transact = async (writes: readonly Write[], attempt = 1): Promise<Refused | undefined> => {
    try {
      await document.send(new TransactWriteCommand({ TransactItems: writes.map((write) => inTable(name, write)) }));
      return undefined;
    } catch (thrown) {
      if (!(thrown instanceof TransactionCanceledException)) throw thrown;
      const reasons = thrown.CancellationReasons ?? [];
      const refused = refusalIn(reasons);
      if (refused) return refused;
      if (attempt >= conflictTries || !reasons.some(isPassing)) throw thrown;
      await pause(attempt);
      return transact(writes, attempt + 1);
    }
  };

  /** All answers to one question: DynamoDB gives 1 MB at a time. */
  async function* answers(
    partition: Partition,
    stretch: Stretch,
    wishes: Pick<QueryCommandInput, 'ScanIndexForward' | 'Limit' | 'Select'>,
  ): AsyncGenerator<QueryCommandOutput> {
    const question = { TableName: name, ...questionOf(partition, stretch), ...wishes };
    let start: QueryCommandInput['ExclusiveStartKey'];
    do {
      const answer: QueryCommandOutput = await document.send(
        new QueryCommand({ ...question, ExclusiveStartKey: start }),
      );
      yield answer;
      start = answer.LastEvaluatedKey;
    } while (start);
  }

  return {
    get: async (key: ItemKey): Promise<Item | undefined> =>
      (await document.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }))).Item,

    /** These items, in the order of their keys; undefined where there is none. */
    getAll: async (keys: readonly ItemKey[]): Promise<(Item | undefined)[]> => {
      const found = new Map<string, Item>();
      let open: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
      while (open.length > 0) {
        const wanted = { [name]: { Keys: open.slice(0, mostGotPerCall), ConsistentRead: true } };
        const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await document.send(
          new BatchGetCommand({ RequestItems: wanted }),
        );
        for (const item of Responses?.[name] ?? []) found.set(`${item['PK']}\n${item['SK']}`, item);
        open = [...open.slice(mostGotPerCall), ...(UnprocessedKeys?.[name]?.Keys ?? [])];
      }
      return keys.map(({ PK, SK }) => found.get(`${PK}\n${SK}`));
    },

    put: async (input: Named<PutCommandInput>): Promise<void> => {
      await document.send(new PutCommand({ TableName: name, ...input }));
    },

    /** Puts an item where there is none; otherwise gives the one that is there. */
    add: async (item: Item): Promise<Item | undefined> => {
      try {
        await document.send(
          new PutCommand({
            TableName: name,
            Item: { ...item },
            ConditionExpression: 'attribute_not_exists(PK)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return undefined;
      } catch (thrown) {
        if (!(thrown instanceof ConditionalCheckFailedException)) throw thrown;
        return unmarshall(thrown.Item ?? {});
      }
    },

    /** One update under its condition: the item as it is afterwards or, where the condition did not hold, as it was. */
    update: async (input: Named<UpdateCommandInput>): Promise<Updated> => {
      try {
        const { Attributes } = await document.send(
          new UpdateCommand({
            TableName: name,
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            ...input,
          }),
        );
        return { done: true, item: Attributes ?? {} };
      } catch (thrown) {
        if (!(thrown instanceof ConditionalCheckFailedException)) throw thrown;
        return { done: false, item: thrown.Item && unmarshall(thrown.Item) };
      }
    },

    remove: async (key: ItemKey): Promise<void> => {
      await document.send(new DeleteCommand({ TableName: name, Key: key }));
    },

    /** A stretch of a partition in the order of its sort key: `limit` items, or all there are. */
    query: async (
      partition: Partition,
      { newestFirst, limit, ...stretch }: Stretch & { readonly newestFirst: boolean; readonly limit?: number },
    ): Promise<Item[]> => {
      const items: Item[] = [];
      for await (const { Items = [] } of answers(partition, stretch, {
        ScanIndexForward: !newestFirst,
        Limit: limit,
      })) {
        items.push(...Items);
        if (limit !== undefined && items.length >= limit) break;
      }
      return items.slice(0, limit);
    },

    /** How many items a stretch of a partition has. Costs as much as reading them. */
    count: async (partition: Partition, stretch: Stretch): Promise<number> => {
      let total = 0;
      for await (const { Count = 0 } of answers(partition, stretch, { Select: 'COUNT' })) total += Count;
      return total;
    },

    /** All writes or none. Gives undefined when done, or says whose condition did not hold; collisions with other transactions are retried. */
    transact: (writes: readonly Write[]): Promise<Refused | undefined> => transact(writes),
  };
};

export type Table = ReturnType<typeof openTable>;

type Partition = { readonly PK: string } | { readonly GSI1PK: string };

/** Sort keys, both included; with `only`, just these attributes of every item. */
interface Stretch {
  readonly from: string;
  readonly to: string;
  readonly only?: readonly string[];
}

const questionOf = (partition: Partition, { from, to, only = [] }: Stretch) => {
  const inIndex = 'GSI1PK' in partition;
  const [hash, sort] = inIndex ? ['GSI1PK', 'GSI1SK'] : ['PK', 'SK'];
  return {
    ...(inIndex ? { IndexName: index } : { ConsistentRead: true }),
    ...(only.length > 0 && { ProjectionExpression: only.map((attribute) => `#${attribute}`).join() }),
    KeyConditionExpression: '#hash = :hash AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: {
      ...Object.fromEntries(only.map((attribute) => [`#${attribute}`, attribute])),
      '#hash': hash,
      '#sort': sort,
    },
    ExpressionAttributeValues: { ':hash': inIndex ? partition.GSI1PK : partition.PK, ':from': from, ':to': to },
  };
};

const inTable = (name: string, write: Write): Transacted =>
  Object.fromEntries(
    Object.entries(write).map(([kind, input]) => [
      kind,
      { TableName: name, ReturnValuesOnConditionCheckFailure: 'ALL_OLD', ...input },
    ]),
  );

const refusalIn = (reasons: readonly CancellationReason[]): Refused | undefined => {
  const failed = reasons.flatMap((reason, position) =>
    reason.Code === 'ConditionalCheckFailed' ? [{ position, item: reason.Item && unmarshall(reason.Item) }] : [],
  );
  return failed.length > 0 ? { failed } : undefined;
};

const isPassing = ({ Code }: CancellationReason): boolean =>
  Code === 'TransactionConflict' || Code === 'ThrottlingError';

const pause = (attempt: number) => new Promise((resolve) => setTimeout(resolve, Math.random() * 2 ** attempt * 5));
