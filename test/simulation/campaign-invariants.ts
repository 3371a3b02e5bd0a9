import { statusesBefore } from '../../shared/messages/moves.ts';
import type { Sent } from './campaigns.ts';
import type { Invariant, Judged } from './invariants.ts';

/** What was reported of a message that no other report of it follows: jobs come in any order. */
const lastOf = ({ channel, reports }: Sent) =>
  reports.filter(
    ({ report }) => !reports.some((other) => statusesBefore(channel, other.report.status).has(report.status)),
  );

const brokenOf = (sent: Sent, { facts }: Judged): string | undefined => {
  const fact = facts.find(({ account }) => account === sent.account)?.traffic.find(({ id }) => id === sent.id);
  if (sent.reports.length === 0) return undefined;
  if (!fact) return 'it is not there';
  const isLike = lastOf(sent).some(
    ({ report }) =>
      report.status === fact.status &&
      report.sentAt === fact.sentAt &&
      report.deliveredAt === fact.deliveredAt &&
      report.failedAt === fact.failedAt,
  );
  if (fact.to !== null || fact.metadata.text !== '{}') return 'it shows what its sender keeps';
  return isLike && fact.channel === sent.channel ? undefined : `it is ${fact.status} since ${fact.sentAt}`;
};

export const campaignInvariants: readonly Invariant[] = [
  {
    name: 'a message of a campaign is as its sender last reported it',
    violations: (judged) =>
      (judged.campaigns?.sent ?? []).flatMap((sent) => {
        const broken = brokenOf(sent, judged);
        return broken === undefined ? [] : [`${sent.channel} ${sent.id}: ${broken}`];
      }),
  },
];
