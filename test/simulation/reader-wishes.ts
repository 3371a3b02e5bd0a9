import type { Account } from './accounts.ts';
import type { Authors } from './authors.ts';
import type { Campaigns } from './campaigns.ts';
import type { Checkout, Order } from './checkout.ts';
import type { Clerks } from './clerks.ts';
import type { Answer } from './client.ts';
import type { Messaging } from './messaging.ts';
import type { Random } from './random.ts';
import type { PlaceName } from './reader-places.ts';

type Texts = Readonly<Record<string, string>>;

/** What readers know of a world: what was answered to others. */
export interface Known {
  readonly messaging: Pick<Messaging, 'accounts' | 'asked'>;
  readonly campaigns: Pick<Campaigns, 'sent'> | undefined;
  readonly checkout: Pick<Checkout, 'merchants' | 'orders'> | undefined;
  readonly clerks: Pick<Clerks, 'records'> | undefined;
  readonly authors: Pick<Authors, 'works'> | undefined;
}

/** Something that is to be read. */
export interface Wish {
  readonly place: PlaceName;
  readonly account: Account;
  readonly path: Texts;
  readonly query: Texts;
  /** Of the checkout: with which key. */
  readonly livemode: boolean;
}

type Make<Made> = (account: Account, chance: Random) => Made;

const listedStatuses = ['queued', 'sending', 'sent', 'delivered', 'opened', 'clicked', 'bounced', 'failed'] as const;
const emails = ['ADA0@example.com', 'ada1@example.com', 'ada2@example.com'] as const;

const anyOf = <Each>(all: readonly Each[], chance: Random): Each | undefined => all[chance.below(all.length)];

const idsIn = (answers: readonly Answer[]): readonly string[] =>
  answers.flatMap(({ status, body }) => (status === 201 ? [body.data.id] : []));

const wish = (account: Account, place: PlaceName, more: Partial<Wish> = {}): Wish => ({
  ...{ account, place, path: {}, query: {}, livemode: true },
  ...more,
});

/** The ways to read something that has an id; none while nobody knows of one. */
const ways = (
  account: Account,
  id: string | undefined,
  places: readonly PlaceName[],
  livemode = true,
): readonly Wish[] =>
  id === undefined ? [] : places.map((place) => wish(account, place, { path: { id, paymentId: id }, livemode }));

const messageFilter: Make<Texts> = ({ phone }, chance) => {
  const channel = chance.pick(['email', 'email', 'sms']);
  const status = chance.pick(listedStatuses);
  const to = chance.pick([phone, ...emails]);
  return chance.pick<Texts>([
    {},
    {},
    { channel },
    { status },
    { channel, status },
    { to },
    { to, status },
    { createdAfter: '2026-03-02T08:00:30Z' },
    { channel, createdBefore: '2026-03-02T08:01:00Z' },
  ]);
};

const suppressionFilter: Make<Texts> = ({ phone }, chance) =>
  chance.pick<Texts>([
    {},
    {},
    { channel: chance.pick(['email', 'sms']) },
    { reason: chance.pick(['manual', 'bounced', 'unsubscribed']) },
    { address: chance.pick([phone, ...emails]) },
  ]);

const contactFilter: Make<Texts> = ({ phone }, chance) =>
  chance.pick<Texts>([
    {},
    {},
    { status: chance.pick(['ACTIVE', 'BOUNCED', 'UNSUBSCRIBED']) },
    { tags: chance.pick(['vip', 'new,old']) },
    { source: chance.pick(['shop', 'api']) },
    { search: chance.pick(['ada', 'hop', 'ada lov', phone, ...emails]) },
    { tags: 'vip', status: 'ACTIVE' },
    { minEngagementScore: chance.pick(['40', '50', '60']) },
  ]);

const orderOf = (chance: Random): Texts =>
  chance.pick<Texts>([
    {},
    {},
    { sortOrder: 'asc' },
    { sortBy: 'updatedAt' },
    { sortBy: 'engagementScore', sortOrder: chance.pick(['asc', 'desc']) },
  ]);

/** One page of a list that has numbers for them, or all. */
const pageOf = (chance: Random): Texts =>
  chance.isChance(0.5) ? { limit: '100' } : { limit: String(1 + chance.below(3)), page: String(1 + chance.below(3)) };

const timeFilter = (chance: Random): Texts =>
  chance.pick<Texts>([{}, {}, {}, { from: '2026-03-02T08:00:30Z' }, { to: '2026-03-02T08:02:00Z' }]);

const merchantLists = {
  sessions: ['OPEN', 'COMPLETED', 'EXPIRED'],
  payments: ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  refunds: ['PENDING', 'SUCCEEDED', 'FAILED'],
} as const;

/** What readers may ask for. */
export const wishesOf = ({ messaging, campaigns, checkout, clerks, authors }: Known) => {
  const ownOf = <Each extends { readonly account: Account }>(all: readonly Each[] = [], account: Account) =>
    all.filter((each) => each.account === account);

  const ordersOf = (account: Account): readonly Order[] =>
    (checkout?.orders ?? []).filter(({ merchant }) => merchant.account === account);

  const merchantList: Make<Wish> = (account, chance) => {
    const place = chance.pick(['sessions', 'payments', 'payments', 'refunds'] as const);
    const status = anyOf<string>(merchantLists[place], chance) ?? '';
    const query = { ...timeFilter(chance), ...(chance.isChance(0.5) && { status }) };
    return wish(account, place, { query, livemode: chance.isChance(0.8) });
  };

  const deliveries: Make<Wish> = (account, chance) => {
    const shop = checkout?.merchants.find((merchant) => merchant.account === account);
    const webhook = anyOf([...account.webhooks, ...(shop?.webhooks ?? [])], chance);
    return webhook
      ? wish(account, 'deliveries', { path: { id: account.ref.id, webhookId: webhook.id } })
      : wish(account, 'messages');
  };

  /** Lists that are not read by cursor: one page of them, or all. */
  const contacts: Make<readonly Wish[]> = (account, chance) => {
    const query = { ...contactFilter(account, chance), ...orderOf(chance), ...pageOf(chance) };
    return [wish(account, 'contacts', { query })];
  };

  const logs: Make<readonly Wish[]> = (account, chance) => {
    const webhook = anyOf(account.webhooks, chance);
    return webhook ? [wish(account, 'logs', { path: { id: webhook.id }, query: pageOf(chance) })] : [];
  };

  const analytics: Make<readonly Wish[]> = (account, chance) => [
    wish(account, 'analytics', {
      query: chance.pick<Texts>([
        {},
        {},
        { startDate: '2026-03-02T08:00:30Z' },
        { endDate: '2026-03-02T08:01:00Z' },
        { startDate: '2026-03-02T08:00:40Z', endDate: '2026-03-02T08:02:00Z' },
      ]),
    }),
  ];

  const contact: Make<readonly Wish[]> = (account, chance) =>
    ways(account, anyOf(ownOf(clerks?.records, account), chance)?.id, ['contact']);

  const template: Make<readonly Wish[]> = (account, chance) => {
    const query = chance.pick<Texts>([{}, { channel: chance.pick(['email', 'sms']) }]);
    const id = anyOf(ownOf(authors?.works, account), chance)?.id;
    return [...ways(account, id, ['template', 'versions']), wish(account, 'templates', { query })];
  };

  const consents: Make<readonly Wish[]> = (account, chance) =>
    ways(account, anyOf(ownOf(clerks?.records, account), chance)?.id, ['consents']);

  const events: Make<Wish> = (account, chance) =>
    wish(account, 'events', {
      query: chance.pick<Texts>([{}, {}, { types: 'message.sent' }, { types: 'message.delivered,message.failed' }]),
    });

  const messages: Make<Wish> = (account, chance) =>
    wish(account, 'messages', { query: messageFilter(account, chance) });
  const suppressions: Make<Wish> = (account, chance) =>
    wish(account, 'suppressions', { query: suppressionFilter(account, chance) });
  const paymentsOfAccount: Make<Wish> = (account, chance) =>
    wish(account, 'paymentsOfAccount', {
      path: { id: account.ref.id },
      query: chance.pick<Texts>([{}, {}, { mark: chance.pick(['held', 'surplus', 'cancelled']) }]),
    });

  const lists: readonly Make<Wish>[] = [
    ...[messages, messages, messages, deliveries, deliveries, events, events],
    ...(clerks ? [suppressions, suppressions] : []),
    ...(checkout ? [merchantList, merchantList, merchantList, paymentsOfAccount] : []),
  ];

  const message: Make<readonly Wish[]> = (account, chance) => {
    const ids = [
      ...ownOf(messaging.asked, account).flatMap(({ answers }) => idsIn(answers)),
      ...ownOf(campaigns?.sent, account).map(({ id }) => id),
    ];
    return ways(account, anyOf(ids, chance), ['message', 'timeline']);
  };

  const checkoutThing: Make<readonly Wish[]> = (account, chance) => {
    const known = ordersOf(account).flatMap(({ answers, payments, refunds, livemode }) => [
      ...idsIn(answers).map((id) => ways(account, id, ['session'], livemode)),
      ...payments.map((id) => ways(account, id, ['payment', 'refundsOfPayment'], livemode)),
      ...refunds.flatMap((each) => idsIn(each.answers)).map((id) => ways(account, id, ['refund'], livemode)),
    ]);
    return anyOf(known, chance) ?? [];
  };

  const things: readonly Make<readonly Wish[]>[] = [
    ...[message, message, message, analytics, logs, contacts],
    ...(clerks ? [contacts, contacts, contact, contact, consents] : []),
    ...(authors ? [template, template, template] : []),
    ...(checkout ? [checkoutThing, checkoutThing, checkoutThing, checkoutThing] : []),
  ];

  return {
    /** A list, with a filter and small pages. */
    list: (account: Account, chance: Random): Wish => {
      const { query, ...made } = (anyOf(lists, chance) ?? messages)(account, chance);
      return { ...made, query: { ...query, limit: String(1 + chance.below(3)) } };
    },

    /** The ways to read one thing. */
    thing: (account: Account, chance: Random): readonly Wish[] => (anyOf(things, chance) ?? message)(account, chance),
  };
};
