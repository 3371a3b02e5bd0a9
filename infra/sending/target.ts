import { SQSClient } from '@aws-sdk/client-sqs';
import { openAwsCalls } from '../aws-calls.ts';
import { resourceFinder } from '../doctor/aws-account.ts';
import { localClient } from '../local/local-client.ts';
import type { RunningStack } from '../local/running-stack.ts';
import { StartFailure } from '../local/start-failure.ts';
import type { Target } from './switches.ts';

/** The stack that runs on this machine. */
export const localTarget = ({ aws }: Pick<RunningStack, 'aws'>): Target => {
  const client = new SQSClient(localClient(aws['sqs'] ?? ''));
  return {
    call: (asked) => openAwsCalls(client, aws[asked.service])(asked),
    functionName: async (name) => name,
  };
};

/** A deployment on AWS, reached with the credentials and region of the environment. */
export const deployedTarget = (stage: string): Target => {
  const call = openAwsCalls(new SQSClient());
  const find = resourceFinder(call, stage, ['work', 'messaging']);
  return {
    call,
    functionName: async (name) => {
      const found = await find('AWS::Lambda::Function', name);
      if (found !== undefined) return found;
      throw new StartFailure(`The stage ${stage} has no function ${name}. Deploy it first: npm run deploy`);
    },
  };
};
