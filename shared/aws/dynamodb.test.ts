import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localEndpoint } from '../../infra/local/local-client.ts';
import { startWorld, tableSpec, type World } from '../../test/world.ts';
import { openDynamoDb } from './dynamodb.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const at = (url: string) => openDynamoDb(localEndpoint(url));

/** DynamoDB that answers as told, and keeps what it was asked. */
const answering = async (answer: (response: ServerResponse) => void) => {
  const asked: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    asked.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    answer(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, [Symbol.asyncDispose]: async () => void server.close() };
};

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (thrown) => thrown,
  );

describe('a call of DynamoDB', () => {
  it('takes and gives items with every kind of value', async () => {
    const { send } = at(world.dynamodb.url);
    const Key = { PK: 'P', SK: 'S' };
    const item = { ...Key, n: 1.5, bytes: Uint8Array.of(1, 2), texts: new Set(['a']), deep: [{ a: null, b: true }] };
    await send('PutItem', { TableName: tableSpec.name, Item: item });
    expect((await send('GetItem', { TableName: tableSpec.name, Key })).Item).toEqual(item);
    const RequestItems = { [tableSpec.name]: { Keys: [Key, { PK: 'P', SK: 'none' }] } };
    expect((await send('BatchGetItem', { RequestItems })).Responses).toEqual({ [tableSpec.name]: [item] });
  });

  it('that a condition refuses says so, with the item that was there', async () => {
    const { send } = at(world.dynamodb.url);
    const Item = { PK: 'P', SK: 'refused', n: 1 };
    const put = {
      TableName: tableSpec.name,
      Item,
      ConditionExpression: 'attribute_not_exists(PK)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    };
    await send('PutItem', put);
    const refused = { name: 'ConditionalCheckFailedException', item: Item, $metadata: { httpStatusCode: 400 } };
    expect(await failure(send('PutItem', put))).toMatchObject(refused);
    const { TransactItems } = { TransactItems: [{ Put: put }, { Put: { ...put, Item: { PK: 'P', SK: 'other' } } }] };
    expect(await failure(send('TransactWriteItems', { TransactItems }))).toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [
        { Code: 'ConditionalCheckFailed', item: Item },
        { Code: 'None', item: undefined },
      ],
    });
  });

  it('is signed, and names what it wants', async () => {
    await using dynamodb = await answering((response) => response.end('{}'));
    await at(dynamodb.url).send('GetItem', { TableName: 't', Key: { PK: 'P', SK: 'S' } });
    expect(dynamodb.asked).toEqual([
      {
        headers: expect.objectContaining({
          'x-amz-target': 'DynamoDB_20120810.GetItem',
          authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/us-east-1\/dynamodb\//),
        }),
        body: { TableName: 't', Key: { PK: { S: 'P' }, SK: { S: 'S' } } },
      },
    ]);
  });

  it.each([
    ['a gateway’s page', (response: ServerResponse) => response.writeHead(502).end('<html>'), { httpStatusCode: 502 }],
    ['half an answer', (response: ServerResponse) => response.end('{"Item":'), { httpStatusCode: 200 }],
  ] as const)('that is answered with %s fails, and may be repeated', async (_, answer, $metadata) => {
    await using dynamodb = await answering(answer);
    const get = at(dynamodb.url).send('GetItem', { TableName: 't', Key: { PK: 'P', SK: 'S' } });
    expect(await failure(get)).toMatchObject({ name: 'InternalServerError', $metadata });
  });

  it('whose connection breaks fails with the error of the connection', async () => {
    await using dynamodb = await answering((response) => response.destroy());
    const get = at(dynamodb.url).send('GetItem', { TableName: 't', Key: { PK: 'P', SK: 'S' } });
    expect(await failure(get)).toMatchObject({ code: 'ECONNRESET' });
  });
});
