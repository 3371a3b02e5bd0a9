import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { type Answer, clientIn } from './client.ts';
import type { Asked, Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a clerk writes of a contact. */
export interface Details {
  readonly email?: string;
  readonly phone?: string;
  readonly firstName?: string | null;
  readonly tags?: readonly string[];
  readonly source?: string | null;
}

/** A contact that a clerk has made, with everything that was asked of it since, in order. */
export interface MadeContact {
  readonly account: Account;
  readonly id: string;
  readonly details: Details;
  readonly changes: { readonly to: Details | 'retired'; status?: number }[];
}

/** A request for new contacts, and what became of each. */
export interface Filing {
  readonly id: string;
  readonly account: Account;
  readonly wanted: readonly Details[];
  readonly answers: Answer[];
}

/** Credits that an operator gave, or took, and what came of it. */
export interface Adjustment {
  readonly id: string;
  readonly account: Account;
  readonly change: { readonly email: number; readonly smsMasked: number };
  readonly answers: Answer[];
}

/** An address that was put on the list of those that are not written to. `toMs`: when somebody began to take it off. */
export interface Block {
  readonly account: Account;
  readonly email: string;
  readonly fromMs: number;
  toMs: number | undefined;
}

const busyMs = 80_000;
const mostClicks = 12;
const clickAgainMs = 10_000;
const names = ['Ada Lovelace', 'Grace Hopper', 'Ada Byron'] as const;
const tags: readonly [readonly string[], ...(readonly string[])[]] = [['vip'], ['new', 'old'], ['vip', 'new']];

/** Some addresses are those of messages. */
const emailFrom = (chance: Random): string =>
  chance.pick([
    `ada${chance.below(3)}@example.com`,
    `Ada${chance.below(3)}@Example.com`,
    `grace${chance.below(4)}@example.com`,
  ]);

const detailsFrom = (chance: Random): Details => ({
  ...(chance.isChance(0.8) && { firstName: chance.pick(names) }),
  ...(chance.isChance(0.5) && { tags: chance.pick(tags) }),
  ...(chance.isChance(0.5) && { source: chance.pick(['shop', 'fair']) }),
  ...(chance.isChance(0.4) && { phone: `+88018000000${10 + chance.below(5)}` }),
});

/**
 * Clerks keep the contacts of accounts, and their lists of addresses that are not written to, and send several messages at once; an operator changes
 * their credits and the status of contacts, and sends deliveries of webhooks again.
 */
export const openClerks = async (
  world: World,
  code: Code,
  { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>,
) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'clerks');
  const records: MadeContact[] = [];
  const filings: Filing[] = [];
  const blocks: Block[] = [];
  const adjustments: Adjustment[] = [];
  const resent = new Set<string>();
  const busy = new Set<string>();
  let unblocking = 0;

  const operator = await operatorIn(world, code, 'clerk');

  const file = (id: string, account: Account, chance: Random): void => {
    const filing: Filing = { id, account, answers: [], wanted: [{ ...detailsFrom(chance), email: emailFrom(chance) }] };
    filings.push(filing);
    const [wanted] = filing.wanted;
    const body = { ...wanted, customFields: { filing: id, row: 0 } };
    client.request(
      callWithKey(account, 'contacts/create-contact', 'POST /contacts', { body, idempotencyKey: `${id}-key` }),
      (answer) => {
        filing.answers.push(answer);
        if (answer.status === 201 && wanted)
          records.push({ account, id: answer.body.data.id, details: wanted, changes: [] });
      },
    );
  };

  const fileMany = (id: string, account: Account, chance: Random): void => {
    const wanted = Array.from({ length: 2 + chance.below(3) }, () => ({
      ...detailsFrom(chance),
      email: emailFrom(chance),
    }));
    const filing: Filing = { id, account, wanted, answers: [] };
    filings.push(filing);
    const contacts = wanted.map((details, row) => ({ ...details, customFields: { filing: id, row } }));
    client.request(
      callWithKey(account, 'contacts/create-contacts', 'POST /contacts/bulk', {
        body: { contacts },
        idempotencyKey: `${id}-key`,
      }),
      (answer) => {
        filing.answers.push(answer);
        if (answer.status !== 200) return;
        for (const { index, status, id: made } of answer.body.data.results)
          if (status === 'created') records.push({ account, id: made, details: wanted[index] ?? {}, changes: [] });
      },
    );
  };

  /** Whatever becomes of it, the contact is counted and listed as what it is. */
  const setStatus = async (record: MadeContact | undefined, chance: Random): Promise<void> => {
    if (!record) return;
    await client.ask({
      does: 'contacts/set-contact-status',
      routeKey: 'PATCH /admin/v1/contacts/{id}',
      headers: operator,
      account: record.account.ref.id,
      path: { id: record.id },
      body: { status: chance.pick(['active', 'unsubscribed', 'bounced']) },
    });
  };

  /** Nobody else writes what a clerk writes meanwhile; often an operator changes the status. */
  const change = async (to: Details | 'retired', chance: Random): Promise<void> => {
    const free = records.filter(({ id }) => !busy.has(id));
    const record = free[chance.below(free.length)];
    if (!record) return;
    busy.add(record.id);
    const made: MadeContact['changes'][number] = { to };
    record.changes.push(made);
    if (chance.isChance(0.5)) void setStatus(record, chance);
    const path = { id: record.id };
    const { status } = await client.ask(
      to === 'retired'
        ? callWithKey(record.account, 'contacts/retire-contact', 'DELETE /contacts/{id}', { path })
        : callWithKey(record.account, 'contacts/update-contact', 'PATCH /contacts/{id}', { path, body: to }),
    );
    made.status = status;
    busy.delete(record.id);
  };

  const block = async (account: Account, email: string): Promise<void> => {
    const isAlone = () => unblocking === 0;
    const wasAlone = isAlone();
    const { status } = await client.ask(
      callWithKey(account, 'suppressions/create-suppression', 'POST /suppressions', {
        body: { channel: 'email', address: email },
      }),
    );
    if (status === 201 && wasAlone && isAlone())
      blocks.push({ account, email, fromMs: timeline.nowMs(), toMs: undefined });
  };

  const unblock = async (chance: Random): Promise<void> => {
    const made = blocks[chance.below(blocks.length)];
    if (!made) return;
    for (const one of blocks) if (one.account === made.account) one.toMs ??= timeline.nowMs();
    unblocking += 1;
    await client.ask(
      callWithKey(made.account, 'suppressions/delete-suppression', 'DELETE /suppressions/{channel}/{address}', {
        path: { channel: 'email', address: made.email },
      }),
    );
    unblocking -= 1;
  };

  const adjust = (id: string, account: Account, chance: Random): void => {
    const change = { email: chance.below(7) - 3, smsMasked: chance.below(3) };
    const adjustment: Adjustment = { id, account, change, answers: [] };
    adjustments.push(adjustment);
    const made = {
      does: 'admin/adjust-credits',
      routeKey: 'POST /admin/v1/accounts/{id}/credits/adjustments',
      headers: operator,
      account: account.ref.id,
      path: { id: account.ref.id },
      body: change,
      idempotencyKey: `${id}-key`,
    };
    client.request(made, (answer) => adjustment.answers.push(answer));
  };

  /** Sends any delivery again, whatever has become of it; again while there is no answer. */
  const resend = async (account: Account, chance: Random): Promise<void> => {
    const rows = world.table.all().filter(({ entity, account: of }) => entity === 'delivery' && of === account.ref.id);
    const row = rows[chance.below(rows.length)];
    if (!row) return;
    const [webhookId, deliveryId] = [String(row['PK']).slice('WH#'.length), String(row['SK'])];
    resent.add(deliveryId);
    const ask = () =>
      client.ask({
        does: 'webhooks/resend-delivery',
        routeKey: 'POST /admin/v1/accounts/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/resend',
        headers: operator,
        account: account.ref.id,
        path: { id: account.ref.id, webhookId, deliveryId },
      });
    for (let left = mostClicks; left > 0 && (await ask()).status >= 500; left -= 1) await client.wait(clickAgainMs);
  };

  /** Several messages in one request. */
  const sendMany = (id: string, account: Account, chance: Random): void => {
    const rows = Array.from({ length: 2 + chance.below(2) }, (_, row): Asked => {
      const to = chance.isChance(0.7) ? emailFrom(chance) : account.phone;
      const idempotencyKey = `${id}-key`;
      return {
        id: `${id} row ${row}`,
        account,
        idempotencyKey,
        dueMs: undefined,
        atMs: timeline.nowMs(),
        to,
        copies: 1,
        answers: [],
      };
    });
    asked.push(...rows);
    const messages = rows.map(({ to, id: request }) => ({
      ...(to.startsWith('+')
        ? { channel: 'sms', text: 'Hi' }
        : { channel: 'email', subject: 'Hello', text: 'It works.' }),
      to,
      metadata: { request },
    }));
    client.request(
      callWithKey(account, 'messages/send-messages', 'POST /messages/batch', {
        body: { messages },
        idempotencyKey: `${id}-key`,
      }),
      (answer) => {
        for (const [index, row] of rows.entries()) {
          const result = answer.body?.data?.results?.[index];
          row.answers.push(
            result
              ? {
                  ...answer,
                  status: result.status === 'accepted' ? 201 : 422,
                  body: { data: result.message, error: result.error },
                }
              : answer,
          );
        }
      },
    );
  };

  const acts = [
    file,
    file,
    fileMany,
    sendMany,
    (_: string, __: Account, chance: Random) => change({ ...detailsFrom(chance), email: emailFrom(chance) }, chance),
    (_: string, __: Account, chance: Random) => change(detailsFrom(chance), chance),
    (_: string, __: Account, chance: Random) => change('retired', chance),
    (_: string, account: Account, chance: Random) => block(account, `ada${chance.below(3)}@example.com`),
    (_: string, __: Account, chance: Random) => unblock(chance),
    adjust,
    (_: string, __: Account, chance: Random) => setStatus(records[chance.below(records.length)], chance),
    (_: string, account: Account, chance: Random) => resend(account, chance),
    (_: string, account: Account, chance: Random) => resend(account, chance),
  ] as const;

  const count = 2 + random.below(7);
  for (let n = 1; n <= count; n += 1) {
    const [id, account, atMs] = [`clerk ${n}`, random.pick(accounts), startMs + random.below(busyMs)];
    const chance = randomIn(world.seed, id);
    const act = chance.pick(acts);
    world.plan(id, atMs, () => void act(id, account, chance));
  }

  return { records, filings, blocks, adjustments, resent };
};

export type Clerks = Awaited<ReturnType<typeof openClerks>>;
