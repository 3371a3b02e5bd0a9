import { isDeepStrictEqual } from 'node:util';
import type {
  CreateTableCommandInput,
  DescribeTimeToLiveCommandOutput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  TableDescription,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { retried } from '../../../shared/aws/aws-retry.ts';
import { AwsError, type AwsService } from '../../../shared/aws/aws-service.ts';
import type { IndexSpec, KeySpec, TableSpec } from '../blueprint.ts';

const described = z.object({ Table: z.custom<TableDescription>() });
const expiry = z.custom<DescribeTimeToLiveCommandOutput>();

/** The service at `DYNAMODB_ENDPOINT` may throttle and lose answers. */
const call = (dynamodb: AwsService, operation: string, input: object): Promise<object> =>
  retried(() => dynamodb.send({ target: `DynamoDB_20120810.${operation}`, input }), { isLogged: false });

/** Creates the table unless it exists, and indexes that it does not have yet. An existing table with other keys or stream is an error. */
export const ensureTable = async (dynamodb: AwsService, spec: TableSpec): Promise<void> => {
  const wanted = tableInput(spec);
  const existing = await describe(dynamodb, spec.name);
  if (!existing) await create(dynamodb, wanted);
  else if (!isDeepStrictEqual(shapeOf((await addIndexes(dynamodb, existing, spec)) ?? existing), shapeOf(wanted)))
    throw new Error(`Table ${spec.name} was created with other keys, indexes or stream settings`);
  if (spec.ttlAttribute) await expireBy(dynamodb, spec.name, spec.ttlAttribute);
};

/** "In use" means that an earlier attempt created it and its answer was lost. */
const create = async (dynamodb: AwsService, wanted: CreateTableCommandInput): Promise<void> => {
  try {
    await call(dynamodb, 'CreateTable', wanted);
  } catch (error) {
    if (!(error instanceof AwsError && error.name === 'ResourceInUseException')) throw error;
  }
};

/** As a deployment does. Undefined when none is missing. */
const addIndexes = async (
  dynamodb: AwsService,
  { TableName, GlobalSecondaryIndexes: known = [] }: TableDescription,
  { attributes, indexes }: TableSpec,
): Promise<TableDescription | undefined> => {
  const missing = indexes.filter(({ name }) => !known.some(({ IndexName }) => IndexName === name));
  if (missing.length === 0) return undefined;
  const GlobalSecondaryIndexUpdates = missing.map((index) => ({ Create: indexInput(index) }));
  const AttributeDefinitions = attributes.map(attributeInput);
  await call(dynamodb, 'UpdateTable', { TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates });
  return describe(dynamodb, String(TableName));
};

const describe = async (dynamodb: AwsService, name: string): Promise<TableDescription | undefined> => {
  try {
    return described.parse(await call(dynamodb, 'DescribeTable', { TableName: name })).Table;
  } catch (error) {
    if (error instanceof AwsError && error.name === 'ResourceNotFoundException') return undefined;
    throw error;
  }
};

const expireBy = async (dynamodb: AwsService, TableName: string, AttributeName: string): Promise<void> => {
  const { TimeToLiveDescription: now } = expiry.parse(await call(dynamodb, 'DescribeTimeToLive', { TableName }));
  if (now?.AttributeName === AttributeName) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName };
  await call(dynamodb, 'UpdateTimeToLive', { TableName, TimeToLiveSpecification });
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
