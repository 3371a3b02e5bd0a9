import * as z from 'zod';

/** Attributes as DynamoDB's protocol has them: `{ PK: { S: 'A#1' } }`. */
export type WireItem = Readonly<Record<string, unknown>>;

const item = z.record(z.string(), z.unknown());
const named = z.looseObject({ TableName: z.string() });
const keyed = named.extend({ Key: item });
const put = named.extend({ Item: item });
const written = z.union([
  z
    .object({ Put: put })
    .transform(({ Put }) => ({ action: 'PutItem' as const, table: Put.TableName, key: Put.Item, input: Put })),
  z.object({ Update: keyed }).transform(({ Update }) => partOf('UpdateItem', Update)),
  z.object({ Delete: keyed }).transform(({ Delete }) => partOf('DeleteItem', Delete)),
  z.object({ ConditionCheck: keyed }).transform(({ ConditionCheck }) => partOf('ConditionCheckItem', ConditionCheck)),
]);
const request = z.union([
  z.object({ PutRequest: z.object({ Item: item }) }).transform(({ PutRequest }) => PutRequest.Item),
  z.object({ DeleteRequest: z.object({ Key: item }) }).transform(({ DeleteRequest }) => DeleteRequest.Key),
]);

export type PartAction = 'GetItem' | 'PutItem' | 'UpdateItem' | 'DeleteItem' | 'ConditionCheckItem';

/** What a call asks of one item. */
export interface Part {
  readonly action: PartAction;
  readonly table: string;
  /** The item's key, or the whole item that a `PutItem` stores. */
  readonly key: WireItem;
  /** The call's parameters that concern this item. */
  readonly input: Readonly<Record<string, unknown>>;
}

const partOf = (action: PartAction, input: z.output<typeof keyed>): Part => ({
  action,
  table: input.TableName,
  key: input.Key,
  input,
});

const transactWrite = z.object({ TransactItems: z.array(written) });
const transactGet = z.object({ TransactItems: z.array(z.object({ Get: keyed })) });
const batchGet = z.object({ RequestItems: z.record(z.string(), z.looseObject({ Keys: z.array(item) })) });
const batchWrite = z.object({ RequestItems: z.record(z.string(), z.array(request)) });

const readers: Readonly<Record<string, (body: unknown) => readonly Part[]>> = {
  PutItem: (body) => {
    const input = put.parse(body);
    return [{ action: 'PutItem', table: input.TableName, key: input.Item, input }];
  },
  GetItem: (body) => [partOf('GetItem', keyed.parse(body))],
  UpdateItem: (body) => [partOf('UpdateItem', keyed.parse(body))],
  DeleteItem: (body) => [partOf('DeleteItem', keyed.parse(body))],
  TransactWriteItems: (body) => transactWrite.parse(body).TransactItems,
  TransactGetItems: (body) => transactGet.parse(body).TransactItems.map(({ Get }) => partOf('GetItem', Get)),
  BatchGetItem: (body) =>
    Object.entries(batchGet.parse(body).RequestItems).flatMap(([table, { Keys, ...input }]) =>
      Keys.map((key) => ({ action: 'GetItem' as const, table, key, input })),
    ),
  BatchWriteItem: (body) =>
    Object.entries(batchWrite.parse(body).RequestItems).flatMap(([table, items]) =>
      items.map((key) => ({ action: 'PutItem' as const, table, key, input: {} })),
    ),
};

/**
 * The items that a call names, in the call's order; none for a query.
 * @throws ZodError
 */
export const partsOf = (operation: string, body: unknown): readonly Part[] => readers[operation]?.(body) ?? [];

const text = z.object({ S: z.string() });

/** The text of a key attribute; this product has no other keys. */
export const textOf = (value: unknown): string | undefined => text.safeParse(value).data?.S;

const query = z.looseObject({
  TableName: z.string(),
  IndexName: z.string().optional(),
  KeyConditionExpression: z.string().default(''),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: z.record(z.string(), z.unknown()).default({}),
});

/**
 * The table or index that a query reads, and a way to ask for the value that its condition compares an attribute with.
 * @throws ZodError
 */
export const questionIn = (body: unknown) => {
  const { TableName, IndexName, KeyConditionExpression, ...names } = query.parse(body);
  const compared = new Map(
    [...KeyConditionExpression.matchAll(/(#?\w+)\s*=\s*(:\w+)/g)].map(([, name = '', value = '']) => [
      names.ExpressionAttributeNames[name] ?? name,
      textOf(names.ExpressionAttributeValues[value]),
    ]),
  );
  return { table: TableName, index: IndexName, comparedWith: (attribute: string) => compared.get(attribute) };
};
