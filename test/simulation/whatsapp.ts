import { type Keyword, keywordIn } from '../../shared/compliance/keywords.ts';
import { dayMs } from '../../shared/kit/time-units.ts';
import { whatsappTemplateId } from '../../shared/templates/whatsapp-template.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn, type Request } from './client.ts';
import { type Asked, askedOnce, type Messaging } from './messaging.ts';
import { businessOf, openMeta, signatureOf } from './meta.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A phone that writes to an account, and is written to; of a contact or not. */
export interface Phone {
  readonly account: Account;
  readonly number: string;
  readonly contact: string | undefined;
}

interface Doing {
  readonly phone: Phone;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly isDone: boolean };
}

/** What a phone wrote, as Meta reports it or an operator records it. */
export interface Written extends Doing {
  /** Of Meta. */
  readonly id: string | undefined;
  readonly keyword: Keyword | undefined;
  readonly saidMs: number;
}

/** A message that was asked for, of a template or not. */
export interface WhatsappSend {
  readonly phone: Phone;
  readonly asked: Asked;
  readonly template: string | undefined;
  /** When it was answered, for good. */
  endMs?: number;
}

/** An answer to somebody who asks for an account's callbacks, with the token of this account or another. */
interface Confirmation {
  readonly isOwn: boolean;
  readonly status: number;
  readonly text: string;
}

const busyMs = 120_000;
/** Of the templates at Meta. */
export const language = 'en';
const words = ['Hi', 'Hi', 'Hello', 'Hello', 'STOP', 'START', 'stop.', 'yes'] as const;

/** Meta has taken it, and writes down when: in whole seconds. Some of it is as old as a window. */
const saidAt = (nowMs: number, chance: Random): number => {
  const agoMs = chance.isChance(0.3) ? dayMs - 120_000 + chance.below(180_000) : chance.below(20_000);
  return 1_000 * Math.floor((nowMs - agoMs) / 1_000);
};

/** Phones and accounts write to each other by whatsapp, while Meta approves templates and takes that back, and somebody writes in its name. */
export const openWhatsapp = async (
  world: World,
  code: Code,
  { accounts, asked, texts }: Pick<Messaging, 'accounts' | 'asked' | 'texts'>,
) => {
  const { timeline, startMs } = world;
  const { stores, newId, detailsOf } = code.inside;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'whatsapp');
  const meta = openMeta(world, { accounts, texts });
  const written: Written[] = [];
  const agreements: Doing[] = [];
  const sends: WhatsappSend[] = [];
  const confirmations: Confirmation[] = [];

  const operator = await operatorIn(world, code, 'operator of whatsapp');

  /** The same phones write to all accounts: of one of them, an account has the contact. */
  const phonesOf = async (account: Account): Promise<readonly Phone[]> => {
    const nowMs = timeline.nowMs();
    const found = await stores.accounts().find(account.ref.id);
    if (!found) throw new Error('an account is missing');
    const provider = businessOf(accounts, account);
    await stores.accounts().save(found, { ...found, whatsapp: { ...found.whatsapp, provider } }, nowMs);
    const [number, contact] = ['+8801500000010', newId(nowMs)];
    await stores.contacts().create(account.ref, { id: contact, details: detailsOf({ phone: number }) }, nowMs);
    return [
      { account, number, contact },
      { account, number: '+8801500000011', contact: undefined },
    ];
  };
  const phones = await world.spared(async () => [...(await phonesOf(accounts[0])), ...(await phonesOf(accounts[1]))]);

  const ended = async (doing: Doing, work: Promise<boolean>): Promise<void> => {
    const isDone = await work;
    doing.end = { atMs: timeline.nowMs(), isDone };
  };

  const said = (phone: Phone, text: string, id: string | undefined, saidMs: number): Written => {
    const made: Written = { phone, id, keyword: keywordIn(text), saidMs, fromMs: timeline.nowMs() };
    written.push(made);
    return made;
  };

  const textOf = (phone: Phone, id: string, text: string, saidMs: number): object => ({
    ...{ id: `wamid.${id}`, from: phone.number.slice(1), timestamp: String(saidMs / 1_000) },
    ...{ type: 'text', text: { body: text } },
  });

  /** Meta calls later, and at times twice. */
  const write = (phone: Phone, id: string, chance: Random, text: string = chance.pick(words)): void => {
    const saidMs = saidAt(timeline.nowMs(), chance);
    const body = meta.bodyOf(phone.account, 'messages', { messages: [textOf(phone, id, text, saidMs)] });
    for (let copies = chance.isChance(0.2) ? 2 : 1; copies > 0; copies -= 1)
      timeline.after(
        chance.below(10_000),
        () => void ended(said(phone, text, id, saidMs), meta.call(phone.account, body)),
      );
  };

  const asOperator = async ({ ref }: Account, request: Omit<Request, 'headers' | 'account'>): Promise<boolean> =>
    (await client.ask({ headers: operator, account: ref.id, ...request })).status < 300;

  const record = (phone: Phone, _: string, chance: Random): void => {
    const text = chance.pick(words);
    const work = asOperator(phone.account, {
      does: 'admin/record-inbound',
      routeKey: 'POST /admin/v1/accounts/{id}/whatsapp/inbound',
      path: { id: phone.account.ref.id },
      body: { from: phone.number, text },
    });
    void ended(said(phone, text, undefined, timeline.nowMs()), work);
  };

  const agree = (phone: Phone): void => {
    if (phone.contact === undefined) return;
    const made: Doing = { phone, fromMs: timeline.nowMs() };
    agreements.push(made);
    const work = asOperator(phone.account, {
      does: 'contacts/set-consent',
      routeKey: 'PUT /admin/v1/contacts/{id}/consents/{channel}',
      path: { id: phone.contact, channel: 'whatsapp' },
      body: { status: 'active' },
    });
    void ended(made, work);
  };

  const send = (phone: Phone, id: string, chance: Random, template?: string): void => {
    const { account, number: to } = phone;
    const atMs = timeline.nowMs();
    const dueMs = chance.isChance(0.2) ? atMs + 61_000 + chance.below(120_000) : undefined;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const one: WhatsappSend = { phone, asked: made, template };
    sends.push(one);
    const content =
      template === undefined
        ? { text: 'Hi' }
        : { templateId: whatsappTemplateId(account.ref.id, { name: template, language }) };
    const sendAt = dueMs === undefined ? {} : { sendAt: new Date(dueMs).toISOString() };
    const body = { channel: 'whatsapp', to, ...content, ...sendAt, metadata: { request: id } };
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id }),
      (answer) => {
        made.answers.push(answer);
        one.endMs = timeline.nowMs();
      },
    );
  };

  /** News that are not of this account: of another business, of another number of this one, of another account's message, or not signed by Meta. */
  const mislead = (phone: Phone, id: string, chance: Random): void => {
    const { account } = phone;
    const other = account === accounts[0] ? accounts[1] : accounts[0];
    const saidMs = 1_000 * Math.floor(timeline.nowMs() / 1_000);
    const messages = [textOf(phone, id, 'STOP', saidMs)];
    const { message = id } = meta.taken[chance.below(meta.taken.length)] ?? {};
    const statuses = [meta.statusOf(other, message, 'failed 131026')];
    const { phoneNumberId: phone_number_id } = businessOf(accounts, other);
    const value = chance.isChance(0.5) ? { messages } : { statuses };
    const kind = chance.pick(['business', 'number', 'message', 'signature']);
    const body =
      kind === 'number'
        ? meta.bodyOf(account, 'messages', { ...value, metadata: { phone_number_id } })
        : meta.bodyOf(kind === 'business' ? other : account, 'messages', kind === 'message' ? { statuses } : value);
    void meta.call(account, body, kind === 'signature' ? signatureOf(body, 'another secret') : signatureOf(body));
  };

  const confirm = async ({ account }: Phone, _: string, chance: Random): Promise<void> => {
    const [isOwn, challenge] = [chance.isChance(0.5), chance.uuid()];
    const other = account === accounts[0] ? accounts[1] : accounts[0];
    const { verifyToken } = businessOf(accounts, isOwn ? account : other);
    const { status, text } = await client.ask({
      does: 'callbacks/confirm-whatsapp-webhook',
      routeKey: 'GET /callbacks/whatsapp/{account}',
      path: { account: account.ref.id },
      query: { 'hub.mode': 'subscribe', 'hub.verify_token': verifyToken, 'hub.challenge': challenge },
    });
    confirmations.push({ isOwn, status, text: text === challenge ? 'its challenge' : text });
  };

  const acts = [
    ...[write, write, write, send, send, send, send, record, agree, mislead, confirm],
    /** A phone writes again after its STOP, and gets an answer. */
    (phone: Phone, id: string, chance: Random) => {
      write(phone, `${id} STOP`, chance, 'STOP');
      timeline.after(10_000, () => write(phone, `${id} Hi`, chance, 'Hi'));
      timeline.after(20_000 + chance.below(20_000), () => send(phone, id, chance));
    },
  ] as const;
  const count = 3 + random.below(5);
  for (let n = 1; n <= count; n += 1) {
    const id = `whatsapp ${n}`;
    const chance = randomIn(world.seed, id);
    const phone = phones[chance.below(chance.isChance(0.8) ? 2 : phones.length)];
    const act = n === 1 ? write : chance.pick(acts);
    if (phone) world.plan(id, startMs + (n === 1 ? 0 : chance.below(busyMs)), () => void act(phone, id, chance));
  }
  return { meta, phones, written, agreements, sends, confirmations, send };
};

export type Whatsapp = Awaited<ReturnType<typeof openWhatsapp>>;
