import { type Account, callWithKey } from './accounts.ts';
import { clientIn } from './client.ts';
import { askedOnce, type Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What an exporter was answered of an export. */
export interface Progress {
  readonly status: string;
  readonly rows: number;
  readonly url: string | null;
}

type Listed = 'contacts' | 'messages';

/** An export that was begun. */
export interface Export {
  readonly id: string;
  readonly account: Account;
  readonly of: Listed;
  readonly filter: Readonly<Record<string, string>>;
  /** Between these numbers of changes of the table lies its time, with what indexes were behind. */
  readonly changes: { from: number; to: number };
  begun?: { readonly id: string; readonly atMs: number };
  readonly progress: Progress[];
  /** The file, at first and later. */
  readonly files: (Buffer | undefined)[];
}

const busyMs = 120_000;
const mostLooks = 14;
const longestPauseMs = 300_000;
const mostTries = 8;
/** No index is behind for longer. */
const longestLagMs = 2_000;
const filters = {
  contacts: [{}, {}, { status: 'ACTIVE' }, { tags: 'vip' }, { source: 'file' }],
  messages: [{}, {}, { channel: 'email' }, { status: 'delivered' }, { to: 'ada1@example.com' }],
} as const;

/** Exporters take contacts and messages out into files, while both come, change and go. */
export const openExporters = (world: World, { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>) => {
  const { timeline, startMs, changes } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'exporters');
  const exports: Export[] = [];

  /** Once more after no answer: what was begun then is another export, which nobody knows. */
  const begin = async ({ account, of, filter, ...made }: Export): Promise<Export['begun']> => {
    const does = of === 'contacts' ? 'contacts/start-contact-export' : 'messages/start-message-export';
    for (let left = mostTries; left > 0; left -= 1) {
      made.changes.from = changes.length;
      await client.wait(longestLagMs);
      const { status, body } = await client.ask(callWithKey(account, does, `GET /${of}/export`, { query: filter }));
      if (status === 202) return { id: body.data.id, atMs: timeline.nowMs() };
    }
    return undefined;
  };

  const look = async ({ account, of, ...made }: Export, id: string): Promise<string | undefined> => {
    const does = of === 'contacts' ? 'contacts/get-contact-export' : 'messages/get-message-export';
    const { status, body } = await client.ask(callWithKey(account, does, `GET /${of}/exports/{id}`, { path: { id } }));
    if (status !== 200) return undefined;
    made.progress.push(body.data);
    return body.data.url ?? undefined;
  };

  /** Looks until the file is there, and takes it once more later. */
  const follow = async (made: Export, id: string): Promise<void> => {
    for (let n = 0; n < mostLooks && made.files.length < 2; n += 1) {
      await client.wait(Math.min(1_000 * 2 ** n, longestPauseMs));
      const url = await look(made, id);
      if (url === undefined) continue;
      if (made.files.length === 0) made.changes.to = changes.length;
      made.files.push(client.download(url));
    }
  };

  const take = async (id: string, account: Account, chance: Random): Promise<void> => {
    const of = chance.pick<Listed>(['contacts', 'messages']);
    const filter = chance.pick<Export['filter']>(filters[of]);
    const made: Export = { id, account, of, filter, changes: { from: 0, to: Infinity }, progress: [], files: [] };
    exports.push(made);
    const begun = await begin(made);
    if (!begun) return;
    made.begun = begun;
    await follow(made, begun.id);
  };

  /** A mail to somebody new, or not: a row of each list. */
  const write = (id: string, account: Account, chance: Random): void => {
    const to = chance.pick([`ada${chance.below(3)}@example.com`, `reader${chance.below(20)}@example.com`]);
    const atMs = timeline.nowMs();
    const made = askedOnce({ id, account, atMs, to });
    asked.push(made);
    const body = { channel: 'email', to, subject: 'Hello', text: 'It works.', metadata: { request: id } };
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id }),
      (answer) => made.answers.push(answer),
    );
  };

  /** Some mails are written long before, and some meanwhile. */
  const plan = (n: number): void => {
    const [id, account, atMs] = [`export ${n}`, random.pick(accounts), startMs + random.below(busyMs)];
    const chance = randomIn(world.seed, id);
    world.plan(id, atMs, () => void take(id, account, chance));
    for (let left = random.below(4); left > 0; left -= 1) {
      const [mail, writtenMs] = [`${id} mail ${left}`, Math.max(startMs, atMs + 5_000 - random.below(30_000))];
      world.plan(mail, writtenMs, () => write(mail, account, randomIn(world.seed, mail)));
    }
  };
  const count = 1 + random.below(2);
  for (let n = 1; n <= count; n += 1) plan(n);
  return { exports };
};

export type Exporters = ReturnType<typeof openExporters>;
