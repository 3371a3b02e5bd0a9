import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { freshStart } from '../fresh-start.ts';
import { account, region } from '../local-region.ts';
import { noPermissions, type Permissions } from '../permissions.ts';
import type { Access } from '../policy.ts';
import { StartFailure } from '../start-failure.ts';
import { writeWhole } from '../write-whole.ts';
import { accessKeyIn } from './aws-caller.ts';
import { AwsError, serveJson } from './json-service.ts';
import { type EncryptionContext, headerIn, type Seal, sealUnder } from './kms-seal.ts';
import type { Rate } from './rate.ts';

const masterKeyBytes = 32;
const dataKeyBytes = { AES_128: 16, AES_256: 32 } as const;
const algorithm = 'SYMMETRIC_DEFAULT';

/**
 * KMS's JSON protocol for symmetric keys; every KeyId exists. All keys derive from `kms.key` in the data directory, which
 * must exist; without that file, ciphertexts cannot be opened.
 * @throws StartFailure when `kms.key` is damaged or cannot be read
 */
export const startKms = async (options: {
  dataDirectory: string;
  /** Of all calls; without one, there is no limit. */
  rate?: Rate;
  permissions?: Permissions;
}): Promise<{ url: string; close(): Promise<void> }> => {
  const operations = operationsOf(sealUnder(await masterKeyIn(join(options.dataDirectory, 'kms.key'))));
  return serveJson(({ headers, body }) => {
    const name = String(headers['x-amz-target']).replace('TrentService.', '');
    const operation = operations.get(name);
    if (!operation) throw new AwsError('UnknownOperationException', `The local KMS has no operation ${name}.`);
    if (options.rate?.take() === false)
      throw new AwsError('ThrottlingException', 'You have exceeded the rate at which you may call KMS.');
    const { permissions = noPermissions } = options;
    const refusal = permissions.refusalOf(accessKeyIn(headers.authorization), () => [accessOf(name, body)]);
    if (refusal) throw new AwsError('AccessDeniedException', refusal);
    return operation(body);
  });
};

const masterKeyIn = async (file: string): Promise<Buffer> => {
  try {
    if (!existsSync(file)) writeWhole(file, randomBytes(masterKeyBytes));
  } catch (error) {
    throw new StartFailure(`${file} cannot be written: ${error}`);
  }
  const key = await readFile(file).catch((error: unknown) => {
    throw new StartFailure(`${file} cannot be read: ${error}`);
  });
  if (key.length !== masterKeyBytes) {
    throw new StartFailure(
      `${file} is damaged: it has ${key.length} bytes instead of ${masterKeyBytes}. Delete the data: ${freshStart(dirname(file))}`,
    );
  }
  return key;
};

const keyId = z.string().min(1).max(2048);
const encryptionContext = z.record(z.string(), z.string()).default({});
const blob = (maximumBytes: number) =>
  z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length > 0 && length <= maximumBytes, `must have 1 to ${maximumBytes} bytes`);

const encryptRequest = z.object({ KeyId: keyId, Plaintext: blob(4096), EncryptionContext: encryptionContext });
const decryptRequest = z.object({
  KeyId: keyId.optional(),
  CiphertextBlob: blob(8192),
  EncryptionContext: encryptionContext,
});
const dataKeyRequest = z
  .object({
    KeyId: keyId,
    KeySpec: z.literal(['AES_128', 'AES_256']).optional(),
    NumberOfBytes: z.int().min(1).max(1024).optional(),
    EncryptionContext: encryptionContext,
  })
  .refine(
    ({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined),
    'Please specify either number of bytes or key spec.',
  );
const describeRequest = z.object({ KeyId: keyId });

const operationsOf = (seal: Seal): ReadonlyMap<string, (body: unknown) => object> => {
  const sealed = (id: string, plaintext: Uint8Array, context: EncryptionContext) => ({
    KeyId: arnOf(id),
    CiphertextBlob: seal.close(arnOf(id), plaintext, context).toString('base64'),
  });
  const opened = (blob: Buffer, context: EncryptionContext) => {
    try {
      return seal.open(blob, context);
    } catch {
      throw damaged();
    }
  };
  return new Map(
    Object.entries<(body: unknown) => object>({
      Encrypt: (body) => {
        const { KeyId, Plaintext, EncryptionContext } = encryptRequest.parse(body);
        return { ...sealed(KeyId, Plaintext, EncryptionContext), EncryptionAlgorithm: algorithm };
      },
      GenerateDataKey: (body) => {
        const { KeyId, KeySpec = 'AES_256', NumberOfBytes, EncryptionContext } = dataKeyRequest.parse(body);
        const dataKey = randomBytes(NumberOfBytes ?? dataKeyBytes[KeySpec]);
        return { ...sealed(KeyId, dataKey, EncryptionContext), Plaintext: dataKey.toString('base64') };
      },
      Decrypt: (body) => {
        const { KeyId, CiphertextBlob, EncryptionContext } = decryptRequest.parse(body);
        const { arn, plaintext } = opened(CiphertextBlob, EncryptionContext);
        if (KeyId !== undefined && arnOf(KeyId) !== arn) {
          throw new AwsError('IncorrectKeyException', 'The ciphertext was made with another key.');
        }
        return { KeyId: arn, Plaintext: plaintext.toString('base64'), EncryptionAlgorithm: algorithm };
      },
      DescribeKey: (body) => ({ KeyMetadata: metadataOf(arnOf(describeRequest.parse(body).KeyId)) }),
    }),
  );
};

const accessRequest = z.object({
  KeyId: keyId.optional(),
  CiphertextBlob: blob(8192).optional(),
  EncryptionContext: encryptionContext,
});

/** A ciphertext names its key. */
const accessOf = (operation: string, body: unknown): Access => {
  const { KeyId = '', CiphertextBlob, EncryptionContext } = accessRequest.parse(body);
  return {
    action: `kms:${operation}`,
    resource: CiphertextBlob ? claimedArn(CiphertextBlob) : arnOf(KeyId),
    valuesOf: (key) => {
      if (key === 'kms:EncryptionContextKeys') return Object.keys(EncryptionContext);
      const value = EncryptionContext[key.replace('kms:EncryptionContext:', '')];
      return value === undefined ? undefined : [value];
    },
  };
};

const claimedArn = (ciphertext: Buffer): string => {
  try {
    return headerIn(ciphertext).arn;
  } catch {
    throw damaged();
  }
};

const damaged = () =>
  new AwsError('InvalidCiphertextException', 'The ciphertext is damaged or belongs to another context.');

/** A bare id and its ARN are the same key, as on AWS; here an alias is a separate key. */
const arnOf = (id: string): string => {
  if (id.startsWith('arn:')) return id;
  return `arn:aws:kms:${region}:${account}:${id.startsWith('alias/') ? id : `key/${id}`}`;
};

const metadataOf = (arn: string) => ({
  KeyId: arn.slice(arn.lastIndexOf('/') + 1),
  Arn: arn,
  AWSAccountId: account,
  Enabled: true,
  KeyState: 'Enabled',
  KeyUsage: 'ENCRYPT_DECRYPT',
  KeySpec: algorithm,
  KeyManager: 'CUSTOMER',
  Origin: 'AWS_KMS',
  EncryptionAlgorithms: [algorithm],
});
