import { isDeepStrictEqual } from 'node:util';
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import type { KeySpec, TableSpec } from '../blueprint.ts';
import { StartFailure } from '../start-failure.ts';

/** Creates the table unless it exists. An existing table with other keys, indexes or stream is an error. */
export const ensureTable = async (client: DynamoDBClient, spec: TableSpec): Promise<void> => {
  const wanted = tableInput(spec);
  const existing = await describe(client, spec.name);
  if (!existing) await create(client, wanted);
  else if (!isDeepStrictEqual(shapeOf(existing), shapeOf(wanted)))
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
  AttributeDefinitions: spec.attributes.map(({ name, type }) => ({ AttributeName: name, AttributeType: type })),
  KeySchema: keySchema(spec.key),
  ...(spec.indexes.length > 0 && {
    GlobalSecondaryIndexes: spec.indexes.map(({ name, key }) => ({
      IndexName: name,
      KeySchema: keySchema(key),
      Projection: { ProjectionType: 'ALL' as const },
    })),
  }),
  ...(spec.streamView && { StreamSpecification: { StreamEnabled: true, StreamViewType: spec.streamView } }),
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
