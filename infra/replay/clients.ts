import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { openAwsCalls } from '../aws-calls.ts';
import { resourceFinder } from '../doctor/aws-account.ts';
import { localClient } from '../local/local-client.ts';
import { factsOfRunningStack, localStage } from '../local/running-stack.ts';
import { isNameOf } from './parking-places.ts';

const stackFacts = z.object({ aws: z.object({ sqs: z.string(), s3: z.string(), lambda: z.string() }) });

type ResourceType = 'AWS::SQS::Queue' | 'AWS::S3::Bucket' | 'AWS::Lambda::Function';

/** The services that a replay calls. */
export interface Clients {
  readonly stage: string;
  readonly sqs: SQSClient;
  readonly s3: S3Client;
  /** The URL of the stage's queue, or the name of its bucket or function, with this id. Undefined: it has none. */
  find(type: ResourceType, id: string): Promise<string | undefined>;
  /** Calls a function and waits for its answer. Returns the reason of a failure, or undefined. */
  invoke(functionName: string, event: string): Promise<string | undefined>;
}

/**
 * A deployment on AWS, or the stack that runs with this data directory.
 * @throws StartFailure when no stack runs with it
 */
export const openClients = (stage: string | undefined, dataDirectory: string): Clients => {
  if (stage !== undefined) {
    const sqs = new SQSClient();
    // By the stacks: what a deleted stage has left, or a first deployment that failed, has the same names but for their ends.
    const find = resourceFinder(openAwsCalls(sqs), stage, ['data', 'work']);
    return { stage, sqs, s3: new S3Client(), find, invoke: invokerOf(sqs) };
  }
  const { aws } = stackFacts.parse(factsOfRunningStack(dataDirectory));
  const sqs = new SQSClient(localClient(aws.sqs));
  const s3 = new S3Client({ ...localClient(aws.s3), forcePathStyle: true });
  return { stage: localStage, sqs, s3, find: findLocal(sqs, s3), invoke: invokerOf(sqs, aws.lambda) };
};

const findLocal =
  (sqs: SQSClient, s3: S3Client): Clients['find'] =>
  async (type, id) => {
    const isMeant = (place = ''): boolean => isNameOf(place.split('/').at(-1) ?? '', { stage: localStage, id });
    // A function has its plain name here.
    if (type === 'AWS::Lambda::Function') return id;
    if (type === 'AWS::SQS::Queue') return (await sqs.send(new ListQueuesCommand())).QueueUrls?.find(isMeant);
    return (await s3.send(new ListBucketsCommand())).Buckets?.find(({ Name }) => isMeant(Name))?.Name;
  };

const invokerOf =
  (client: SQSClient, endpoint?: string): Clients['invoke'] =>
  async (functionName, event) => {
    const response = await openAwsCalls(
      client,
      endpoint,
    )({
      service: 'lambda',
      path: `/2015-03-31/functions/${encodeURIComponent(functionName)}/invocations`,
      headers: { 'content-type': 'application/json' },
      body: event,
    });
    const answer = await response.text();
    const isDone = response.ok && !response.headers.has('x-amz-function-error');
    return isDone ? failuresIn(answer) : `${response.status} ${answer}`;
  };

const partial = z.object({ batchItemFailures: z.array(z.unknown()).min(1) });

const failuresIn = (answer: string): string | undefined =>
  partial.safeParse(JSON.parse(answer || 'null')).success ? answer : undefined;
