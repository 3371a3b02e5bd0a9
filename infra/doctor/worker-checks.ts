import * as z from 'zod';
import { functionName } from '../rows.ts';
import { workers } from '../workers.ts';
import type { AwsAccount } from './aws-account.ts';
import { type Finding, ok, problem } from './finding.ts';

const stateful = z.object({ State: z.string() });

/** The workers that `npm run sending -- pause` stops. */
const pausable = ['messages-send-text', 'messages-send-scheduled'];

interface Fed {
  /** The worker's function. */
  readonly name: string;
  readonly uuid: string;
  readonly isOff: boolean;
}

/** The logical id of a mapping begins with its function's name. */
const workerOf = (logicalId: string): string =>
  workers.map(({ does }) => functionName(does)).find((name) => logicalId.startsWith(name.replaceAll('-', ''))) ??
  logicalId;

const fedOf = async ({ resources, get }: AwsAccount): Promise<readonly Fed[]> => {
  const fed: Fed[] = [];
  for (const { logicalId, physicalId: uuid = '' } of await resources('work', 'AWS::Lambda::EventSourceMapping')) {
    const { State } = await get(stateful, 'lambda', `/2015-03-31/event-source-mappings/${encodeURIComponent(uuid)}`);
    fed.push({ name: workerOf(logicalId), uuid, isOff: ['Disabling', 'Disabled'].includes(State) });
  }
  return fed;
};

/** Whether the queues and the stream feed their workers. No alarm sees one that does not, because a function that is not called has no metrics. */
export const workersFinding = async (account: AwsAccount, stage: string): Promise<Finding> => {
  const fed = await fedOf(account);
  const off = fed.filter(({ isOff }) => isOff);
  const [stopped] = off.filter(({ name }) => !pausable.includes(name));
  const names = [...new Set(off.map(({ name }) => name))].join(', ');
  if (stopped)
    return problem(
      `The event source mappings of ${names} are off: nothing reaches them.`,
      `aws lambda update-event-source-mapping --enabled --uuid ${stopped.uuid}`,
    );
  return off.length > 0
    ? problem(`Sending is paused: ${names}.`, `npm run sending -- resume --stage ${stage}`)
    : ok(`${fed.length} queues and streams feed their workers.`);
};

/** Whether the schedules start their sweeps. No alarm sees one that does not: due work waits without a job, and nothing fails. */
export const schedulesFinding = async ({ resources, get }: AwsAccount): Promise<Finding> => {
  const [group] = await resources('data', 'AWS::Scheduler::ScheduleGroup');
  const names = (await resources('work', 'AWS::Scheduler::Schedule')).map(({ physicalId = '' }) => physicalId);
  const off: string[] = [];
  for (const name of names) {
    const query = `groupName=${encodeURIComponent(group?.physicalId ?? '')}`;
    const { State } = await get(stateful, 'scheduler', `/schedules/${encodeURIComponent(name)}?${query}`);
    if (State !== 'ENABLED') off.push(name);
  }
  return off.length > 0
    ? problem(
        `These schedules are off, so what they start does not run: ${off.join(', ')}.`,
        'Enable them in the console of EventBridge, under “Schedules”.',
      )
    : ok(`${names.length} are on.`);
};

/** Whether changes of the table wait in the bucket for failed batches. It keeps them for 90 days, and the notice that the alarm sees lives for 14. */
export const batchesFinding = async ({ resource, filesIn }: AwsAccount, stage: string): Promise<Finding> => {
  const bucket = await resource('data', 'AWS::S3::Bucket', 'failed-batches');
  if (bucket === undefined) return problem(`${stage}-data has no bucket for failed batches.`, 'Deploy this release.');
  const count = await filesIn(bucket);
  return count > 0
    ? problem(
        `Changes of the table that a reader failed at are parked: ${count} ${count === 1 ? 'batch' : 'batches'}.`,
        `npm run replay -- --stage ${stage}`,
      )
    : ok('None.');
};
