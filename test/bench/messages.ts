import { createHash } from 'node:crypto';
import { newId } from '../../shared/kit/id.ts';
import { listedStatuses } from '../../shared/messages/message.ts';
import type { MessageFilter } from '../../shared/messages/message-filter.ts';
import { type AcceptedMessage, newEmail } from '../../shared/messages/new-message.ts';
import { itemKeys } from '../../shared/table/keys.ts';
import { messageItems } from '../../shared/table/messages/message-items.ts';
import { messageKeys } from '../../shared/table/messages/message-places.ts';
import type { TestAccount, World } from '../world.ts';
import { loadRows } from './load-rows.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const spacingMs = 100;
const chunk = 5_000;
const to = 'ada@example.com';

/** The same for each number, so that the messages of every account lie in the same shards. */
const randomOf = (n: number): Uint8Array => createHash('sha256').update(`${n}`).digest().subarray(0, 10);

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
    const message = newEmail({ channel: 'email', to }, newId(nowMs - n * spacingMs, randomOf(n)));
    const status = listedStatuses[n % listedStatuses.length] ?? 'sent';
    const owner = { origin: 'api', contactId: ref.id, recipient: { email: to } } as const;
    return messageItems({ ...message, ...place(message) }, { ...message, status }, owner).row;
  };
  for (let start = 0; start < messages; start += chunk)
    loadRows(
      world,
      Array.from({ length: Math.min(chunk, messages - start) }, (_, n) => rowOf(start + n)),
    );
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

/** The first page of GET /messages, by filter. */
export const messageQuestions = (
  world: World,
  { ref }: TestAccount,
): Readonly<Record<string, () => Promise<unknown>>> =>
  Object.fromEntries(
    messageFilters.map(({ names, filter }) => [
      `GET /messages, ${names.length === 0 ? 'unfiltered' : `by ${inWords.format(names)}`}`,
      () => world.messages.list(ref, filter, { limit: 20 }),
    ]),
  );
