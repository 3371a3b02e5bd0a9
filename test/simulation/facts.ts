import { checkoutEventNames } from '../../shared/checkout/events.ts';
import { isHolder } from '../../shared/contacts/search.ts';
import type { Message } from '../../shared/messages/message.ts';
import type { MessageFilter } from '../../shared/messages/message-filter.ts';
import { addressIn } from '../../shared/messages/recipient.ts';
import type { Account, Subscription } from './accounts.ts';
import type { Authors } from './authors.ts';
import type { Code } from './bundle-functions.ts';
import type { Checkout } from './checkout.ts';
import { contactFactsOf } from './contact-facts.ts';
import { exportFactsOf } from './export-facts.ts';
import type { Exporters } from './exporters.ts';
import type { Founders } from './founders.ts';
import { importFactsOf } from './import-facts.ts';
import type { Importers } from './importers.ts';
import type { Readers } from './readers.ts';
import { receiptOf } from './receipts.ts';
import type { Subscribers } from './subscribers.ts';
import type { Fields } from './table/value.ts';
import type { Whatsapp } from './whatsapp.ts';
import type { World } from './world.ts';

const most = 1_000;
/** Of lists of messages: they are read in several pages. */
const pageSize = 3;
const apis = ['messaging', 'checkout'] as const;
type Api = (typeof apis)[number];

/** What a message was sent for. */
const requestOf = ({ request, paymentId }: { readonly request?: string; readonly paymentId?: string }): string =>
  paymentId === undefined ? String(request) : receiptOf(paymentId);

const apiOf = (event: unknown): Api => (checkoutEventNames.some((name) => name === event) ? 'checkout' : 'messaging');

/** What the product says of an account when all is quiet, read by its own stores. */
export const factsOf = async (
  world: World,
  code: Code,
  {
    messaging,
    founders,
    subscribers,
    checkout,
    authors,
    importers,
    exporters,
    whatsapp,
    readers,
  }: {
    readonly messaging: { readonly accounts: readonly Account[] };
    readonly founders: Founders | undefined;
    readonly subscribers: Subscribers | undefined;
    readonly checkout: Checkout | undefined;
    readonly authors: Authors | undefined;
    readonly importers: Importers | undefined;
    readonly exporters: Exporters | undefined;
    readonly whatsapp: Whatsapp | undefined;
    readonly readers: Readers | undefined;
  },
) => {
  const { inside } = code;
  const { stores } = inside;
  // Hours are counted a minute after their end.
  await world.timeline.runUntil(world.timeline.nowMs() + 2 * 3_600_000);
  const nowMs = world.timeline.nowMs();
  const rowsOf = (kind: string, { ref }: Account) =>
    world.table.all().filter(({ entity, account }) => entity === kind && account === ref.id);

  /** The messages that were sent through the API, and receipts. */
  const messagesOf = async (account: Account) => {
    const rows = rowsOf('message', account).filter(({ origin }) => origin === 'api');
    const found = await Promise.all(rows.map(({ SK }) => stores.messages().find(account.ref, String(SK))));
    return found.flatMap((message) =>
      message ? [{ message, request: requestOf(JSON.parse(message.metadata.text)) }] : [],
    );
  };

  /** The messages of campaigns and automations. */
  const trafficOf = async (account: Account): Promise<readonly Message[]> => {
    const rows = rowsOf('message', account).filter(({ origin }) => origin !== 'api');
    const found = await Promise.all(rows.map(({ SK }) => stores.messages().find(account.ref, String(SK))));
    return found.filter((message) => message !== undefined);
  };

  /** What lists of messages show, read page by page, and which messages each is to show. */
  const listsOf = async ({ ref }: Account, messages: readonly Message[]) => {
    const idsIn = async (filter: MessageFilter): Promise<readonly string[]> => {
      const ids: string[] = [];
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const { page, pagination } = await stores.messages().list(ref, filter, { cursor, limit: pageSize });
        ids.push(...page.map(({ id }) => id));
        ({ cursor } = pagination);
      }
      return ids;
    };
    const filters = new Map<string, MessageFilter>([['{}', {}]]);
    for (const { channel, status, to: recipient } of messages) {
      const to = recipient === null ? undefined : addressIn(recipient);
      for (const filter of [{ channel }, { channel, status }, ...(to ? [{ to }] : [])])
        filters.set(JSON.stringify(filter), filter);
    }
    return Promise.all(
      [...filters].map(async ([asksFor, filter]) => ({
        asksFor,
        ids: await idsIn(filter),
        fits: ({ channel, status, to }: Message): boolean =>
          (filter.channel ?? channel) === channel &&
          (filter.status ?? status) === status &&
          (filter.to === undefined || isHolder({ email: to, phone: to }, filter.to)),
      })),
    );
  };

  const webhooksOf = async ({ ref }: Account, subscriptions: readonly Subscription[]) => {
    const found = subscriptions.map(async ({ id, url, events: wanted }) => {
      const webhook = await stores.allWebhooks().find(ref, id);
      const page = { cursor: undefined, limit: most };
      return webhook && { url, wanted, webhook, deliveries: await stores.deliveries().list(ref, webhook, page, nowMs) };
    });
    return (await Promise.all(found)).filter((each) => each !== undefined);
  };

  /** The events of one API of an account, and what became of them. */
  const feedOf = async (account: Account, api: Api) => {
    const { ref } = account;
    const log = api === 'messaging' ? stores.events() : stores.checkoutEvents();
    const merchant = checkout?.merchants.find((one) => one.account === account);
    const atFirst = (api === 'messaging' ? account.webhooks : merchant?.webhooks) ?? [];
    const later = (subscribers?.wanted ?? []).flatMap(({ made, ...one }) =>
      made && one.account === account && one.api === api ? [{ ...one, ...made }] : [],
    );
    return {
      account,
      webhooks: await webhooksOf(account, [...atFirst, ...later]),
      events: (await log.read(ref.id, await log.placeAt(ref.id, 0), most)).events,
      storedEvents: rowsOf('event', account).filter(({ event }) => apiOf(event) === api),
      api,
    };
  };

  /** The sessions of an account, with their payments and refunds. */
  const sessionsOf = async (account: Account) => {
    const found = await Promise.all(
      rowsOf('checkout-session', account).map(({ session }) => stores.sessions().find(String(session))),
    );
    return Promise.all(
      found
        .filter((each) => each !== undefined)
        .map(async (each) => {
          const payments = await stores.payments().listOfSession(each);
          const refunds = await Promise.all(payments.map((payment) => stores.refunds().list({ ...each, payment })));
          return { session: each.session, payments, refunds: refunds.flat() };
        }),
    );
  };

  /** Who agreed to texts to the phone of an account, and who did not. */
  const consentsOf = async ({ ref, phone }: Account) => {
    const contact = await stores.contacts().idByAddress(ref, { phone });
    return contact === undefined ? [] : stores.consents().list(ref, contact);
  };

  /** What those said, and others of them, who have whatsapp. */
  const agreementsOf = async (account: Account) => {
    const own = (whatsapp?.phones ?? []).filter((phone) => phone.account === account);
    return Promise.all(
      own.map(async (phone) => ({
        phone,
        entries: phone.contact === undefined ? [] : await stores.consents().list(account.ref, phone.contact),
      })),
    );
  };

  /** All that the contacts of an account were, by their items, where somebody has read them meanwhile. */
  const contactVersionsOf = async ({ ref }: Account) => {
    const cipher = await inside.vaultOf().unlock(ref);
    const items = (readers ? world.changes : []).flatMap(({ after }) =>
      after?.['entity'] === 'contact' && after['account'] === ref.id ? [after] : [],
    );
    return new Map<Fields, ReturnType<typeof inside.contactFrom>>(
      items.map((item) => [item, inside.contactFrom(ref.id, cipher, item)]),
    );
  };

  /** The templates of an account with all that they say, and said: undefined, if it is archived. */
  const templatesOf = async (account: Account) => {
    const own = (authors?.works ?? []).filter((work) => work.account === account);
    return Promise.all(
      own.map(async (work) => {
        const { id } = work;
        const known = (await stores.templates().versions(account.ref, id)) ?? [];
        const found = known.toReversed().map(({ version }) => stores.templates().findWhole(account.ref, id, version));
        const versions = (await Promise.all(found)).filter((each) => each !== undefined);
        return { work, whole: await stores.templates().findWhole(account.ref, id), versions };
      }),
    );
  };

  const factsOfAccount = async (account: Account) => {
    const { ref } = account;
    const messages = await messagesOf(account);
    const traffic = await trafficOf(account);
    return {
      account,
      messages,
      traffic,
      lists: await listsOf(account, [...messages.map(({ message }) => message), ...traffic]),
      feeds: await Promise.all(apis.map((api) => feedOf(account, api))),
      sessions: await sessionsOf(account),
      contacts: await contactFactsOf(world, inside, account.ref),
      contactVersions: await contactVersionsOf(account),
      consents: await consentsOf(account),
      agreements: await agreementsOf(account),
      suppressions: await stores.suppressions().list(ref, { cursor: undefined, limit: most }),
      templates: await templatesOf(account),
      imports: await importFactsOf(world, code, importers, account),
      exports: await exportFactsOf(world, code, exporters, account),
      credits: await stores.accounts().credits(ref.id),
      ledger: (await stores.credits().ledger(ref, { cursor: undefined, limit: most })).page,
      counts: await stores.analytics().count(ref, { startMs: world.startMs, endMs: nowMs }, nowMs),
    };
  };

  const accounts = [...messaging.accounts, ...(founders?.accounts ?? [])];
  return world.spared(() => Promise.all(accounts.map(factsOfAccount)));
};

export type AccountFacts = Awaited<ReturnType<typeof factsOf>>[number];
