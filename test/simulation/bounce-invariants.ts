import type { AccountFacts } from './facts.ts';
import type { Invariant } from './invariants.ts';
import type { Leavers, Reader } from './leavers.ts';
import { emailsOf, ofReaders } from './unsubscribe-invariants.ts';
import type { World } from './world.ts';

/** An email of a reader that has bounced, and when: just before its owner unsubscribed, or while it was unsubscribed. */
interface Bounce {
  readonly email: string;
  readonly atMs: number;
}

const hasBounced = (row: Readonly<Record<string, unknown>>): boolean =>
  row['status'] === 'bounced' || (Array.isArray(row['lateReports']) && row['lateReports'].includes('bounced'));

/** Of each change, in its order. What a reader's email was then is known where no change of it was under way. */
const bouncesOf = (
  reader: Reader,
  leavers: Leavers,
  { messages }: AccountFacts,
  { changes }: World,
): readonly Bounce[] => {
  let status: unknown;
  return changes.flatMap(({ before, after, atMs }) => {
    const emails = emailsOf(reader, leavers, { fromMs: atMs, toMs: atMs });
    const [email = ''] = emails;
    const isOfContact = after?.['entity'] === 'contact' && after['SK'] === reader.contact;
    const hasLeftBounced = isOfContact && status === 'bounced' && after['status'] === 'unsubscribed';
    if (isOfContact) status = after['status'];
    const isNews = after?.['entity'] === 'message' && hasBounced(after) && !(before && hasBounced(before));
    const bounced = isNews ? messages.find(({ message }) => message.id === after['SK'])?.message.to : undefined;
    const isOfLeaver = status === 'unsubscribed' && bounced === email;
    return emails.length === 1 && (hasLeftBounced || isOfLeaver) ? [{ email, atMs }] : [];
  });
};

export const bounceInvariants: readonly Invariant[] = [
  {
    name: 'an email that bounced before its owner unsubscribed, or after, stays on the list',
    violations: ofReaders((reader, facts, leavers, { world }) => {
      const own = world.table.all().filter(({ entity, SK }) => entity === 'suppression' && SK === 'own');
      const staying = facts.suppressions.filter(({ id }) => own.some(({ GSI1SK }) => GSI1SK === id));
      return bouncesOf(reader, leavers, facts, world)
        .filter(({ email }) => !staying.some(({ address }) => address === email))
        .map(({ email, atMs }) => `${email} bounced by ${atMs}, and nothing keeps it on the list`);
    }),
  },
];
