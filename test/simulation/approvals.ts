import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import type { Messaging } from './messaging.ts';
import type { MetaTemplate } from './meta.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import { language, type Whatsapp } from './whatsapp.ts';
import type { World } from './world.ts';

/** A template as it was at Meta from some time on; undefined: it was not there. */
export interface Edition {
  readonly account: Account;
  readonly name: string;
  readonly is: MetaTemplate | undefined;
  readonly fromMs: number;
}

/** What may teach an account its templates: a sync of all, or Meta's decision about one, made at `atMs`. */
export interface Lesson {
  readonly account: Account;
  readonly decided: (MetaTemplate & { readonly atMs: number }) | undefined;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly isDone: boolean };
}

const busyMs = 120_000;
const names = ['order', 'offer'] as const;
/** Of so many worlds one has Meta's word on a template come after a sync that has read what became of it. */
const worldsPerLateDecision = 170;
const placeOfLateDecision = 103;
const statuses = ['APPROVED', 'APPROVED', 'APPROVED', 'PENDING', 'PAUSED'] as const;

/** Accounts change templates at Meta, which approves them and takes that back, while they are synced and messages of them are sent. */
export const openApprovals = async (
  world: World,
  code: Code,
  { accounts }: Pick<Messaging, 'accounts'>,
  { meta, phones, written, send }: Whatsapp,
) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'approvals');
  const editions: Edition[] = [];
  const lessons: Lesson[] = [];

  const operator = await operatorIn(world, code, 'operator of templates');

  const learn = async (account: Account, decided: Lesson['decided'], work: () => Promise<boolean>): Promise<void> => {
    const lesson: Lesson = { account, decided, fromMs: timeline.nowMs() };
    lessons.push(lesson);
    const isDone = await work();
    lesson.end = { atMs: timeline.nowMs(), isDone };
  };

  /** Meta says so later, at times twice, or not at all. */
  const decide = (account: Account, template: MetaTemplate, chance: Random): void => {
    const body = meta.decisionOf(account, template);
    const decided = { ...template, atMs: timeline.nowMs() };
    for (let copies = chance.pick([0, 1, 1, 2]); copies > 0; copies -= 1)
      timeline.after(chance.below(15_000), () => void learn(account, decided, () => meta.call(account, body)));
  };

  const edit = (account: Account, id: string, chance: Random): void => {
    const name = chance.pick(names);
    const is = chance.isChance(0.9) ? { name, language, status: chance.pick(statuses), text: id } : undefined;
    editions.push({ account, name, is, fromMs: timeline.nowMs() });
    meta.setTemplate(account, name, is);
    if (is) decide(account, is, chance);
  };

  const sync = (account: Account): void =>
    void learn(account, undefined, async () => {
      const { status } = await client.ask({
        does: 'admin/sync-templates',
        routeKey: 'POST /admin/v1/accounts/{id}/whatsapp/templates/sync',
        headers: operator,
        account: account.ref.id,
        path: { id: account.ref.id },
      });
      return status === 200;
    });

  /** Mostly to a phone that has written, and not STOP. */
  const use = (account: Account, id: string, chance: Random): void => {
    const own = phones.filter((phone) => phone.account === account);
    const open = own.filter((phone) => {
      const last = written.findLast((one) => one.phone === phone);
      return last !== undefined && last.keyword !== 'stop';
    });
    const among = open.length > 0 && chance.isChance(0.9) ? open : own;
    const phone = among[chance.below(among.length)];
    if (phone) send(phone, id, chance, chance.pick(names));
  };

  const acts = [
    ...[edit, edit, sync, sync, use, use, use],
    /** Messages of a template that is learned meanwhile. */
    (account: Account, id: string, chance: Random) => {
      edit(account, id, chance);
      sync(account);
      for (let n = 1; n <= 3; n += 1) timeline.after(chance.below(500), () => use(account, `${id} ${n}`, chance));
    },
  ] as const;

  const count = 3 + random.below(5);
  for (let n = 1; n <= count; n += 1) {
    const id = `approval ${n}`;
    const chance = randomIn(world.seed, id);
    const account = chance.isChance(0.8) ? accounts[0] : accounts[1];
    const act = [edit, edit, sync][n - 1] ?? chance.pick(acts);
    const atMs = n <= 3 ? 1_000 * n : chance.below(busyMs);
    world.plan(id, startMs + atMs, () => act(account, id, chance));
  }

  /** A template is paused and approved again before the sync, and of its pause Meta says so after that. */
  const lateName = 'news';
  const setLate = (account: Account, status: 'APPROVED' | 'PAUSED'): MetaTemplate => {
    const is = { name: lateName, language, status, text: 'It is late.' };
    editions.push({ account, name: lateName, is, fromMs: timeline.nowMs() });
    meta.setTemplate(account, lateName, is);
    return is;
  };
  const pauseUnheard = (account: Account, lateMs: number): void => {
    const paused = setLate(account, 'PAUSED');
    const body = meta.decisionOf(account, paused);
    const decided = { ...paused, atMs: timeline.nowMs() };
    timeline.after(lateMs, () => void learn(account, decided, () => meta.call(account, body)));
  };
  // A round of the day would sync, too.
  if (world.seed % worldsPerLateDecision === placeOfLateDecision && !world.queues.losesJobs) {
    const [account, chance] = [accounts[0], randomIn(world.seed, 'late decision')];
    const plan = (name: string, afterMs: number, act: () => unknown): void =>
      world.plan(`late decision: ${name}`, startMs + afterMs, act);
    plan('approved', 500, () => setLate(account, 'APPROVED'));
    plan('sync', 1_000, () => sync(account));
    plan('paused', 15_000, () => pauseUnheard(account, 90_000 + chance.below(60_000)));
    plan('approved again', 20_000, () => setLate(account, 'APPROVED'));
    plan('second sync', 80_000 + chance.below(20_000), () => sync(account));
    for (let n = 1; n <= 4; n += 1) {
      const [phone, own] = [phones.find((one) => one.account === account), randomIn(world.seed, `late use ${n}`)];
      plan(`use ${n}`, 60_000 + own.below(180_000), () => phone && send(phone, `late use ${n}`, own, lateName));
    }
  }
  return { editions, lessons };
};

export type Approvals = Awaited<ReturnType<typeof openApprovals>>;
