import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESClient, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { BatchGetCommand, DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';

// A bare function with the calls of AWS that sending an email, or reading one, makes: the least that these requests can cost.

// A caller that is no function of the stack may do everything there.
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const document = DynamoDBDocumentClient.from(new DynamoDBClient({ credentials }));
const ses = new SESClient({ credentials });
const table = process.env['TABLE_NAME'] ?? '';
const account = 'A#floor';
const mail = Buffer.from('From: a@example.com\r\nTo: b@example.com\r\nSubject: Hello\r\n\r\nIt works.\r\n');

const newKey = (partition: string) => ({ PK: partition, SK: randomUUID() });

const read = () =>
  document.send(
    new BatchGetCommand({
      RequestItems: { [table]: { Keys: [newKey(`${account}#MSG#email`), newKey(`${account}#MSG#email`)] } },
    }),
  );

const countRequest = () =>
  document.send(
    new UpdateCommand({
      TableName: table,
      Key: { PK: 'RATE#floor', SK: '1' },
      UpdateExpression: 'ADD #count :one',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':one': 1 },
    }),
  );

const content = 'x'.repeat(400);
const item = () => ({ ...newKey(`${account}#MSG#email`), entity: 'floor', content });

const accept = () =>
  document.send(
    new TransactWriteCommand({
      TransactItems: [item(), item(), item()].map((Item) => ({ Put: { TableName: table, Item } })),
    }),
  );

const markSent = () =>
  document.send(
    new UpdateCommand({
      TableName: table,
      Key: newKey(`${account}#MSG#email`),
      UpdateExpression: 'SET entity = :floor',
      ExpressionAttributeValues: { ':floor': 'floor' },
    }),
  );

const send = () =>
  ses.send(
    new SendRawEmailCommand({
      Source: 'a@example.com',
      Destinations: ['b@example.com'],
      RawMessage: { Data: mail },
      Tags: [],
    }),
  );

interface Event {
  readonly requestContext: { readonly http: { readonly method: string } };
}

export const handler = async ({ requestContext }: Event) => {
  await Promise.all([read(), countRequest()]);
  if (requestContext.http.method === 'POST') {
    await accept();
    await send();
    await markSent();
  }
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{"data":{}}' };
};
