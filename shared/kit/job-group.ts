import { InternalError } from './internal-error.ts';

/** What all jobs of a group have in common: the values that distinguish it from other groups. */
export type Group = Readonly<Record<string, string>>;
export type GroupOf<Job, Own extends Group = Group> = (job: Job) => Own;

export const byGroup = <Job>(jobs: Iterable<Job>, groupOf: GroupOf<Job>) =>
  Map.groupBy(jobs, (job) => JSON.stringify(groupOf(job)));

/** The group of these jobs. Throws when they are of several: their worker groups them in another way than their handler expects. */
export const groupOfAll = <Job, Own extends Group>(jobs: readonly Job[], groupOf: GroupOf<Job, Own>): Own => {
  const groups = byGroup(jobs, groupOf).size;
  const [first] = jobs;
  if (first === undefined || groups > 1) throw new InternalError('the jobs are not of one group', { groups });
  return groupOf(first);
};
