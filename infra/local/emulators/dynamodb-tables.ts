import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { IndexSpec, KeySpec, TableSpec } from '../blueprint.ts';
import { StartFailure } from '../start-failure.ts';

/** Creates the table unless it exists, and indexes that it does not have yet. An existing table with other keys or stream is an error. */
export const ensureTable = async (client: DynamoDBClient, spec: TableSpec): Promise<void> => {
  const wanted = tableInput(spec);
  const existing = await describe(client, spec.name);
  if (!existing) await create(client, wanted);
  else if (!isDeepStrictEqual(shapeOf((await addIndexes(client, existing, spec)) ?? existing), shapeOf(wanted)))
    throw new StartFailure(
      `Table ${spec.name} was created with other keys, indexes or stream settings; delete the data: npm start -- --fresh`,
    );
  if (spec.ttlAttribute) await expireBy(client, spec.name, spec.ttlAttribute);
};

/** "In use" means that an earlier attempt created it and its answer was lost. */
const create = async (client: DynamoDBClient, wanted: CreateTableCommandInput): Promise<void> => {
  try {
    await client.send(new CreateTableCommand(wanted));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
};

/** As a deployment does. Undefined when none is missing. */
const addIndexes = async (
  client: DynamoDBClient,
  { TableName, GlobalSecondaryIndexes: known = [] }: TableDescription,
  { attributes, indexes }: TableSpec,
): Promise<TableDescription | undefined> => {
  const missing = indexes.filter(({ name }) => !known.some(({ IndexName }) => IndexName === name));
  if (missing.length === 0) return undefined;
  const GlobalSecondaryIndexUpdates = missing.map((index) => ({ Create: indexInput(index) }));
  const AttributeDefinitions = attributes.map(attributeInput);
  await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
  return describe(client, String(TableName));
};

const describe = async (client: DynamoDBClient, name: string): Promise<TableDescription | undefined> => {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
};

const expireBy = async (client: DynamoDBClient, TableName: string, AttributeName: string): Promise<void> => {
  const { TimeToLiveDescription: now } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (now?.AttributeName === AttributeName) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
};

const tableInput = (spec: TableSpec): CreateTableCommandInput => ({
  TableName: spec.name,
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: spec.attributes.map(attributeInput),
  KeySchema: keySchema(spec.key),
  ...(spec.indexes.length > 0 && { GlobalSecondaryIndexes: spec.indexes.map(indexInput) }),
  ...(spec.streamView && { StreamSpecification: { StreamEnabled: true, StreamViewType: spec.streamView } }),
});

const attributeInput = ({ name, type }: TableSpec['attributes'][number]) => ({
  AttributeName: name,
  AttributeType: type,
});

const indexInput = ({ name, key, projection }: IndexSpec): GlobalSecondaryIndex => ({
  IndexName: name,
  KeySchema: keySchema(key),
  Projection: { ProjectionType: projection },
});

const keySchema = ({ partition, sort }: KeySpec): KeySchemaElement[] => [
  { AttributeName: partition, KeyType: 'HASH' },
  ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' as const }] : []),
];

const shapeOf = (table: TableDescription | CreateTableCommandInput) => ({
  key: table.KeySchema,
  indexes: new Map(table.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema }) => [IndexName, KeySchema])),
  attributes: new Map(table.AttributeDefinitions?.map((one) => [one.AttributeName, one.AttributeType])),
  stream: table.StreamSpecification?.StreamViewType,
});
