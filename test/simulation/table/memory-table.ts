import {
  type CancellationReason,
  ConditionalCheckFailedException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type * as commands from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { pageOf, projected, stretchOf } from './answer-query.ts';
import { holds, type Placeholders } from './condition.ts';
import { type Expressions, placeholdersOf, textAt, ValidationException } from './expressions.ts';
import { indexes, openIndexes, separator } from './indexes.ts';
import { openPartitions } from './partitions.ts';
import { readCondition, readUpdate } from './read-expression.ts';
import { assertApart, InvalidUpdate, updated } from './update.ts';
import { type Fields, fieldsOf, isEqual, stored } from './value.ts';

/** A write of one item, as the stream has it. */
export interface TableChange {
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
  readonly sequence: number;
}

export interface MemoryTableOptions {
  readonly nowMs: () => number;
  readonly onChange?: (change: TableChange) => void;
  /** Brings the indexes up to date with one write: at once by default, later for an index that is behind. The order does not matter. */
  readonly onIndexed?: (apply: () => void) => void;
  /** The most items of a page; DynamoDB returns 1 MB at a time. */
  readonly itemsPerPage?: () => number;
}

const metadata = { $metadata: { httpStatusCode: 400 } };
const tokenLifeMs = 600_000;
const mostWrites = 100;
const mostBatchWrites = 25;

/** One write, judged: what it would make of the item, or that its condition fails. */
interface Judged {
  readonly PK: string;
  readonly SK: string;
  readonly before: Fields | undefined;
  readonly after: Fields | undefined;
  readonly isRefused: boolean;
}

type Transacted = NonNullable<commands.TransactWriteCommandInput['TransactItems']>[number];

/**
 * DynamoDB with one table, in memory: the calls that `shared/table/table.ts` makes, answered as the document client answers them. Each call is
 * carried out at once and as a whole.
 */
export const openMemoryTable = ({
  nowMs,
  onChange,
  onIndexed = (apply) => apply(),
  itemsPerPage,
}: MemoryTableOptions) => {
  const items = openPartitions();
  const inIndexes = openIndexes();
  const tokens = new Map<string, { readonly writes: readonly Transacted[]; readonly atMs: number }>();
  let sequence = 0;

  const write = ({ PK, SK, before, after }: Judged): void => {
    // A write that changes nothing, as the check of a condition does, is no change for the stream.
    if (before === after || (before && after && isEqual(before, after))) return;
    items.set(PK, SK, after);
    sequence += 1;
    const change = { before, after, sequence };
    onIndexed(() => inIndexes.set(PK, SK, after, change.sequence));
    onChange?.(change);
  };

  const judged = (
    key: Fields,
    input: Expressions,
    make: (before: Fields | undefined) => Fields | undefined,
    placeholders: Placeholders = placeholdersOf(input),
  ): Judged => {
    const [PK, SK] = [textAt(key, 'PK'), textAt(key, 'SK')];
    const before = items.get(PK, SK);
    const { ConditionExpression: condition } = input;
    const isRefused = condition !== undefined && !holds(readCondition(condition).tree, before, placeholders);
    const after = isRefused ? before : make(before);
    for (const { hash, sort } of after ? indexes : []) {
      if (after?.[hash] !== undefined) textAt(after, hash);
      if (after?.[sort] !== undefined) textAt(after, sort);
    }
    return { PK, SK, before, after, isRefused };
  };

  const judgedPut = (input: Omit<commands.PutCommandInput, 'TableName'>): Judged => {
    const item = fieldsOf(input.Item ?? {});
    return judged(item, input, () => item);
  };

  const judgedUpdate = (input: Omit<commands.UpdateCommandInput, 'TableName'>): Judged => {
    const key: Fields = input.Key ?? {};
    const { tree } = readUpdate(input.UpdateExpression ?? '');
    const placeholders = placeholdersOf(input);
    assertApart(tree, placeholders);
    const make = (before: Fields | undefined): Fields => {
      const after = updated(before ?? fieldsOf(key), tree, placeholders);
      if (after['PK'] !== key['PK'] || after['SK'] !== key['SK'])
        throw new ValidationException('Cannot update attribute. This attribute is part of the key');
      return after;
    };
    return judged(key, input, make, placeholders);
  };

  const judgedDelete = (input: Omit<commands.DeleteCommandInput, 'TableName'>): Judged =>
    judged(input.Key ?? {}, input, () => undefined);

  const judgedPart = ({ Put, Update, Delete, ConditionCheck }: Transacted): Judged => {
    if (Put) return judgedPut(Put);
    if (Update) return judgedUpdate(Update);
    if (Delete) return judgedDelete(Delete);
    const { Key, ...input } = ConditionCheck ?? {};
    return judged(Key ?? {}, input, (before) => before);
  };

  /** One write alone: carried out, or refused with its error. */
  const single = (judge: () => Judged, returned: string | undefined): Judged => {
    const one = refusing(judge);
    if (!one.isRefused) write(one);
    else
      throw new ConditionalCheckFailedException({
        ...metadata,
        message: 'The conditional request failed',
        ...(returned === 'ALL_OLD' && one.before && { Item: marshall(one.before) }),
      });
    return one;
  };

  /** A batch of reads that begins now. It is no picture of one moment: each item is read as it is now, or when the batch ends. */
  const begunBatch = ({ RequestItems = {} }: commands.BatchGetCommandInput) => {
    const begun = Object.entries(RequestItems).map(([name, input]) => {
      const keys: readonly Fields[] = input.Keys ?? [];
      const ids = new Set(keys.map((key) => `${textAt(key, 'PK')}${separator}${textAt(key, 'SK')}`));
      if (keys.length > mostWrites || keys.length === 0 || ids.size < keys.length)
        throw new ValidationException('Too many items requested, none, or duplicates');
      const read = () => keys.map((key) => items.get(textAt(key, 'PK'), textAt(key, 'SK')));
      return { name, input, read, before: read() };
    });
    return (isLate: () => boolean) => {
      const answers = begun.map(({ name, input, read, before }): readonly [string, Fields[]] => {
        const placeholders = placeholdersOf(input);
        const found = read()
          .map((item, n) => (item === before[n] || isLate() ? item : before[n]))
          .filter((item) => item !== undefined);
        return [name, found.map((item) => projected(item, input.ProjectionExpression, placeholders))];
      });
      return { Responses: Object.fromEntries(answers), UnprocessedKeys: {} };
    };
  };

  const calls = {
    GetCommand: (input: commands.GetCommandInput) => {
      const key: Fields = input.Key ?? {};
      const item = items.get(textAt(key, 'PK'), textAt(key, 'SK'));
      const placeholders = placeholdersOf(input);
      return item ? { Item: projected(item, input.ProjectionExpression, placeholders) } : {};
    },

    BatchGetCommand: (input: commands.BatchGetCommandInput) => begunBatch(input)(() => true),

    QueryCommand: (input: commands.QueryCommandInput) => {
      const placeholders = placeholdersOf(input);
      const { hash, from, to } = stretchOf(input.KeyConditionExpression ?? '', placeholders);
      if (from > to) throw new ValidationException('The BETWEEN operator requires upper bound to be greater');
      const all = (input.IndexName === undefined ? items : inIndexes.of(input.IndexName)).stretch(hash, from, to);
      const sort = indexes.find(({ name }) => name === input.IndexName);
      return pageOf(
        all,
        input,
        sort ? [sort.sort, 'PK', 'SK', sort.hash] : ['SK', 'PK'],
        placeholders,
        itemsPerPage?.(),
      );
    },

    PutCommand: (input: commands.PutCommandInput) => {
      single(() => judgedPut(input), input.ReturnValuesOnConditionCheckFailure);
      return {};
    },

    BatchWriteCommand: ({ RequestItems = {} }: commands.BatchWriteCommandInput) => {
      const puts = Object.values(RequestItems).flatMap((all) =>
        all.map(({ PutRequest }) => judgedPut({ Item: PutRequest?.Item })),
      );
      const ids = new Set(puts.map(({ PK, SK }) => `${PK}${separator}${SK}`));
      if (puts.length > mostBatchWrites || puts.length === 0 || ids.size < puts.length)
        throw new ValidationException('Too many items, none, or duplicates');
      for (const each of puts) write(each);
      return { UnprocessedItems: {} };
    },

    UpdateCommand: (input: commands.UpdateCommandInput) => {
      const { after } = single(() => judgedUpdate(input), input.ReturnValuesOnConditionCheckFailure);
      return input.ReturnValues === 'ALL_NEW' ? { Attributes: after } : {};
    },

    DeleteCommand: (input: commands.DeleteCommandInput) => {
      single(() => judgedDelete(input), input.ReturnValuesOnConditionCheckFailure);
      return {};
    },

    TransactWriteCommand: ({ TransactItems = [], ClientRequestToken: token }: commands.TransactWriteCommandInput) => {
      // A stored token stands for what was asked with it.
      const known = token === undefined ? undefined : tokens.get(token);
      if (known && nowMs() - known.atMs < tokenLifeMs) {
        if (isEqual(stored(known.writes), stored(TransactItems))) return {};
        throw new IdempotentParameterMismatchException({ ...metadata, message: 'the same token with other writes' });
      }
      const all = judgedTogether(TransactItems, judgedPart);
      for (const each of all) write(each);
      if (token !== undefined) tokens.set(token, { writes: TransactItems, atMs: nowMs() });
      return {};
    },
  };

  return {
    calls,

    begunBatch,

    /** Every item, as stored. */
    all: () => items.all(),

    /** Deletes an item as DynamoDB does when its time has passed. */
    expire: (PK: string, SK: string): void =>
      write({ PK, SK, before: items.get(PK, SK), after: undefined, isRefused: false }),
  };
};

export type MemoryTable = ReturnType<typeof openMemoryTable>;

const refusing = (judge: () => Judged): Judged => {
  try {
    return judge();
  } catch (thrown) {
    throw thrown instanceof InvalidUpdate ? new ValidationException(thrown.message) : thrown;
  }
};

const idOf = ({ Put, Update, Delete, ConditionCheck }: Transacted): string => {
  const key: Fields = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key ?? {};
  return `${textAt(key, 'PK')}${separator}${textAt(key, 'SK')}`;
};

/** All writes of a transaction, none of which is refused. */
const judgedTogether = (parts: readonly Transacted[], judge: (part: Transacted) => Judged): readonly Judged[] => {
  const ids = new Set(parts.map(idOf));
  if (ids.size < parts.length || parts.length === 0 || parts.length > mostWrites)
    throw new ValidationException('a transaction has 1 to 100 writes of different items');
  const reasons: CancellationReason[] = [];
  const all = parts.flatMap((part) => {
    try {
      const one = judge(part);
      const [{ ReturnValuesOnConditionCheckFailure: returned } = {}] = Object.values(part);
      reasons.push(one.isRefused ? refusal(one, returned) : { Code: 'None' });
      return [one];
    } catch (thrown) {
      if (!(thrown instanceof InvalidUpdate)) throw thrown;
      reasons.push({ Code: 'ValidationError', Message: thrown.message });
      return [];
    }
  });
  if (reasons.some(({ Code }) => Code !== 'None')) {
    const codes = reasons.map(({ Code }) => Code).join(', ');
    const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
    throw new TransactionCanceledException({ ...metadata, message, CancellationReasons: reasons });
  }
  return all;
};

const refusal = ({ before }: Judged, returned: unknown): CancellationReason => ({
  Code: 'ConditionalCheckFailed',
  Message: 'The conditional request failed',
  ...(returned === 'ALL_OLD' && before && { Item: marshall(before) }),
});
