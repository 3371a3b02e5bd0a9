import { readFileSync } from 'node:fs';
import type { AcceptedMessage } from '../shared/messages/new-message.ts';
import type { ListPage } from '../shared/table/contacts/contact-list.ts';
import type { Item } from '../shared/table/table.ts';
import { startWorld, type TestAccount } from './world.ts';

/** A table that the release of 2026-11-20 wrote by its own code, what that release answered from it, and the master key that opens it. */
interface EarlierRelease {
  readonly nowMs: number;
  readonly kmsKey: string;
  readonly account: TestAccount;
  /** Messages by what has become of them. */
  readonly ids: Readonly<Record<string, string>>;
  readonly contacts: Readonly<Record<'contact' | 'unsubscribed' | 'retired', string>>;
  readonly webhook: string;
  readonly payment: { readonly session: string; readonly payment: string };
  readonly answers: {
    readonly messages: readonly AcceptedMessage[];
    readonly contacts: ListPage;
    readonly credits: Readonly<Record<string, number>>;
    readonly counts: readonly (readonly [string, number])[];
    readonly deliveries: readonly Readonly<Record<'id' | 'state' | 'attemptsMade', unknown>>[];
  };
  readonly items: readonly Item[];
}

/** Nothing expires while a test runs. */
const expiresAt = Math.floor(Date.now() / 1_000) + 7 * 24 * 3_600;

const isBytes = (value: unknown): value is { base64: string } =>
  typeof value === 'object' && value !== null && 'base64' in value;

const withBytes = (_: string, value: unknown): unknown =>
  isBytes(value) ? Buffer.from(value.base64, 'base64') : value;

/** A world with this table, and the facts about it. */
export const startEarlierWorld = async () => {
  const text = readFileSync(new URL('earlier-release.json', import.meta.url), 'utf8');
  const { items, ...release } = JSON.parse(text, withBytes) as EarlierRelease;
  const world = await startWorld({ kmsKey: release.kmsKey });
  for (const item of items)
    await world.table.put({ Item: { ...item, ...(item['expiresAt'] !== undefined && { expiresAt }) } });
  return { world, release, items };
};
