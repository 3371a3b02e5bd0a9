import { dayMs } from '../../shared/kit/time-units.ts';
import type { Erasures } from './erasures.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Fields } from './table/value.ts';

/** Answers under idempotency keys stay for their 24 hours. */
const isExcused = ({ PK }: Fields): boolean => /#IDEM#/.test(String(PK));

/** Whether a value has one of these texts, also sealed, which can be read in a world. */
const mentions = (value: unknown, texts: readonly string[]): boolean => {
  if (typeof value === 'string') {
    const decoded = Buffer.from(value, 'base64').toString('latin1');
    return texts.some((text) => value.includes(text) || decoded.includes(text));
  }
  if (value instanceof Uint8Array) return mentions(Buffer.from(value).toString('latin1'), texts);
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => mentions(each, texts));
};

const ofErasure =
  (what: (erasures: Erasures, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] => {
    const erasures = judged.days?.erasures;
    const broken = erasures !== undefined && erasures.runs.length > 0 && what(erasures, judged);
    return broken === false ? [] : [broken];
  };

export const erasureInvariants: readonly Invariant[] = [
  {
    name: 'a person of whom an erasure left nothing is sent nothing that was accepted before it',
    violations: ofErasure(({ email, phone, runs }, { world, messaging: { mails, texts } }) => {
      const sent = [...mails, ...texts].filter(({ to }) => to === email || to === phone);
      const late = sent.filter(({ message, to, atMs }) => {
        const accepted = world.changes.find(({ after }) => after?.['entity'] === 'message' && after['SK'] === message);
        const acceptedMs = accepted?.atMs ?? Number.POSITIVE_INFINITY;
        return runs.some(
          ({ left, fromMs, toMs, addresses }) =>
            left === 0 && addresses.includes(to) && acceptedMs < fromMs && atMs > toMs,
        );
      });
      return late.length > 0 && `messages ${late.map(({ message, atMs }) => `${message} at ${atMs}`).join()}`;
    }),
  },
  {
    name: 'what is left of a person a day after an erasure is erased by the next one, but answers under idempotency keys',
    violations: ofErasure(({ account, email, phone, runs, lastRequestMs }, { world }) => {
      const last = runs.at(-1);
      if (last?.left !== 0) return `the last run left ${last?.left}`;
      // Left out of the world, the second erasure leaves what was under way at the first.
      if (last.fromMs < lastRequestMs + dayMs) return false;
      const own = world.table
        .all()
        .filter((item) => item['account'] === account.ref.id || String(item['PK']).startsWith(`A#${account.ref.id}`));
      const traces = own.filter((item) => !isExcused(item) && mentions(item, [email, phone]));
      return traces.length > 0 && traces.map(({ entity, PK, SK }) => `${entity} ${PK} ${SK}`).join();
    }),
  },
];
