import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DecryptCommand,
  DescribeKeyCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  KMSClient,
} from '@aws-sdk/client-kms';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshStart } from '../fresh-start.ts';
import { startKms } from './kms.ts';

const context = { accountId: 'a1', purpose: 'data key' };
const secret = Buffer.from('secret');

let dataDirectory: string;
let kms: Awaited<ReturnType<typeof startKms>>;
let client: KMSClient;

const start = async () => {
  kms = await startKms({ dataDirectory });
  client = new KMSClient({
    endpoint: kms.url,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
};

const stop = async () => {
  client.destroy();
  await kms.close();
};

beforeEach(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'kms-'));
  await start();
});

afterEach(async () => {
  await stop();
  await rm(dataDirectory, { recursive: true });
});

test('a data key opens with the same context, in any order', async () => {
  const made = await client.send(
    new GenerateDataKeyCommand({ KeyId: 'alias/data', KeySpec: 'AES_256', EncryptionContext: context }),
  );
  expect(made.Plaintext).toHaveLength(32);
  expect(made.KeyId).toBe('arn:aws:kms:us-east-1:000000000000:alias/data');
  const opened = await client.send(
    new DecryptCommand({
      CiphertextBlob: made.CiphertextBlob,
      EncryptionContext: { purpose: 'data key', accountId: 'a1' },
    }),
  );
  expect(opened).toMatchObject({ KeyId: made.KeyId, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' });
  expect(opened.Plaintext).toEqual(made.Plaintext);
});

test.each([
  ['AES_128', { KeySpec: 'AES_128' }, 16],
  ['a number of bytes', { NumberOfBytes: 64 }, 64],
] as const)('a data key of %s has that length', async (_, size, bytes) => {
  const { Plaintext } = await client.send(new GenerateDataKeyCommand({ KeyId: 'k', ...size }));
  expect(Plaintext).toHaveLength(bytes);
});

test('two data keys of one key differ', async () => {
  const command = new GenerateDataKeyCommand({ KeyId: 'k', KeySpec: 'AES_256' });
  const [one, other] = [await client.send(command), await client.send(command)];
  expect(one.Plaintext).not.toEqual(other.Plaintext);
});

test.each([
  ['neither KeySpec nor NumberOfBytes', {}],
  ['both KeySpec and NumberOfBytes', { KeySpec: 'AES_256', NumberOfBytes: 32 }],
  ['more than 1024 bytes', { NumberOfBytes: 1025 }],
] as const)('a data key of %s is a ValidationException', async (_, size) => {
  await expect(client.send(new GenerateDataKeyCommand({ KeyId: 'k', ...size }))).rejects.toMatchObject({
    name: 'ValidationException',
    $metadata: { httpStatusCode: 400 },
  });
});

test.each([
  ['another context', { accountId: 'a2', purpose: 'data key' }],
  ['a part of the context', { accountId: 'a1' }],
  ['no context', undefined],
])('%s does not open a ciphertext', async (_, EncryptionContext) => {
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({ KeyId: 'k', Plaintext: secret, EncryptionContext: context }),
  );
  await expect(client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }))).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
    $metadata: { httpStatusCode: 400 },
    message: expect.stringContaining('context'),
  });
});

test('a ciphertext that is truncated, or has any byte changed, does not open', async () => {
  const { CiphertextBlob = new Uint8Array() } = await client.send(
    new EncryptCommand({ KeyId: 'k', Plaintext: secret }),
  );
  const changed = Array.from(CiphertextBlob, (byte, index) => CiphertextBlob.with(index, byte ^ 1));
  const cut = Array.from(CiphertextBlob, (_, index) => CiphertextBlob.subarray(0, index)).slice(1);
  const answers = await Promise.allSettled(
    [...changed, ...cut].map((blob) => client.send(new DecryptCommand({ CiphertextBlob: blob }))),
  );
  const names = answers.map((answer) => (answer.status === 'rejected' ? answer.reason.name : 'opened'));
  expect(new Set(names)).toEqual(new Set(['InvalidCiphertextException']));
});

test('a key opens its ciphertexts under its id or its ARN, another key is an IncorrectKeyException', async () => {
  const { CiphertextBlob, KeyId } = await client.send(new EncryptCommand({ KeyId: 'k', Plaintext: secret }));
  for (const id of ['k', KeyId]) {
    const { Plaintext = [] } = await client.send(new DecryptCommand({ CiphertextBlob, KeyId: id }));
    expect(Buffer.from(Plaintext)).toEqual(secret);
  }
  await expect(client.send(new DecryptCommand({ CiphertextBlob, KeyId: 'other' }))).rejects.toMatchObject({
    name: 'IncorrectKeyException',
  });
});

test('DescribeKey returns the ARN of an id', async () => {
  const { KeyMetadata } = await client.send(new DescribeKeyCommand({ KeyId: '1234' }));
  expect(KeyMetadata).toMatchObject({
    KeyId: '1234',
    Arn: 'arn:aws:kms:us-east-1:000000000000:key/1234',
    Enabled: true,
    KeyState: 'Enabled',
    KeySpec: 'SYMMETRIC_DEFAULT',
  });
});

test('a ciphertext opens after a restart, and only the owner can read the key file', async () => {
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'k', Plaintext: secret }));
  await stop();
  await start();
  const { Plaintext = [] } = await client.send(new DecryptCommand({ CiphertextBlob }));
  expect(Buffer.from(Plaintext)).toEqual(secret);
  const keyFile = await stat(join(dataDirectory, 'kms.key'));
  expect(keyFile.mode & 0o777).toBe(0o600);
  expect(keyFile.size).toBe(32);
});

test('another installation cannot open a ciphertext', async () => {
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'k', Plaintext: secret }));
  await stop();
  await rm(join(dataDirectory, 'kms.key'));
  await start();
  await expect(client.send(new DecryptCommand({ CiphertextBlob }))).rejects.toMatchObject({
    name: 'InvalidCiphertextException',
  });
});

test('a damaged key file fails the start and is left as it is', async () => {
  const file = join(dataDirectory, 'kms.key');
  await writeFile(file, 'short');
  await expect(startKms({ dataDirectory })).rejects.toMatchObject({
    name: 'StartFailure',
    message: `${file} is damaged: it has 5 bytes instead of 32. Delete the data: ${freshStart(dataDirectory)}`,
  });
  expect(await readFile(file, 'utf8')).toBe('short');
});

test('a missing data directory fails the start', async () => {
  await expect(startKms({ dataDirectory: join(dataDirectory, 'missing') })).rejects.toMatchObject({
    name: 'StartFailure',
  });
});
