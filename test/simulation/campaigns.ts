import type { Status } from '../../shared/messages/message.ts';
import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import type { Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a sister service reports of a message that it sent for an account. */
interface Report {
  readonly status: Status;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly failedAt: string | null;
}

/** A message of a campaign or an automation, with all that was reported of it. */
export interface Sent {
  readonly account: Account;
  readonly id: string;
  readonly channel: 'email' | 'sms' | 'whatsapp';
  readonly reports: { readonly atMs: number; readonly report: Report }[];
}

const ways: readonly [Way, ...Way[]] = [
  { channel: 'email', statuses: ['sent', 'delivered', 'opened', 'clicked'] },
  { channel: 'email', statuses: ['sending', 'sent', 'bounced'] },
  { channel: 'email', statuses: ['sent', 'delivered', 'complained'] },
  { channel: 'sms', statuses: ['queued', 'sending', 'sent', 'delivered'] },
  { channel: 'sms', statuses: ['queued', 'failed'] },
  { channel: 'sms', statuses: ['sending', 'rejected'] },
  { channel: 'whatsapp', statuses: ['queued', 'sent', 'delivered', 'read'] },
];

interface Way {
  readonly channel: Sent['channel'];
  readonly statuses: readonly Status[];
}

const failures: readonly Status[] = ['failed', 'rejected'];
const waiting: readonly Status[] = ['queued', 'sending', ...failures];
const arrived: readonly Status[] = ['delivered', 'opened', 'clicked', 'read', 'complained'];
const busyMs = 160_000;

/** Sister services that send for accounts, and report what becomes of their messages: a job for each status, with all that is known by then. */
export const openCampaigns = (world: World, { inside }: Code, { accounts }: Pick<Messaging, 'accounts'>) => {
  const { timeline, startMs, seed, queues } = world;
  const random = randomIn(seed, 'campaigns');
  const sent: Sent[] = [];

  const report = ({ account, id, channel, reports }: Sent, status: Status): void => {
    const atMs = timeline.nowMs();
    const since = reports.at(-1)?.report;
    const at = (isSet: boolean, before: string | null | undefined): string | null =>
      before ?? (isSet ? new Date(atMs).toISOString() : null);
    const made: Report = {
      status,
      sentAt: at(!waiting.includes(status), since?.sentAt),
      deliveredAt: at(arrived.includes(status), since?.deliveredAt),
      failedAt: at(failures.includes(status), since?.failedAt),
    };
    reports.push({ atMs, report: made });
    queues.add(
      'account-traffic',
      JSON.stringify({ account: account.ref.id, id, origin: 'campaign', channel, ...made }),
      0,
    );
  };

  const send = (account: Account, chance: Random): void => {
    const { channel, statuses } = chance.pick(ways);
    const id = inside.newId(timeline.nowMs(), chance.bytes(10));
    const made: Sent = { account, id, channel, reports: [] };
    sent.push(made);
    const pauseMs = chance.pick([300, 3_000, 60_000]);
    let afterMs = 0;
    for (const status of statuses) {
      timeline.after(afterMs, () => report(made, status));
      afterMs += chance.below(pauseMs);
    }
  };

  /** A campaign sends many messages at once. */
  const launch = (account: Account, chance: Random): void => {
    for (let n = 2 + chance.below(5); n > 0; n -= 1) timeline.after(chance.below(2_000), () => send(account, chance));
  };

  for (let n = 1 + random.below(2); n > 0; n -= 1) {
    const id = `campaign ${n}`;
    const chance = randomIn(seed, id);
    const account = chance.isChance(0.8) ? accounts[0] : accounts[1];
    world.plan(id, startMs + chance.below(busyMs), () => launch(account, chance));
  }
  return { sent };
};

export type Campaigns = ReturnType<typeof openCampaigns>;
