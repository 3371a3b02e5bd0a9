import { openAwsService } from '../../shared/aws/aws-service.ts';
import type { Functions } from './functions.ts';
import { localEndpoint } from './local-client.ts';

interface Needs {
  readonly sqs: { readonly url: string; queueUrl(name: string): string };
}

/** Delivers a schedule's input to a queue, or to a function once functions run. */
export const scheduleTargets = ({ sqs }: Needs) => {
  const service = openAwsService('sqs', localEndpoint(sqs.url));
  let invoke: Functions['invoke'] | undefined;
  return {
    connect: (functionsInvoke: Functions['invoke']): void => {
      invoke = functionsInvoke;
    },
    /** @throws Error when the target did not accept it, so that the scheduler retries */
    deliver: async ({ arn, input }: { readonly arn: string; readonly input: string }): Promise<void> => {
      const name = arn.split(':').at(-1) ?? '';
      if (arn.includes(':sqs:')) {
        const message = { QueueUrl: sqs.queueUrl(name), MessageBody: input };
        await service.send({ target: 'AmazonSQS.SendMessage', input: message });
        return;
      }
      const invocation = await invoke?.(arn, JSON.parse(input));
      if (!invocation?.ok)
        throw new Error(`${name} did not take the schedule: ${invocation?.errorType ?? 'not running yet'}`);
    },
  };
};
