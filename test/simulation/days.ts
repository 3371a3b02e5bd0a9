import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { accountMaker } from './accounts.ts';
import type { Actors } from './actors.ts';
import type { Code } from './bundle-functions.ts';
import { openErasures } from './erasures.ts';
import { type AccountFacts, factsOf } from './facts.ts';
import { openFailingHook } from './failing-hook.ts';
import { openLastingKeys } from './lasting-keys.ts';
import { openLateMoney } from './late-money.ts';
import { openPausedSending } from './paused-sending.ts';
import { randomIn } from './random.ts';
import { isText, openSilentTexts, sentMs } from './silent-texts.ts';
import { dayCount, daysStartMs, hasFailingHook } from './storms.ts';
import { dueQueuesIn } from './sweeps.ts';
import type { Fields } from './table/value.ts';
import type { World } from './world.ts';

/** Schedules run each minute; where nothing is due, a world leaves them out. */
const lookMs = 10 * minuteMs;
/** Each hour a round looks for texts without a report; one that can find none is left out, but a few. */
const roundsPerDay = 2;
const unreportedMs = 71 * hourMs;
/** The table deletes what has expired within two days. */
const deletionsMs = 6 * hourMs;
const deletionChance = 0.5;
/** What is under way at the end of the days must have ended then. */
const restMs = 6 * hourMs;

/** Who is at work in the days of a world, in accounts of their own. */
const openDays = async (world: World, code: Code, { outside }: Actors) => {
  const newAccount = accountMaker(world, code, { mostHooks: 0, manyCredits: 200, fewChance: 0 });
  const [first, second] = [await newAccount(7), await newAccount(8)];
  const failingHook = hasFailingHook(world.seed) ? await openFailingHook(world, code, first) : undefined;
  const silentTexts = openSilentTexts(world, first);
  const lastingKeys = await openLastingKeys(world, code, second);
  const lateMoney = hasFailingHook(world.seed) ? undefined : await openLateMoney(world, code, await newAccount(9));
  const erasures = await openErasures(world, code, await newAccount(10));
  const pausedSending = openPausedSending(world, await newAccount(11));
  world.connect({
    ...outside,
    mail: (mail, chance) => {
      pausedSending.refuse(mail);
      const { subject, text } = JSON.parse(mail.raw.toString());
      if (subject === 'A webhook was paused') failingHook?.note(mail.destination, text);
      return outside.mail(mail, chance);
    },
    http: (call, chance) =>
      lateMoney?.answer(call) ?? failingHook?.answer(call) ?? silentTexts.answer(call) ?? outside.http(call, chance),
  });
  return { failingHook, silentTexts, lastingKeys, lateMoney, erasures, pausedSending };
};

export type Days = Awaited<ReturnType<typeof openDays>>;

const isUnreported = (item: Fields, nowMs: number): boolean =>
  isText(item) &&
  item['status'] === 'sent' &&
  item['failureCode'] === undefined &&
  sentMs(item) <= nowMs - unreportedMs;

/** Has schedules do what can be due, and the table delete what has expired. */
const scheduleDue = (world: World, sinceMs: number): boolean => {
  const { seed, timeline, queues, table } = world;
  const nowMs = timeline.nowMs();
  const items = table.all();
  if (sinceMs % hourMs === 0) {
    const isRound = (sinceMs / hourMs) % (24 / roundsPerDay) === 0 || items.some((item) => isUnreported(item, nowMs));
    if (isRound) queues.add('chores', '{"kind":"find-stranded"}', 0);
  }
  const due = dueQueuesIn(world);
  for (const queue of due) queues.add(queue, '{"kind":"sweep"}', 0);
  if (sinceMs % deletionsMs === 0) {
    const chance = randomIn(seed, `deletions after ${sinceMs}`);
    for (const { PK, SK, expiresAt } of items)
      if (Number(expiresAt) * 1_000 < nowMs && chance.isChance(deletionChance)) table.expire(String(PK), String(SK));
  }
  return due.size > 0;
};

/** What the product says of those who took payments in the days, or had messages waiting for a provider. */
const factsOfDays = (
  { lateMoney, pausedSending }: Days,
  world: World,
  code: Code,
  actors: Actors,
): Promise<readonly AccountFacts[]> =>
  factsOf(world, code, {
    ...actors,
    messaging: { accounts: [pausedSending.account, ...(lateMoney ? [lateMoney.account] : [])] },
    founders: undefined,
    checkout: lateMoney?.checkout,
  });

/** Lets a world that has become quiet live for days; gives who was at work in them, what the product says of that, and how much happened. */
export const liveForDays = async (world: World, code: Code, actors: Actors) => {
  const { timeline } = world;
  const startMs = daysStartMs(world.startMs);
  let events = await timeline.runUntil(startMs);
  const days = await openDays(world, code, actors);
  const endMs = startMs + dayCount * dayMs;
  for (let nextMs = startMs; nextMs < endMs + restMs; ) {
    if (nextMs >= endMs && timeline.isEmpty()) break;
    events += await timeline.runUntil(nextMs);
    const isDue = scheduleDue(world, nextMs - startMs);
    nextMs += isDue ? minuteMs : lookMs - ((nextMs - startMs) % lookMs);
  }
  return { days, facts: await factsOfDays(days, world, code, actors), events };
};
