import { type Account, callWithKey } from './accounts.ts';
import { type Answer, clientIn } from './client.ts';
import { type Asked, askedOnce, type Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What an author makes of a template: another content or another name. */
export interface Revision {
  readonly to: { readonly text: string } | { readonly name: string } | 'archived';
  readonly fromMs: number;
  /** Undefined while it is under way; one without an answer may have been made. */
  end?: { readonly atMs: number; readonly status: number };
}

/** A template that an author has made, with everything that was asked of it since, in order. */
export interface Work {
  readonly account: Account;
  readonly id: string;
  readonly channel: 'email' | 'sms';
  /** What it says at first; an email says it in its subject too. */
  readonly text: string;
  readonly revisions: Revision[];
}

/** A message of a template. */
export interface Use {
  readonly asked: Asked;
  readonly work: Work;
  /** When it was answered, for good. */
  endMs?: number;
}

const busyMs = 80_000;

/** Authors make, change and archive templates while messages of them are sent. */
export const openAuthors = (world: World, { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'authors');
  const works: Work[] = [];
  const uses: Use[] = [];
  const busy = new Set<string>();

  const contentOf = (channel: Work['channel'], text: string) =>
    channel === 'email' ? { subject: text, textContent: text } : { textContent: text };

  const make = (id: string, account: Account, chance: Random): void => {
    const channel = chance.pick<Work['channel']>(['email', 'sms']);
    const body = { channel, name: id, ...contentOf(channel, id) };
    const made = callWithKey(account, 'templates/create-template', 'POST /templates', {
      body,
      idempotencyKey: `${id}-key`,
    });
    client.request(made, ({ status, body: { data } }: Answer) => {
      if (status === 201) works.push({ account, id: data.id, channel, text: id, revisions: [] });
    });
  };

  const anyWork = (chance: Random): Work | undefined => works[chance.below(works.length)];

  /** One at a time changes what a template says, and one its name; both may come at once, and while it is archived. */
  const revise = async (work: Work | undefined, to: Revision['to']): Promise<void> => {
    if (!work) return;
    const place = `${work.id} ${to === 'archived' ? to : Object.keys(to).join()}`;
    if (busy.has(place)) return;
    busy.add(place);
    const revision: Revision = { to, fromMs: timeline.nowMs() };
    work.revisions.push(revision);
    const path = { id: work.id };
    const body = to !== 'archived' && 'text' in to ? contentOf(work.channel, to.text) : to;
    const { status } = await client.ask(
      body === 'archived'
        ? callWithKey(work.account, 'templates/archive-template', 'DELETE /templates/{id}', { path })
        : callWithKey(work.account, 'templates/update-template', 'PATCH /templates/{id}', { path, body }),
    );
    revision.end = { atMs: timeline.nowMs(), status };
    busy.delete(place);
  };

  const send = (id: string, chance: Random): void => {
    const work = anyWork(chance);
    if (!work) return;
    const { account, channel } = work;
    const atMs = timeline.nowMs();
    const dueMs = chance.isChance(0.3) ? atMs + 61_000 + chance.below(120_000) : undefined;
    const to = channel === 'email' ? `ada${chance.below(3)}@example.com` : account.phone;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const use: Use = { asked: made, work };
    uses.push(use);
    const sendAt = dueMs === undefined ? {} : { sendAt: new Date(dueMs).toISOString() };
    const body = { channel, to, templateId: work.id, ...sendAt, metadata: { request: id } };
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id }),
      (answer) => {
        made.answers.push(answer);
        if (answer.status < 500) use.endMs = timeline.nowMs();
      },
    );
  };

  const acts = [
    make,
    (id: string, _: Account, chance: Random) => send(id, chance),
    (id: string, _: Account, chance: Random) => send(id, chance),
    (id: string, _: Account, chance: Random) => void revise(anyWork(chance), { text: id }),
    (id: string, _: Account, chance: Random) => void revise(anyWork(chance), { text: id }),
    (id: string, _: Account, chance: Random) => void revise(anyWork(chance), { name: id }),
    (_: string, __: Account, chance: Random) => void revise(anyWork(chance), 'archived'),
    /** A message of a template that changes meanwhile. */
    (id: string, _: Account, chance: Random) => {
      const work = anyWork(chance);
      void revise(work, chance.isChance(0.7) ? { text: id } : 'archived');
      timeline.after(chance.below(300), () => send(id, chance));
    },
    /** Two changes at once. */
    (id: string, _: Account, chance: Random) => {
      const work = anyWork(chance);
      void revise(work, { text: id });
      timeline.after(chance.below(50), () => void revise(work, { name: id }));
    },
  ] as const;

  const count = 2 + random.below(4);
  for (let n = 0; n < count; n += 1) {
    const id = `author ${n}`;
    const chance = randomIn(world.seed, id);
    const account = random.pick(accounts);
    const act = n === 0 ? make : chance.pick(acts);
    const atMs = startMs + (n === 0 ? 0 : chance.below(busyMs));
    world.plan(id, atMs, () => act(id, account, chance));
  }
  return { works, uses };
};

export type Authors = ReturnType<typeof openAuthors>;
