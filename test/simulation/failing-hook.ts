import { dayMs, hourMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import type { Posted } from './messaging.ts';
import { patientClientIn, type Try } from './patient-client.ts';
import { randomIn } from './random.ts';
import type { HttpCall } from './services.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { World } from './world.ts';

/** `once`: the target is well for some hours of the second day. `later`: it is well for the first day. */
type Way = 'always' | 'once' | 'later';

/** What a developer asked for when the target was well again. */
export interface Recovery {
  readonly wasPaused: boolean;
  /** Whether the answer said since when it has missed events, or an answer before it was lost. */
  readonly isTold: boolean;
  readonly sinceMs: number;
  readonly isOnlyFailed: boolean;
  readonly fromMs: number;
  readonly status: number;
}

const url = 'https://fails-for-days.example.com/hook';
const admin = 'admin@example.com';
const wellAgainMs = 6.7 * dayMs;
/** Early enough that five days are over before the last of them. */
const firstMailMs = 8 * hourMs;
const mailCount = 5;
/** In the calm of the last hours: each ends in an hour. */
const lastMailsMs = [6.55 * dayMs, 6.6 * dayMs];

/** A subscription whose target fails for days, the messages that it is to hear of, and its developer, who recovers what it missed. */
export const openFailingHook = async (world: World, { inside }: Code, account: Account) => {
  const { seed, timeline, spared } = world;
  const { request } = clientIn(world);
  const { insist, noting } = patientClientIn(world);
  const chance = randomIn(seed, 'failing hook');
  const startMs = daysStartMs(world.startMs);
  const way = chance.pick<Way>(['always', 'always', 'always', 'once', 'later']);
  const posts: Posted[] = [];
  const notices: { readonly atMs: number; readonly to: string }[] = [];
  const recoveries: Recovery[] = [];

  const id = await spared(async () => {
    const found = await inside.stores.accounts().find(account.ref.id);
    if (!found) throw new Error('an account is missing');
    await inside.stores.accounts().save(found, { ...found, adminEmails: [admin] }, timeline.nowMs());
    const made = inside.newId(timeline.nowMs());
    const fields = {
      name: 'days',
      url,
      events: ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'],
      isActive: true,
    };
    await inside.stores.webhooks().create(account.ref, made, fields, { secret: chance.uuid(), most: 20 });
    return made;
  });

  const isWell = (sinceMs: number): boolean =>
    sinceMs >= wellAgainMs ||
    (way === 'later' && sinceMs < dayMs) ||
    (way === 'once' && sinceMs >= dayMs && sinceMs < 2.5 * dayMs);

  const change = (isActive: boolean, tries: Try[] = []) =>
    insist(
      callWithKey(account, 'webhooks/update-webhook', 'PATCH /webhooks/{id}', { path: { id }, body: { isActive } }),
      noting(account, 'change', tries),
    );

  /** What a developer does who finds the subscription paused, or failing. Half of them pause one that is paused once more. */
  const recover = async (): Promise<void> => {
    const { body } = await insist(callWithKey(account, 'webhooks/get-webhook', 'GET /webhooks/{id}', { path: { id } }));
    const wasPaused = body?.data?.isActive === false;
    if (wasPaused && randomIn(seed, 'pauses again').isChance(0.5)) await change(false);
    const tries: Try[] = [];
    const missedSince: string | undefined = wasPaused ? (await change(true, tries)).body?.data?.missedSince : undefined;
    const sinceMs = missedSince === undefined ? startMs : Date.parse(missedSince);
    const isOnlyFailed = !wasPaused && chance.isChance(0.5);
    const fromMs = timeline.nowMs();
    const { status } = await insist(
      callWithKey(account, 'webhooks/replay-events', 'POST /webhooks/{id}/replay', {
        path: { id },
        body: { since: new Date(sinceMs).toISOString(), onlyFailed: isOnlyFailed },
      }),
    );
    const isTold = missedSince !== undefined || tries.length > 1;
    recoveries.push({ wasPaused, isTold, sinceMs, isOnlyFailed, fromMs, status });
  };

  const mail = (name: string): void =>
    request(
      callWithKey(account, 'messages/send-message', 'POST /messages', {
        idempotencyKey: name,
        body: {
          ...{ channel: 'email', to: `${name.replaceAll(' ', '-')}@example.com`, subject: 'Hello', text: 'It works.' },
        },
      }),
      () => undefined,
    );

  const times = Array.from({ length: mailCount }, (_, n) =>
    atHour(chance, n === 0 ? 0 : (n * 6.5 * dayMs) / mailCount, n === 0 ? firstMailMs : (6.5 * dayMs) / mailCount),
  );
  for (const [n, afterMs] of [...times, ...lastMailsMs].entries()) {
    const name = `days mail ${n}`;
    world.plan(name, startMs + afterMs, () => mail(name));
  }
  // It is active, so this changes nothing.
  for (let n = chance.isChance(0.4) ? 3 : 0; n > 0; n -= 1)
    world.plan(`days resume ${n}`, startMs + atHour(chance, n * dayMs, dayMs), () => void change(true));
  timeline.at(startMs + wellAgainMs, () => void recover());

  return {
    account,
    id,
    startMs,
    posts,
    notices,
    recoveries,

    note: (to: string, text: string): void => {
      if (text.includes(id)) notices.push({ atMs: timeline.nowMs(), to });
    },

    /** The target's answer; undefined: another is called. */
    answer: (call: HttpCall): { readonly statusCode: number; readonly body: string } | undefined => {
      if (call.url !== url) return undefined;
      const atMs = timeline.nowMs();
      const statusCode = isWell(atMs - startMs) ? 200 : 503;
      posts.push({ ...call, atMs, statusCode });
      return { statusCode, body: '' };
    },
  };
};

export type FailingHook = Awaited<ReturnType<typeof openFailingHook>>;
