import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localClient } from '../../../infra/local/local-client.ts';
import { inFull, modelRuns } from '../../model-runs.ts';
import { startWorld, tableSpec, type World } from '../../world.ts';
import { openMemoryTable } from './memory-table.ts';

// The same calls, of the emulator and of the table in memory, have the same answers, errors and items.

let world: World;
let emulator: DynamoDBDocumentClient;
beforeAll(async () => {
  world = await startWorld();
  emulator = DynamoDBDocumentClient.from(new DynamoDBClient(localClient(world.dynamodb.url)), {
    marshallOptions: { removeUndefinedValues: true },
  });
});
afterAll(() => world.close());

type Calls = ReturnType<typeof openMemoryTable>['calls'];
type Command = {
  readonly [Name in keyof Calls]: { readonly name: Name; readonly input: Parameters<Calls[Name]>[0] };
}[keyof Calls];

const asked = ({ name, input }: Command): Promise<object> => {
  switch (name) {
    case 'GetCommand':
      return emulator.send(new GetCommand(input));
    case 'BatchGetCommand':
      return emulator.send(new BatchGetCommand(input));
    case 'QueryCommand':
      return emulator.send(new QueryCommand(input));
    case 'PutCommand':
      return emulator.send(new PutCommand(input));
    case 'BatchWriteCommand':
      return emulator.send(new BatchWriteCommand(input));
    case 'UpdateCommand':
      return emulator.send(new UpdateCommand(input));
    case 'DeleteCommand':
      return emulator.send(new DeleteCommand(input));
    case 'TransactWriteCommand':
      return emulator.send(new TransactWriteCommand(input));
  }
};

const placeOf = ({ PK, SK }: Record<string, unknown>) => `${PK} ${SK}`;

/** What a caller can see of an answer. The items of a batch come in any order. */
const seen = (answer: object): object => {
  const {
    $metadata: _,
    ConsumedCapacity: __,
    UnprocessedKeys: ___,
    UnprocessedItems: ____,
    Responses,
    ...rest
  } = answer as Record<string, unknown>;
  const items = (Responses as Record<string, Record<string, unknown>[]> | undefined)?.[tableSpec.name];
  return { ...rest, ...(items && { items: items.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)) }) };
};

const errorOf = (thrown: unknown): object => {
  if (thrown instanceof ConditionalCheckFailedException) return { refused: thrown.Item && unmarshall(thrown.Item) };
  if (thrown instanceof TransactionCanceledException)
    return {
      cancelled: thrown.CancellationReasons?.map(({ Code, Item }) => ({ Code, item: Item && unmarshall(Item) })),
    };
  return { error: thrown instanceof Error ? thrown.name : thrown };
};

const outcomeOf = (call: () => object | Promise<object>): Promise<object> =>
  Promise.resolve().then(call).then(seen, errorOf);

const TableName = tableSpec.name;
const values = fc.constantFrom<unknown[]>(
  0,
  1,
  5,
  -2,
  'a',
  'ab',
  'b',
  true,
  null,
  ['x', 1],
  { x: 1, y: 'z' },
  new Set(['a', 'b']),
  Uint8Array.of(1, 2),
);
/** Objects inherit the last name. */
const names = fc.constantFrom('n', 's', 'l', 'm', 't', 'valueOf');
const fields = fc.dictionary(names, values, { maxKeys: 4 });
const places = fc.record({ GSI1PK: fc.constantFrom('i', 'j'), GSI1SK: fc.constantFrom('1', '2', '3') });
const slimPlaces = fc.record({ GSI2PK: fc.constant('k'), GSI2SK: fc.constantFrom('1', '2') });
const key = fc.record({ PK: fc.constantFrom('a', 'b'), SK: fc.constantFrom('1', '2', '3', '4') });
const item = fc
  .tuple(key, fields, fc.option(places, { nil: {} }), fc.option(slimPlaces, { nil: {} }))
  .map(([at, own, place, slim]) => ({ ...own, ...at, ...place, ...slim }));

/** Conditions of each kind that the code has. `:v` is any value. */
const conditions = [
  'attribute_not_exists(PK)',
  'attribute_exists(PK)',
  '#f = :v',
  '#f <> :v',
  '#f < :v',
  '#f >= :v',
  'NOT #f = :v',
  'attribute_exists(PK) AND (attribute_not_exists(#f) OR #f = :v)',
  '#f IN (:v, n, s)',
  '#f BETWEEN n AND :v',
  'contains(#f, :v)',
  'begins_with(s, :s) OR #f = :v',
  'm.x = :v OR l[0] = :v',
  'size(t) > :one',
  'attribute_type(#f, :s)',
] as const;

/** Some with a condition of their own: DynamoDB and the emulator differ on parts of what is not there, or not a map. */
const updates = [
  'SET #f = :v',
  'REMOVE #f',
  'SET #f = if_not_exists(#f, :v) REMOVE GSI2PK, GSI2SK',
  'ADD n :one',
  'ADD t :set',
  'ADD #f :one',
  'DELETE t :set',
  'SET l = list_append(if_not_exists(l, :none), :list)',
  'SET n = n + :one',
  'SET n = if_not_exists(n, :one) - :one, o = #f',
  ['SET m.x = :v, m.w = :one', 'attribute_not_exists(m) OR attribute_type(m, :map)'],
  ['REMOVE m.x', 'attribute_type(m, :map)'],
  ['REMOVE l[0]', 'attribute_type(l, :array)'],
  'SET l[0] = :v',
  'SET GSI1PK = :s, GSI1SK = :s REMOVE GSI2PK, GSI2SK',
  'REMOVE GSI1PK, GSI1SK',
] as const;

/** The emulator refuses it outside of transactions only. */
const overlapping = 'SET #f = :v, #f = :one';

/** The placeholders of an expression, and no others. */
const filled = (text: string, { field, value, start }: { field: string; value: unknown; start: string }) => {
  const all: Record<string, unknown> = {
    ':v': value,
    ':s': start,
    ':one': 1,
    ':none': [],
    ':list': ['x'],
    ':set': new Set(['b', 'c']),
    ':map': 'M',
    ':array': 'L',
  };
  const used = new Set(text.match(/:\w+/g) ?? []);
  return {
    ...(text.includes('#f') && { ExpressionAttributeNames: { '#f': field } }),
    ...(used.size > 0 && { ExpressionAttributeValues: Object.fromEntries([...used].map((name) => [name, all[name]])) }),
  };
};

const fillings = fc.record({
  field: names,
  value: values,
  start: fc.constantFrom('a', 'S', 'N'),
});
const condition = fc.option(fc.constantFrom(...conditions), { nil: undefined });

const conditional = fc.tuple(condition, fillings).map(([text, filling]) => ({
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ...(text !== undefined && { ConditionExpression: text, ...filled(text, filling) }),
}));

const put = fc.tuple(item, conditional).map(([Item, more]) => ({ TableName, Item, ...more }));
const updateBy = (texts: readonly (string | readonly string[])[]) =>
  fc.tuple(key, fc.constantFrom(...texts), condition, fillings).map(([Key, chosen, wished, filling]) => {
    const [text = '', held = wished] = [chosen].flat();
    return {
      TableName,
      Key,
      UpdateExpression: text,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
      ...(held !== undefined && { ConditionExpression: held }),
      ...filled(`${text} ${held ?? ''}`, filling),
    };
  });
const remove = fc.tuple(key, conditional).map(([Key, more]) => ({ TableName, Key, ...more }));
const check = fc.tuple(key, fc.constantFrom(...conditions), fillings).map(([Key, text, filling]) => ({
  TableName,
  Key,
  ConditionExpression: text,
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  ...filled(text, filling),
}));

const part = fc.oneof(
  put.map((Put) => ({ Put })),
  updateBy(updates).map((Update) => ({ Update })),
  remove.map((Delete) => ({ Delete })),
  check.map((ConditionCheck) => ({ ConditionCheck })),
);

const question = fc
  .record({
    index: fc.constantFrom(undefined, 'GSI1', 'GSI2'),
    hash: fc.constantFrom('a', 'b', 'i', 'j', 'k'),
    from: fc.constantFrom('0', '1', '2'),
    to: fc.constantFrom('2', '3', '9'),
    ScanIndexForward: fc.boolean(),
    Limit: fc.constantFrom(undefined, 1, 2),
    isSlim: fc.boolean(),
    isAfter: fc.boolean(),
  })
  .map(({ index, hash, from, to, isSlim, isAfter, ...wishes }) => ({
    TableName,
    ...wishes,
    ...(index && { IndexName: index }),
    KeyConditionExpression: '#hash = :hash AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: {
      '#hash': index ? `${index}PK` : 'PK',
      '#sort': index ? `${index}SK` : 'SK',
      ...(isSlim && { '#only': 'SK' }),
    },
    ExpressionAttributeValues: { ':hash': hash, ':from': from, ':to': to },
    ...(isSlim && { ProjectionExpression: '#only' }),
    ...(isAfter && {
      ExclusiveStartKey: {
        PK: index ? 'a' : hash,
        SK: '2',
        ...(index && { [`${index}PK`]: hash, [`${index}SK`]: '2' }),
      },
    }),
  }));

const commands: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: put.map((input) => ({ name: 'PutCommand' as const, input })) },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(item, { selector: placeOf, minLength: 1, maxLength: 4 }).map((items) => ({
      name: 'BatchWriteCommand' as const,
      input: { RequestItems: { [TableName]: items.map((Item) => ({ PutRequest: { Item } })) } },
    })),
  },
  {
    weight: 6,
    arbitrary: updateBy([...updates, overlapping]).map((input) => ({
      name: 'UpdateCommand' as const,
      input: { ReturnValues: 'ALL_NEW' as const, ...input },
    })),
  },
  { weight: 1, arbitrary: remove.map((input) => ({ name: 'DeleteCommand' as const, input })) },
  {
    weight: 1,
    arbitrary: key.map((Key) => ({ name: 'GetCommand' as const, input: { TableName, Key, ConsistentRead: true } })),
  },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(key, { selector: placeOf, minLength: 1, maxLength: 4 }).map((Keys) => ({
      name: 'BatchGetCommand' as const,
      input: { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } },
    })),
  },
  { weight: 3, arbitrary: question.map((input) => ({ name: 'QueryCommand' as const, input })) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(part, { minLength: 1, maxLength: 3 }), fc.option(fc.constantFrom('x', 'y'), { nil: undefined }))
      .map(([TransactItems, token]) => ({
        name: 'TransactWriteCommand' as const,
        input: { TransactItems, ...(token !== undefined && { ClientRequestToken: token }) },
      })),
  },
);

/** The names of a run's partitions and tokens: runs share the emulator's table. */
const ownNames = new Set(['PK', 'GSI1PK', 'GSI2PK', ':hash', 'ClientRequestToken']);
const inRun = <T>(command: T, run: number): T =>
  structuredClone(command) && (renamed(command, (name, text) => (ownNames.has(name) ? `${run} ${text}` : text)) as T);

const renamed = (value: unknown, rename: (name: string, text: string) => string): unknown => {
  if (value === null || typeof value !== 'object' || value instanceof Set || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map((each) => renamed(each, rename));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      typeof inner === 'string' ? rename(name, inner) : renamed(inner, rename),
    ]),
  );
};

it('the table in memory answers each call as DynamoDB does', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 5, maxLength: 25 }), async (sequence) => {
      run += 1;
      const { calls } = openMemoryTable({ nowMs: () => 0 });
      for (const each of sequence) {
        const command = inRun(each, run);
        const answer = await outcomeOf(() => calls[command.name](command.input as never));
        expect(answer, JSON.stringify(command)).toEqual(await outcomeOf(() => asked(command)));
      }
    }),
    { numRuns: modelRuns(40), ...(!inFull && { seed: 7 }) },
  );
});
