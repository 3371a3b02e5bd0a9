import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { SignatureV4 } from '@smithy/signature-v4';
import { retriedSettings } from '../../shared/aws/aws-retry.ts';
import { type DataKeys, dataKeyMaker, openVault } from '../../shared/aws/vault.ts';
import type { Vault } from '../../shared/kit/cipher.ts';
import { openTable, type Table } from '../../shared/table/table.ts';
import { localClient } from '../local/local-client.ts';
import type { RunningStack } from '../local/running-stack.ts';
import { StartFailure } from '../local/start-failure.ts';

/** Where operators are kept. */
export interface Deployment {
  readonly table: Table;
  readonly vault: Vault;
  readonly dataKeys: DataKeys;
}

/** The stack that runs on this machine. It has its first operator from its start, so it needs no master key here. */
export const localDeployment = ({ aws }: Pick<RunningStack, 'aws'>): Deployment => {
  const kms = new KMSClient({ ...localClient(aws['kms'] ?? ''), ...retriedSettings });
  const dynamodb = new DynamoDBClient({ ...localClient(aws['dynamodb'] ?? ''), ...retriedSettings });
  return { table: openTable(dynamodb, aws['table'] ?? ''), vault: openVault(kms), dataKeys: dataKeyMaker(kms, '') };
};

/**
 * A deployment on AWS, reached with the credentials and region of the environment.
 * @throws StartFailure when the stage is not deployed there, or the caller may not describe its stacks
 */
export const deploymentOf = async (stage: string): Promise<Deployment> => {
  const dynamodb = new DynamoDBClient(retriedSettings);
  const kms = new KMSClient(retriedSettings);
  const outputs = await outputsOf(`${stage}-data`, dynamodb);
  const named = (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined)
      throw new StartFailure(
        `The stack ${stage}-data has no output ${name}. Deploy this release first: npm run deploy`,
      );
    return value;
  };
  return {
    table: openTable(dynamodb, named('tablename')),
    vault: openVault(kms),
    dataKeys: dataKeyMaker(kms, named('masterkeyarn')),
  };
};

/** CloudFormation's `DescribeStacks`, signed with another client's credentials, because its client is a large package for one call. */
const outputsOf = async (stackName: string, { config }: DynamoDBClient): Promise<ReadonlyMap<string, string>> => {
  const { credentials, sha256 } = config;
  const region = await config.region();
  const url = new URL(process.env['AWS_ENDPOINT_URL'] ?? `https://cloudformation.${region}.amazonaws.com`);
  const body = new URLSearchParams({
    Action: 'DescribeStacks',
    Version: '2010-05-15',
    StackName: stackName,
  }).toString();
  const { headers } = await new SignatureV4({ service: 'cloudformation', region, credentials, sha256 }).sign({
    method: 'POST',
    protocol: url.protocol,
    hostname: url.hostname,
    path: '/',
    query: {},
    headers: { host: url.host, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });
  const { host: _, ...sent } = headers;
  const response = await fetch(new URL('/', url), { method: 'POST', headers: sent, body });
  const answer = await response.text();
  if (!response.ok)
    throw new StartFailure(
      `The stack ${stackName} cannot be described in ${region}: ${/<Message>(.*?)<\/Message>/s.exec(answer)?.[1] ?? response.status}`,
    );
  return outputsIn(answer);
};

/** The outputs of the one stack of an answer, by key. */
export const outputsIn = (xml: string): ReadonlyMap<string, string> =>
  new Map(
    [...xml.matchAll(/<OutputKey>(.*?)<\/OutputKey>\s*<OutputValue>(.*?)<\/OutputValue>/gs)].map(
      ([, key = '', value = '']) => [key, value],
    ),
  );
