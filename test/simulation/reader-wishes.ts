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

const timeFilter = (chance: Random): Texts =>
  chance.pick<Texts>([{}, {}, {}, { from: '2026-03-02T08:00:30Z' }, { to: '2026-03-02T08:02:00Z' }]);

const merchantLists = {
  sessions: ['OPEN', 'COMPLETED', 'EXPIRED'],
  payments: ['PENDING', 'SUCCEEDED', 'FAILED', 'EXPIRED'],
  refunds: ['PENDING', 'SUCCEEDED', 'FAILED'],
} as const;

/** What readers may ask for. */
export const wishesOf = ({ messaging, campaigns, checkout, clerks }: Known) => {
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
    ...[messages, messages, messages, deliveries, deliveries],
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
    const order = anyOf(ordersOf(account), chance);
    if (!order) return [];
    const { answers, payments, refunds, livemode } = order;
    const refund = anyOf(
      refunds.flatMap((each) => idsIn(each.answers)),
      chance,
    );
    return chance.pick([
      ways(account, anyOf(idsIn(answers), chance), ['session'], livemode),
      ways(account, anyOf(payments, chance), ['payment', 'payment', 'refundsOfPayment'], livemode),
      ways(account, refund, ['refund'], livemode),
    ]);
  };

  const things: readonly Make<readonly Wish[]>[] = [
    message,
    message,
    ...(checkout ? [checkoutThing, checkoutThing] : []),
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
