import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn, type Request } from './client.ts';
import { type Random, randomIn } from './random.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { World } from './world.ts';

/** One run of the command that erases. */
export interface ErasureRun {
  readonly fromMs: number;
  readonly toMs: number;
  readonly addresses: readonly string[];
  /** What is in use still; undefined: the run was cut off. */
  readonly left: number | undefined;
}

const email = 'person@erased.example.com';
const busyMs = 90_000;
const actCount = 8;
const againMs = 30_000;
/** An operator who is told that something is left runs the command again an hour later, and in any case a day later. */
const mostRuns = 30;
/** No account of the world has files about the person. */
const noFiles = {
  async *list() {},
  async *lines() {},
  remove: async () => undefined,
};

/** A person whose data is erased while messages to them are accepted, sent, delivered and reported. */
export const openErasures = async (world: World, { inside }: Code, account: Account) => {
  const { seed, timeline, machine, spared } = world;
  const { request } = clientIn(world);
  const chance = randomIn(seed, 'erasures');
  const eraseAtMs = daysStartMs(world.startMs) + atHour(chance, dayMs, 3 * dayMs);
  const { phone, ref } = account;
  const runs: ErasureRun[] = [];

  const contact = await spared(async () => {
    const id = inside.newId(timeline.nowMs());
    const url = 'https://flaky-erasure.example.com/hook';
    const fields = { name: 'erasure', url, events: ['message.sent', 'message.delivered', 'message.failed'] };
    await inside.stores.webhooks().create(ref, id, { ...fields, isActive: true }, { secret: chance.uuid(), most: 20 });
    return inside.stores.contacts().idByAddress(ref, { phone });
  });

  const change = (body: object): Request =>
    callWithKey(account, 'contacts/update-contact', 'PATCH /contacts/{id}', { path: { id: contact ?? '' }, body });

  const messageOf = (own: Random, name: string): Request => {
    const isText = own.isChance(0.5);
    const waitMs = own.pick([undefined, undefined, 61_000 + own.below(10 * minuteMs), hourMs + own.below(40 * hourMs)]);
    const body = isText ? { channel: 'sms', to: phone } : { channel: 'email', to: email, subject: `To ${email}` };
    const sendAt = waitMs === undefined ? {} : { sendAt: new Date(timeline.nowMs() + waitMs).toISOString() };
    return callWithKey(account, 'messages/send-message', 'POST /messages', {
      idempotencyKey: own.isChance(0.7) ? name : undefined,
      body: { ...body, ...sendAt, text: `Hello ${email}`, metadata: { for: email } },
    });
  };

  const act = (name: string): void => {
    const own = randomIn(seed, name);
    const made = own.isChance(0.75) ? messageOf(own, name) : change({ firstName: own.pick(['Ada', 'Eve']), email });
    request(made, () => undefined);
  };

  /** Runs the command once. A run that fails has erased a part. */
  const erase = (addresses: readonly string[]): Promise<ErasureRun['left']> => {
    const { promise, resolve } = Promise.withResolvers<ErasureRun['left']>();
    const work = async () => {
      const person = inside.personOf({ table: inside.tableOf(), vault: inside.vaultOf(), files: noFiles });
      let left = 0;
      for (const address of addresses)
        for await (const count of person.erase({ address, account: ref.id })) left += count.left;
      return left;
    };
    const end = (outcome: object | 'killed') =>
      resolve(
        outcome !== 'killed' && 'answer' in Object(outcome)
          ? Number(Reflect.get(Object(outcome), 'answer'))
          : undefined,
      );
    machine.start('person/erase', new Map(), work, end, { accounts: [ref.id] });
    return promise;
  };

  const wait = (ms: number): Promise<void> => new Promise((resolve) => timeline.after(ms, resolve));

  const eraseUntilDone = async (addresses: readonly string[]): Promise<void> => {
    for (let n = 0; n < mostRuns; n += 1) {
      const fromMs = timeline.nowMs();
      const left = await erase(addresses);
      runs.push({ fromMs, toMs: timeline.nowMs(), addresses, left });
      if (left === 0) return;
      await wait(left === undefined ? againMs : hourMs);
    }
  };

  world.plan('erased person gets an email', eraseAtMs - 2 * hourMs, () => request(change({ email }), () => undefined));
  for (let n = 1; n <= 2; n += 1)
    world.plan(`message before erasure ${n}`, eraseAtMs - chance.below(hourMs), () =>
      act(`message before erasure ${n}`),
    );
  for (let n = 1; n <= actCount; n += 1)
    world.plan(`act at erasure ${n}`, eraseAtMs + chance.below(2 * busyMs) - busyMs, () => act(`act at erasure ${n}`));
  // An address leads to the other one as long as there is the contact.
  world.plan('erasure', eraseAtMs, () => void eraseUntilDone([chance.pick([email, phone])]));
  world.plan('erasure a day later', eraseAtMs + dayMs + hourMs, () => void eraseUntilDone([email, phone]));
  return { account, email, phone, runs, lastRequestMs: eraseAtMs + busyMs };
};

export type Erasures = Awaited<ReturnType<typeof openErasures>>;
