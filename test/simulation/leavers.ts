import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn, type Request } from './client.ts';
import { askedOnce, type Messaging, type Taken } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A contact who gets mails and texts of an account. Nobody else writes of it. */
export interface Reader {
  readonly account: Account;
  readonly contact: string;
  readonly phone: string;
  /** Its first address, and the others that it was given. */
  readonly emails: string[];
}

/** What was asked of a reader, and the status of the answer: `agree` to texts, be `active` again, or `move` to another address. */
export interface Change {
  readonly reader: Reader;
  readonly asks: 'agree' | 'activate' | 'move';
  /** The other address. */
  readonly to: string | undefined;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

/** A button that was pressed: of a mail, or of a link that nobody was sent. */
export interface Click {
  readonly mail: Taken;
  readonly isForged: boolean;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

const busyMs = 120_000;
const againMs = 20_000;
const mostTries = 30;

/** The link of another message, or of another account, under the seal of this one; or another seal. */
const forged = (token: string, other: string, chance: Random): string => {
  const [own, strange] = [Buffer.from(token, 'base64url'), Buffer.from(other, 'base64url')];
  const [fromByte, toByte] = chance.pick([
    [0, 16],
    [16, 32],
    [32, 64],
  ]);
  const made = Buffer.concat([own.subarray(0, fromByte), strange.subarray(fromByte, toByte), own.subarray(toByte)]);
  if (made.equals(own)) made[toByte - 1] = (made[toByte - 1] ?? 0) ^ 1;
  return made.toString('base64url');
};

/** Recipients press the buttons of mails, mail programs repeat it and scanners open the links, while mails and texts are sent and contacts change. */
export const openLeavers = async (
  world: World,
  code: Code,
  { accounts, asked, mails }: Pick<Messaging, 'accounts' | 'asked' | 'mails'>,
) => {
  const { timeline, startMs } = world;
  const { stores, newId, detailsOf } = code.inside;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'leavers');
  const changes: Change[] = [];
  const clicks: Click[] = [];
  const busy = new Set<Reader>();

  const operator = await operatorIn(world, code, 'operator of unsubscribed contacts');

  const newReader = async (account: Account, n: number): Promise<Reader> => {
    const [email, phone, nowMs] = [`eve${n}@example.com`, `+88019000000${10 + n}`, timeline.nowMs()];
    const contact = newId(nowMs);
    await stores.contacts().create(account.ref, { id: contact, details: detailsOf({ email, phone }) }, nowMs);
    const at = new Date(nowMs).toISOString();
    const consent = { channel: 'sms', status: 'active', source: 'form', text: null, by: 'operator', at } as const;
    await stores.consents().record(account.ref, contact, { id: newId(nowMs), ...consent });
    return { account, contact, phone, emails: [email] };
  };
  const readers = await world.spared(
    async () => [await newReader(accounts[0], 0), await newReader(accounts[1], 1)] as const,
  );

  const send = ({ account, phone, emails }: Reader, id: string, chance: Random): void => {
    const atMs = timeline.nowMs();
    const to = chance.isChance(0.6) ? chance.pick([emails.at(-1) ?? '', emails[0] ?? '']) : phone;
    const dueMs = chance.isChance(0.3) ? atMs + 61_000 + chance.below(120_000) : undefined;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const content = to === phone ? { channel: 'sms' } : { channel: 'email', subject: 'Hello' };
    const sendAt = dueMs === undefined ? {} : { sendAt: new Date(dueMs).toISOString() };
    const body = { ...content, ...sendAt, to, text: 'It works.', metadata: { request: id } };
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id }),
      (answer) => made.answers.push(answer),
    );
  };

  const follow = (link: string, method: 'GET' | 'POST') =>
    client.ask({
      does: method === 'GET' ? 'unsubscribe/ask-to-unsubscribe' : 'unsubscribe/unsubscribe-recipient',
      routeKey: `${method} /unsubscribe/{token}`,
      path: { token: link },
      ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
    });

  /** Whoever presses the button sees that it failed, and presses it again. */
  const press = async (mail: Taken, link: string, isForged: boolean): Promise<void> => {
    const click: Click = { mail, isForged, fromMs: timeline.nowMs() };
    clicks.push(click);
    let status = 503;
    for (let left = mostTries; left > 0 && status >= 500; left -= 1) {
      ({ status } = await follow(link, 'POST'));
      if (status >= 500) await client.wait(againMs);
    }
    click.end = { atMs: timeline.nowMs(), status };
  };

  const tokenOf = ({ unsubscribeUrl = '' }: Taken): string => unsubscribeUrl.split('/').at(-1) ?? '';

  /** Mostly a mail of a reader's. */
  const anyMail = (chance: Random): Taken | undefined => {
    const sent = mails.filter(({ unsubscribeUrl }) => unsubscribeUrl !== undefined);
    const own = sent.filter(({ to }) => readers.some(({ emails }) => emails.includes(to)));
    const from = own.length > 0 && chance.isChance(0.8) ? own : sent;
    return from[chance.below(from.length)];
  };

  const click = (_: Reader, __: string, chance: Random): void => {
    const mail = anyMail(chance);
    if (!mail) return;
    void press(mail, tokenOf(mail), false);
    if (chance.isChance(0.3)) timeline.after(chance.below(2_000), () => void press(mail, tokenOf(mail), false));
  };

  const scan = (_: Reader, __: string, chance: Random): void => {
    const mail = anyMail(chance);
    if (mail) void follow(tokenOf(mail), 'GET');
  };

  const forge = (_: Reader, __: string, chance: Random): void => {
    const [mail, other] = [anyMail(chance), anyMail(chance)];
    if (mail && other) void press(mail, forged(tokenOf(mail), tokenOf(other), chance), true);
  };

  /** Of one reader, one after the other. */
  const change = async (reader: Reader, asks: Change['asks'], to?: string): Promise<void> => {
    if (busy.has(reader)) return;
    busy.add(reader);
    const made: Change = { reader, asks, to, fromMs: timeline.nowMs() };
    changes.push(made);
    if (to !== undefined) reader.emails.push(to);
    const { status } = await client.ask(requestOf(made));
    made.end = { atMs: timeline.nowMs(), status };
    busy.delete(reader);
  };

  const requestOf = ({ reader: { account, contact: id }, asks, to }: Change): Request => {
    const asOperator = { headers: operator, account: account.ref.id, body: { status: 'active' } };
    switch (asks) {
      case 'move':
        return callWithKey(account, 'contacts/update-contact', 'PATCH /contacts/{id}', {
          path: { id },
          body: { email: to },
        });
      case 'agree':
        return {
          ...asOperator,
          does: 'contacts/set-consent',
          routeKey: 'PUT /admin/v1/contacts/{id}/consents/{channel}',
          path: { id, channel: 'sms' },
        };
      case 'activate':
        return {
          ...asOperator,
          does: 'contacts/set-contact-status',
          routeKey: 'PATCH /admin/v1/contacts/{id}',
          path: { id },
        };
    }
  };

  /** To a new address, or back to the first. */
  const move = (reader: Reader, _: string, chance: Random): void => {
    const [was = ''] = reader.emails;
    void change(reader, 'move', chance.isChance(0.6) ? was.replace('@', `-${reader.emails.length}@`) : was);
  };

  const acts = [
    ...[send, send, send, click, click, scan, forge, move],
    (reader: Reader) => void change(reader, 'agree'),
    (reader: Reader) => void change(reader, 'activate'),
    /** A message to somebody who unsubscribes meanwhile. */
    (reader: Reader, id: string, chance: Random) => {
      click(reader, id, chance);
      timeline.after(chance.below(300), () => send(reader, id, chance));
    },
  ] as const;

  const count = 3 + random.below(5);
  for (let n = 1; n <= count; n += 1) {
    const id = `reader ${n}`;
    const chance = randomIn(world.seed, id);
    const [reader, act] = [chance.isChance(0.8) ? readers[0] : readers[1], n === 1 ? send : chance.pick(acts)];
    world.plan(id, startMs + (n === 1 ? 0 : chance.below(busyMs)), () => act(reader, id, chance));
  }
  return { readers, changes, clicks };
};

export type Leavers = Awaited<ReturnType<typeof openLeavers>>;
