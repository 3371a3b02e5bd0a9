import { KMSClient } from '@aws-sdk/client-kms';
import * as z from 'zod';
import { type AwsService, openAwsService } from '../../shared/aws/aws-service.ts';
import { openDynamoDb } from '../../shared/aws/dynamodb.ts';
import { type AwsEndpoint, urlIn } from '../../shared/aws/signed-post.ts';
import { type DataKeys, dataKeyMaker, openVault } from '../../shared/aws/vault.ts';
import type { Vault } from '../../shared/kit/cipher.ts';
import type { Clock } from '../../shared/kit/time.ts';
import { keyRingStore } from '../../shared/table/accounts/key-ring-store.ts';
import { openTable, type Table } from '../../shared/table/table.ts';
import { openAwsCalls, queryCall, textsIn } from '../aws-calls.ts';
import type { CommandInput } from '../local/command.ts';
import { localEndpoint } from '../local/local-client.ts';
import type { RunningStack } from '../local/running-stack.ts';
import { StartFailure } from '../local/start-failure.ts';

/** Where operators are kept. */
export interface Deployment {
  readonly table: Table;
  readonly vault: Vault;
  readonly dataKeys: DataKeys;
}

export interface OpenedDeployment extends Deployment {
  /** Whether the table’s stream is on. */
  hasStream(): Promise<boolean>;
  /** The time that its functions have: a machine whose clock is minutes wrong may call AWS all the same. */
  readonly nowMs: Clock;
}

interface Place {
  readonly dynamodb: AwsEndpoint;
  readonly tableName: string;
  readonly kms: AwsService;
  readonly masterKeyId: string;
  readonly nowMs: Clock;
}

const described = z.object({
  Table: z.object({ StreamSpecification: z.object({ StreamEnabled: z.boolean() }).optional() }),
});

const deploymentAt = ({ dynamodb, tableName, kms, masterKeyId, nowMs }: Place): OpenedDeployment => {
  const table = openTable(openDynamoDb(dynamodb), tableName);
  return {
    table,
    vault: openVault(kms, keyRingStore(table)),
    dataKeys: dataKeyMaker(kms, masterKeyId),
    nowMs,
    hasStream: async () => {
      const call = { target: 'DynamoDB_20120810.DescribeTable', input: { TableName: tableName } };
      const { Table } = described.parse(await openAwsService('dynamodb', dynamodb).send(call));
      return Table.StreamSpecification?.StreamEnabled === true;
    },
  };
};

interface Asked extends Pick<CommandInput<unknown>, 'stack' | 'nowMs'> {
  readonly stage: string | undefined;
}

/**
 * The deployment that a command is about: that of a stage on AWS, reached with the credentials and region of the environment, or the stack that runs
 * on this machine. `tableName`: another table than its own.
 * @throws StartFailure when the stage is not deployed there, the caller may not describe its stacks, or no stack runs
 */
export const openDeployment = async ({ stage, stack, nowMs }: Asked, tableName?: string): Promise<OpenedDeployment> =>
  stage === undefined ? localDeployment(stack(), nowMs, tableName) : deploymentOf(stage, tableName);

const localDeployment = ({ aws }: RunningStack, nowMs: Clock, tableName = aws['table'] ?? ''): OpenedDeployment =>
  deploymentAt({
    dynamodb: localEndpoint(aws['dynamodb'] ?? ''),
    tableName,
    kms: openAwsService('kms', localEndpoint(aws['kms'] ?? '')),
    masterKeyId: aws['masterKey'] ?? '',
    nowMs,
  });

const deploymentOf = async (stage: string, tableName?: string): Promise<OpenedDeployment> => {
  // For its credentials and region, which it finds wherever the AWS CLI keeps them.
  const client = new KMSClient();
  const { outputs, aheadMs } = await describedStack(`${stage}-data`, client);
  const named = namedIn(outputs, `${stage}-data`);
  const { credentials, region } = client.config;
  const here = await region();
  const endpoint = (service: 'dynamodb' | 'kms') => ({ url: urlIn(here, service), credentials, region: here });
  return deploymentAt({
    dynamodb: endpoint('dynamodb'),
    tableName: tableName ?? named('tablename'),
    kms: openAwsService('kms', endpoint('kms')),
    masterKeyId: named('masterkeyarn'),
    nowMs: () => Date.now() + aheadMs,
  });
};

/** The table that the stage uses now. */
export const servingTableOf = async (stage: string): Promise<string> =>
  (await openOutputs(`${stage}-data`, new KMSClient()))('tablename');

/**
 * The outputs of a stack on AWS.
 * @throws StartFailure when it is not deployed there, has no output of a name, or the caller may not describe it
 */
export const openOutputs = async (stackName: string, client: KMSClient): Promise<(name: string) => string> =>
  namedIn((await describedStack(stackName, client)).outputs, stackName);

const namedIn =
  (outputs: ReadonlyMap<string, string>, stackName: string) =>
  (name: string): string => {
    const value = outputs.get(name);
    if (value === undefined)
      throw new StartFailure(`The stack ${stackName} has no output ${name}. Deploy this release first: npm run deploy`);
    return value;
  };

/** `aheadMs`: how far the clock of AWS is ahead of this machine's. */
const describedStack = async (stackName: string, client: KMSClient) => {
  const describe = { Action: 'DescribeStacks', Version: '2010-05-15', StackName: stackName };
  const response = await openAwsCalls(client)(queryCall('cloudformation', describe));
  const aheadMs = Date.parse(response.headers.get('date') ?? '') - Date.now();
  const answer = await response.text();
  if (!response.ok)
    throw new StartFailure(
      `The stack ${stackName} cannot be described in ${await client.config.region()}: ${textsIn(answer, 'Message')[0] ?? response.status}`,
    );
  return { outputs: outputsIn(answer), aheadMs };
};

/** The outputs of the one stack of an answer, by key. AWS writes the parts of an output in any order. */
export const outputsIn = (xml: string): ReadonlyMap<string, string> =>
  new Map(
    textsIn(textsIn(xml, 'Outputs')[0] ?? '', 'member').map((output) => {
      const [key = '', value = ''] = ['OutputKey', 'OutputValue'].map((part) => textsIn(output, part)[0]);
      return [key, value];
    }),
  );
