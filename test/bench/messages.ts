import { addUp, countName } from '../../shared/analytics/counts.ts';
import { rangeOf } from '../../shared/analytics/range.ts';
import { derivedId, timeOfId } from '../../shared/kit/id.ts';
import { listedStatuses, type Status } from '../../shared/messages/message.ts';
import type { MessageFilter } from '../../shared/messages/message-filter.ts';
import { type AcceptedMessage, newEmail } from '../../shared/messages/new-message.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { hourOf } from '../../shared/table/messages/analytics-store.ts';
import { messageItems } from '../../shared/table/messages/message-items.ts';
import { messageKeys } from '../../shared/table/messages/message-places.ts';
import { numberedFields } from '../../shared/table/numbered-fields.ts';
import { messageDeliveries } from '../../shared/webhooks/message-deliveries.ts';
import { webhookCalls } from '../webhook-calls.ts';
import type { TestAccount, World } from '../world.ts';
import { loadRows } from './load-rows.ts';

/** In the middle of an hour: its messages are counted with those of the hours before. */
const nowMs = Date.parse('2026-11-20T12:25:00Z');
const spacingMs = 100;
const chunk = 5_000;
const to = 'ada@example.com';

/** The nth newest message: the same in every account, so that all accounts have theirs in the same shards. */
const idOf = (n: number): string => derivedId(nowMs - n * spacingMs, `${n}`);
const statusOf = (n: number): Status => listedStatuses[n % listedStatuses.length] ?? 'sent';

/** Writes message rows directly, one every tenth of a second, in every status that can be listed, all to one address. */
export const loadMessages = async (
  world: World,
  { ref }: TestAccount,
  messages: number,
  { shards = 1 }: { readonly shards?: number } = {},
): Promise<void> => {
  const spread = [{ fromMs: 0, shards }];
  await world.table.update({
    Key: itemKeys.account(ref.id),
    UpdateExpression: 'SET messageSpread = :spread',
    ExpressionAttributeValues: { ':spread': spread },
  });
  const cipher = await world.vault.unlock(ref);
  const place = (message: AcceptedMessage) => ({
    ...messageKeys(ref.id, spread, message),
    accountId: ref.id,
    cipher,
  });
  const rowOf = (n: number) => {
    const message = newEmail({ channel: 'email', to }, idOf(n));
    const owner = { origin: 'api', contactId: ref.id, recipient: { email: to } } as const;
    return messageItems({ ...message, ...place(message) }, { ...message, status: statusOf(n) }, owner).row;
  };
  for (let start = 0; start < messages; start += chunk) {
    const some = Array.from({ length: Math.min(chunk, messages - start) }, (_, n) => start + n);
    loadRows(world, some.map(rowOf));
    for (const [hour, ofHour] of Map.groupBy(some, (n) => hourOf(timeOfId(idOf(n)))))
      await countIn(world, ref.id, hour, ofHour);
  }
};

/** Counts messages as the stream worker does. */
const countIn = async (world: World, accountId: string, hour: string, messages: readonly number[]): Promise<void> => {
  const counts = addUp(messages.map((n) => [countName('email', statusOf(n)), 1] as const));
  const { add, names, values } = numberedFields([...counts]);
  await world.table.update({
    Key: itemKeys.hourCounts(accountId, hour),
    UpdateExpression: `ADD ${add}`,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  });
};

const filters: Readonly<Record<string, MessageFilter>> = {
  channel: { channel: 'email' },
  status: { status: 'bounced' },
  dates: { createdAfterMs: nowMs - 60_000, createdBeforeMs: nowMs - 30_000 },
  to: { to: { email: to } },
};

interface Combination {
  readonly names: readonly string[];
  readonly filter: MessageFilter;
}

const combinationsOf = ([first, ...rest]: readonly (readonly [string, MessageFilter])[]): readonly Combination[] => {
  if (!first) return [{ names: [], filter: {} }];
  const [name, filter] = first;
  return combinationsOf(rest).flatMap((other) => [
    other,
    { names: [name, ...other.names], filter: { ...filter, ...other.filter } },
  ]);
};

/** Every combination of the filters of GET /messages. */
export const messageFilters = combinationsOf(Object.entries(filters));

const inWords = new Intl.ListFormat('en-GB');

/** The first page of GET /messages, by filter, and what else is asked about messages. */
export const messageQuestions = async (
  world: World,
  account: TestAccount,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> => {
  const { ref } = account;
  const deliveriesOf = messageDeliveries(world);
  await webhookCalls(world).subscribe(account);
  const lists = messageFilters.map(({ names, filter }): [string, () => Promise<unknown>] => [
    `GET /messages, ${names.length === 0 ? 'unfiltered' : `by ${inWords.format(names)}`}`,
    () => world.messages.list(ref, filter, { limit: 20 }),
  ]);
  return {
    ...Object.fromEntries(lists),
    'GET /messages/{id}/events': async () => {
      const message = await world.messages.find(ref, idOf(0));
      return message && deliveriesOf(ref, message);
    },
    'GET /analytics/messages, until now': () => world.analytics.count(ref, rangeOf({}, nowMs), nowMs),
  };
};
