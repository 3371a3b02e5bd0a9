import type { Account, Subscription } from './accounts.ts';
import { type Answer, clientIn } from './client.ts';
import type { Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

const kinds = ['pause', 'resume', 'remove', 'rotate', 'regenerate', 'replay'] as const;

/** What a developer does to a subscription, once, and what came of it. */
export interface Doing {
  readonly webhook: string;
  readonly what: (typeof kinds)[number];
  readonly fromMs: number;
  /** Of a rotation: how long the secret before stays valid. */
  readonly overlapMs: number;
  /** Of a replay. */
  readonly isOnlyFailed: boolean;
  /** Undefined while it is under way; a doing without an answer may have been done. */
  end?: { readonly atMs: number; readonly status: number; readonly secret: string | undefined };
}

/** Deliveries are tried again for longer. */
const busyMs = 160_000;
/** When nothing fails any more, and the work that failed before has come back. */
const calmMs = 40 * 60_000;
/** The log of events that were under way meanwhile is written then. */
const restMs = 60_000;

const calls = {
  pause: ['webhooks/update-webhook', 'PATCH /api/v1/webhooks/{id}'],
  resume: ['webhooks/update-webhook', 'PATCH /api/v1/webhooks/{id}'],
  remove: ['webhooks/delete-webhook', 'DELETE /api/v1/webhooks/{id}'],
  rotate: ['webhooks/rotate-secret', 'POST /api/v1/webhooks/{id}/rotate-secret'],
  regenerate: ['webhooks/regenerate-secret', 'POST /api/v1/webhooks/{id}/regenerate-secret'],
  replay: ['webhooks/replay-events', 'POST /api/v1/webhooks/{id}/replay'],
} as const;

/** Developers pause, resume and delete the subscriptions of their accounts, give them other secrets, and have events delivered again. */
export const openDevelopers = (world: World, { accounts }: Pick<Messaging, 'accounts'>) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'developers');
  const doings: Doing[] = [];

  const bodyOf = ({ what, overlapMs, isOnlyFailed }: Doing): object | undefined => {
    if (what === 'pause' || what === 'resume') return { isActive: what === 'resume' };
    if (what === 'rotate') return { overlapSeconds: overlapMs / 1_000 };
    return what === 'replay' ? { since: new Date(startMs).toISOString(), onlyFailed: isOnlyFailed } : undefined;
  };

  const act = async (
    { ref, key }: Account,
    { id }: Subscription,
    what: Doing['what'],
    chance: Random,
  ): Promise<Answer> => {
    const overlapMs = chance.pick([0, 30_000, 3_600_000]);
    const isOnlyFailed = chance.isChance(0.3);
    const doing: Doing = { webhook: id, what, fromMs: timeline.nowMs(), overlapMs, isOnlyFailed };
    doings.push(doing);
    const [does, routeKey] = calls[what];
    const body = bodyOf(doing);
    const headers = { 'x-api-key': key };
    const answer = await client.ask({ does, routeKey, headers, account: ref.id, path: { id }, ...(body && { body }) });
    const secret: string | undefined = answer.body?.data?.secret;
    doing.end = { atMs: timeline.nowMs(), status: answer.status, secret };
    return answer;
  };

  const all = accounts.flatMap((account) => account.webhooks.map((webhook) => ({ account, webhook })));
  const count = all.length === 0 ? 0 : 1 + random.below(3);
  for (let n = 1; n <= count; n += 1) {
    const id = `developer ${n}`;
    const chance = randomIn(world.seed, id);
    const one = all[chance.below(all.length)];
    const what = chance.pick(kinds);
    world.plan(id, startMs + chance.below(busyMs), () => one && void act(one.account, one.webhook, what, chance));
  }

  /** What was missed is asked for when all is quiet. */
  const recover = async (chance: Random): Promise<void> => {
    const one = all[chance.below(all.length)];
    if (!one || (await act(one.account, one.webhook, 'resume', chance)).status >= 300) return;
    await client.wait(restMs);
    await act(one.account, one.webhook, 'replay', chance);
  };
  world.plan('developers recover', startMs + calmMs, () => void recover(randomIn(world.seed, 'recover')));
  return { doings };
};

export type Developers = ReturnType<typeof openDevelopers>;
