import { createHmac } from 'node:crypto';
import type { Account } from './accounts.ts';
import { clientIn } from './client.ts';
import type { Messaging } from './messaging.ts';
import type { Random } from './random.ts';
import type { HttpCall } from './services.ts';
import type { World } from './world.ts';

/** A template as Meta has it. */
export interface MetaTemplate {
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly text: string;
}

/** What Meta reports of a message that it has taken: in any order, late, some of it twice. */
export interface Course {
  readonly message: string;
  readonly statuses: readonly string[];
}

/** A call that Meta made, or somebody in its name, and the status of its last answer. */
export interface Callback {
  readonly account: Account;
  readonly isForged: boolean;
  status?: number;
}

type Value = Readonly<Record<string, unknown>>;

const host = 'graph.facebook.com';
const appSecret = 'app-secret';
const againMs = 20_000;
const mostTries = 30;
const templatesPerPage = 2;

const courses: readonly [readonly string[], ...(readonly string[])[]] = [
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered'],
  ['sent'],
  ['sent', 'failed 131026'],
  ['failed 131049'],
  [],
];

/** Meta's errors: for good, for now, and one that says nothing. */
const refusals: readonly [readonly [number, string], ...(readonly [number, string])[]] = [
  [400, '{"error":{"code":131026,"message":"undeliverable"}}'],
  [400, '{"error":{"code":130429,"message":"throttled"}}'],
  [500, '{"error":{"code":131000,"message":"something went wrong"}}'],
  [500, 'no'],
];

/** The business account of an account. All are served by one app, which signs for each. */
export const businessOf = (accounts: readonly Account[], account: Account) => {
  const n = accounts.indexOf(account);
  return {
    kind: 'meta',
    phoneNumberId: `20000${n}`,
    businessAccountId: `30000${n}`,
    accessToken: `token-${n}`,
    appSecret,
    verifyToken: `verify-${n}`,
  } as const;
};

export const signatureOf = (body: object, secret = appSecret): string =>
  `sha256=${createHmac('sha256', secret).update(JSON.stringify(body)).digest('hex')}`;

/** Meta's Cloud API: it takes messages, lists templates, and calls accounts back until they answer. */
export const openMeta = (world: World, { accounts, texts }: Pick<Messaging, 'accounts' | 'texts'>) => {
  const { timeline } = world;
  const client = clientIn(world);
  const taken: Course[] = [];
  const callbacks: Callback[] = [];
  /** Each keeps its place in the list, also when it is not there any more. */
  const templates = new Map(accounts.map((account) => [account, new Map<string, MetaTemplate | undefined>()]));

  const bodyOf = (of: Account, field: string, value: Value): object => {
    const { businessAccountId: id, phoneNumberId: phone_number_id } = businessOf(accounts, of);
    const inside =
      field === 'messages' ? { messaging_product: 'whatsapp', metadata: { phone_number_id }, ...value } : value;
    const time = Math.floor(timeline.nowMs() / 1_000);
    return { object: 'whatsapp_business_account', entry: [{ id, time, changes: [{ field, value: inside }] }] };
  };

  /** What Meta says of a template that it has approved, or paused. */
  const decisionOf = (account: Account, { status, name, language }: MetaTemplate): object =>
    bodyOf(account, 'message_template_status_update', {
      event: status,
      message_template_name: name,
      message_template_language: language,
    });

  /** Calls the URL of an account, again until it is heard; gives whether it was. */
  const call = async (account: Account, body: object, signature = signatureOf(body)): Promise<boolean> => {
    const callback: Callback = { account, isForged: signature !== signatureOf(body) };
    callbacks.push(callback);
    for (let left = mostTries; left > 0; left -= 1) {
      const { status } = await client.ask({
        does: 'callbacks/receive-whatsapp-news',
        routeKey: 'POST /callbacks/whatsapp/{account}',
        account: account.ref.id,
        headers: { 'x-hub-signature-256': signature },
        path: { account: account.ref.id },
        body,
      });
      callback.status = status;
      if (status < 500) return status === 200;
      await client.wait(againMs);
    }
    return false;
  };

  const statusOf = (account: Account, message: string, reported: string): Value => {
    const [status, code] = reported.split(' ');
    const biz_opaque_callback_data = `${account.ref.id}:${message}`;
    return {
      id: `wamid.${message}`,
      status,
      biz_opaque_callback_data,
      ...(code && { errors: [{ code: Number(code) }] }),
    };
  };

  const report = (account: Account, { message, statuses }: Course, chance: Random): void => {
    const all = statuses.map((reported) => statusOf(account, message, reported));
    const parcels = chance.isChance(0.2) ? [all] : all.map((one) => [one]);
    for (const [n, parcel] of parcels.entries())
      for (let copies = chance.isChance(0.1) ? 2 : 1; copies > 0; copies -= 1)
        timeline.after(
          chance.below(4_000) + n * chance.below(20_000),
          () => void call(account, bodyOf(account, 'messages', { statuses: parcel })),
        );
  };

  const take = (account: Account, body: string, chance: Random) => {
    const { to, text, biz_opaque_callback_data: ids } = JSON.parse(body);
    const message = String(ids).split(':')[1] ?? '';
    const [statusCode, refusal] = chance.isChance(0.2) ? chance.pick(refusals) : [200, ''];
    const isTaken = statusCode === 200 || (refusal === 'no' && chance.isChance(0.5));
    if (isTaken) {
      const course = { message, statuses: chance.pick(courses) };
      taken.push(course);
      texts.push({ message, to, atMs: timeline.nowMs(), said: [text.body], attached: [] });
      report(account, course, chance);
    }
    return { statusCode, body: refusal || JSON.stringify({ messages: [{ id: `wamid.${message}` }] }) };
  };

  const list = (account: Account, url: URL) => {
    const from = Number(url.searchParams.get('after') ?? 0);
    const all = [...(templates.get(account)?.values() ?? [])];
    const page = all.slice(from, from + templatesPerPage).filter((one) => one !== undefined);
    const data = page.map(({ text, ...one }) => ({ ...one, components: [{ type: 'BODY', text }] }));
    const after = String(from + templatesPerPage);
    const paging = all.length > from + templatesPerPage ? { next: 'more', cursors: { after } } : {};
    return { statusCode: 200, body: JSON.stringify({ data, paging }) };
  };

  return {
    taken,
    callbacks,
    bodyOf,
    decisionOf,
    statusOf,
    call,

    setTemplate: (account: Account, name: string, template: MetaTemplate | undefined): void =>
      void templates.get(account)?.set(name, template),

    /** Undefined: the call is not for Meta. */
    answer: ({ url: text, headers, body }: HttpCall, chance: Random) => {
      const url = new URL(text);
      if (url.host !== host) return undefined;
      const [, , id, edge] = url.pathname.split('/');
      const account = accounts.find(
        (one) => `Bearer ${businessOf(accounts, one).accessToken}` === headers['Authorization'],
      );
      const { phoneNumberId, businessAccountId } = account ? businessOf(accounts, account) : {};
      if (account && edge === 'messages' && id === phoneNumberId) return take(account, body, chance);
      if (account && edge === 'message_templates' && id === businessAccountId) return list(account, url);
      return { statusCode: 401, body: '{"error":{"code":190}}' };
    },
  };
};
