import type { Mistake } from './mistake.ts';

const onPages = 'what a list asks for is on one of its pages, whatever is written meanwhile';
const inOrder = 'rows of a list come once, in order';
const ownRows = 'a list shows its own rows only, as they were';
const fullPages = 'every page but the last is full, and the last one ends the list';
const alone = 'what is read by itself is there, as it was';
const noStepBack = 'a status that was read is not followed by an earlier one';
const onlyRead = 'a read changes nothing';
const grows = 'a timeline only grows, in order, and agrees with its message';
const counted = 'analytics count what is there, at any time';
const contacts = 'a list of contacts has those that are there, once';
const events = 'events are read once, in their order, and none is passed by';
const logs = 'logs show the deliveries of their subscription';
const templates = 'a template is read until it is archived';
const answered = 'a read fails only for a fault, and says when to ask again';
const reported = 'a message of a campaign is as its sender last reported it';

/** Mistakes with what is read while it changes that the simulation must find. */
export const readerMistakes: readonly Mistake[] = [
  {
    name: 'deliveries are listed once they have ended',
    file: 'shared/table/webhooks/delivery-store.ts',
    find: `return items.map((item) => deliveryFrom(cipher, webhook, item));
  },

  /** How a delivery stands. */`,
    replace: `return items.filter(({ state }) => state !== 'pending').map((item) => deliveryFrom(cipher, webhook, item));
  },

  /** How a delivery stands. */`,
    breaks: [onPages],
  },
  {
    name: 'a page begins with the last row of the page before',
    file: 'shared/table/webhooks/delivery-store.ts',
    find: 'newestAfter(cursor, { fromMs: keptSinceMs(nowMs) });',
    replace:
      '({ ...newestAfter(cursor, { fromMs: keptSinceMs(nowMs) }), ...(cursor !== undefined && { to: cursor }) });',
    breaks: [inOrder, fullPages],
  },
  {
    name: 'messages to an address are listed in any status',
    file: 'shared/table/messages/message-store.ts',
    find: '(filter.channel ?? channel) === channel && (filter.status ?? status) === status;',
    replace: '(filter.channel ?? channel) === channel || (filter.status ?? status) === status;',
    breaks: [ownRows, fullPages, 'every message is in the lists that ask for it, once, newest first'],
  },
  {
    name: 'a full page always says that there is more',
    file: 'shared/kit/cursor-page.ts',
    find: 'const hasMore = rows.length > size;',
    replace: 'const hasMore = rows.length >= size && size > 0;',
    breaks: [fullPages],
  },
  {
    name: 'a function remembers the messages that it has read',
    file: 'functions/messages/get-message/handler.ts',
    find: `({ messages }: GetMessageNeeds) =>
  async ({ account, path }: Input<typeof getMessageContract>): Promise<Reply<typeof getMessageContract>> => {
    return existing('message_not_found', await messages.find(account, path.id));
  };`,
    replace: `({ messages }: GetMessageNeeds) => {
  const known = new Map<string, ReturnType<typeof messages.find>>();
  return async ({ account, path }: Input<typeof getMessageContract>): Promise<Reply<typeof getMessageContract>> => {
    const found = known.get(path.id) ?? messages.find(account, path.id);
    known.set(path.id, found);
    return existing('message_not_found', await found);
  };
};`,
    breaks: [alone, noStepBack],
  },
  {
    name: 'a payment notes when it was read',
    file: 'shared/table/checkout/payment-store.ts',
    find: "return pointer && find(String(pointer['session']), paymentId);",
    replace: `if (pointer)
        await table.update({
          Key: itemKeys.paymentId(paymentId),
          UpdateExpression: 'SET readMs = :now',
          ExpressionAttributeValues: { ':now': Date.now() },
        });
      return pointer && find(String(pointer['session']), paymentId);`,
    breaks: [onlyRead],
  },
  {
    name: 'a late report of a campaign moves its message back',
    file: 'shared/table/messages/traffic-store.ts',
    find: '[...statusesBefore(channel, status), status].map',
    replace: "[...statusesBefore(channel, status), status, 'sent', 'delivered', 'opened'].map",
    breaks: [reported, noStepBack],
  },
  {
    name: 'a timeline is in the order of its types',
    file: 'shared/messages/timeline.ts',
    find: '(a.at === b.at ? orderOf(a) - orderOf(b) : a.at < b.at ? -1 : 1)',
    replace: 'orderOf(a) - orderOf(b)',
    breaks: [grows],
  },
  {
    name: 'analytics of this hour are those that were counted last',
    file: 'shared/table/messages/analytics-store.ts',
    find: 'if (messages > mostRowsOfWholeHour && ',
    replace: 'if (messages > 0 && ',
    breaks: [counted],
  },
  {
    name: 'every page of contacts is the first',
    file: 'shared/table/contacts/contact-list.ts',
    find: 'offset: query.offset, limit',
    replace: 'offset: 0, limit',
    breaks: [contacts],
  },
  {
    name: 'a list of events begins with the one that it is to go on after',
    file: 'shared/table/webhooks/event-store.ts',
    find: ": { page: String(item['page']), position: Number(item['position']) };",
    replace: ": { page: String(item['page']), position: Number(item['position']) - 1 };",
    breaks: [events],
  },
  {
    name: 'a page of logs begins with the last row of the page before',
    file: 'shared/table/webhooks/delivery-store.ts',
    find: 'limit: offset + 1, only:',
    replace: 'limit: offset, only:',
    breaks: [logs, 'logs and lists of subscriptions say what was delivered'],
  },
  {
    name: 'only who has to wait for long is told for how long',
    file: 'shared/http/retry-after.ts',
    find: 'thrown.retryAfterSeconds !== undefined',
    replace: 'Number(thrown.retryAfterSeconds) > 60',
    breaks: [answered],
  },
  {
    name: 'an archived template can still be read',
    file: 'shared/table/templates/template-store.ts',
    find: 'return row && !isArchived(row) ? (await open(account))(row) : undefined;',
    replace: 'return row ? (await open(account))(row) : undefined;',
    breaks: [templates],
  },
];
