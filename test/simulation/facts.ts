import type { Code } from './bundle-functions.ts';
import type { Account, Messaging } from './messaging.ts';
import type { World } from './world.ts';

const most = 1_000;

/** What the product says of an account when all is quiet, read by its own stores. */
export const factsOf = async (world: World, { inside: { stores } }: Code, { accounts }: Messaging) => {
  // Hours are counted a minute after their end.
  await world.timeline.runUntil(world.timeline.nowMs() + 2 * 3_600_000);
  const nowMs = world.timeline.nowMs();

  const messagesOf = async ({ ref }: Account) => {
    const rows = world.table.all().filter(({ entity, account }) => entity === 'message' && account === ref.id);
    const found = await Promise.all(rows.map(({ SK }) => stores.messages().find(ref, String(SK))));
    return found.flatMap((message) =>
      message ? [{ message, request: String(JSON.parse(message.metadata.text)['request']) }] : [],
    );
  };

  const webhooksOf = async ({ ref, webhooks }: Account) => {
    const found = webhooks.map(async ({ id, url, events: wanted }) => {
      const webhook = await stores.webhooks().find(ref, id);
      const page = { cursor: undefined, limit: most };
      return webhook && { url, wanted, webhook, deliveries: await stores.deliveries().list(ref, webhook, page, nowMs) };
    });
    return (await Promise.all(found)).filter((each) => each !== undefined);
  };

  const factsOfAccount = async (account: Account) => {
    const { ref } = account;
    return {
      account,
      messages: await messagesOf(account),
      webhooks: await webhooksOf(account),
      events: (await stores.events().read(ref.id, await stores.events().placeAt(ref.id, 0), most)).events,
      storedEvents: world.table.all().filter(({ entity, account: of }) => entity === 'event' && of === ref.id),
      credits: await stores.accounts().credits(ref.id),
      ledger: await stores.credits().ledger(ref, { cursor: undefined, limit: most }),
      counts: await stores.analytics().count(ref, { startMs: world.startMs, endMs: nowMs }, nowMs),
    };
  };

  return world.spared(() => Promise.all(accounts.map(factsOfAccount)));
};

export type AccountFacts = Awaited<ReturnType<typeof factsOf>>[number];
