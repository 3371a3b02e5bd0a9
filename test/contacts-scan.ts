import { DynamoDBClient, ScanCommand, type ScanCommandInput, type ScanCommandOutput } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { localClient } from '../infra/local/local-client.ts';
import { tableSpec, type World } from './world.ts';

/** Every item of the table. */
export const scan = async ({ dynamodb }: World): Promise<Record<string, unknown>[]> => {
  const client = new DynamoDBClient(localClient(dynamodb.url));
  const items: Record<string, unknown>[] = [];
  let start: ScanCommandInput['ExclusiveStartKey'];
  do {
    const page: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: tableSpec.name, ExclusiveStartKey: start }),
    );
    items.push(...(page.Items ?? []).map((item) => unmarshall(item)));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};
