import { isDeepStrictEqual } from 'node:util';
import { type CreditCounter, creditCounters } from '../../shared/accounts/credits.ts';
import type { Account } from './accounts.ts';
import {
  type AccountReading,
  type Founders,
  founder,
  type LedgerLook,
  type LedgerRow,
  type Setting,
} from './founders.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isDone, type Try } from './patient-client.ts';
import type { Fields } from './table/value.ts';

const ofFounders =
  (what: (founders: Founders, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.founders ? what(judged.founders, judged) : [];

const ofReadings = (what: (reading: AccountReading, judged: Judged) => string | false) =>
  ofFounders(({ readings }, judged) =>
    readings.flatMap((reading) => {
      const broken = what(reading, judged);
      return broken === false ? [] : [`${reading.account.ref.id}: ${broken}`];
    }),
  );

/** What a change of the table did to the credits of an account. */
interface Step {
  readonly at: number;
  readonly isByOperator: boolean;
  readonly by: Readonly<Record<CreditCounter, number>>;
}

/** The part of a counter that came from no other shard. */
const ownIn = (item: Fields | undefined, counter: CreditCounter): number =>
  Number(item?.[counter] ?? 0) - Number(item?.[`${counter}Moved`] ?? 0);

const stepsOf = ({ ref }: Account, { world }: Judged): readonly Step[] =>
  world.changes.flatMap(({ before, after }, at) => {
    if (after?.['SK'] !== 'CREDITS' || !String(after['PK']).startsWith(`A#${ref.id}`)) return [];
    const of = (counter: CreditCounter) => ownIn(after, counter) - ownIn(before, counter);
    const by = { email: of('email'), smsMasked: of('smsMasked'), smsNonMasked: of('smsNonMasked') };
    return [{ at, isByOperator: before?.['changes'] !== after['changes'], by }];
  });

const sumOf = (steps: readonly Step[], counter: CreditCounter): number =>
  steps.reduce((sum, { by }) => sum + by[counter], 0);

/** Whether a counter may be read so in a time whose steps these are: its shards are read one after the other. */
const isPossible = (said: number, before: number, steps: readonly Step[], counter: CreditCounter): boolean => {
  const least =
    before +
    sumOf(
      steps.filter(({ by }) => by[counter] < 0),
      counter,
    );
  const most =
    before +
    sumOf(
      steps.filter(({ by }) => by[counter] > 0),
      counter,
    );
  return said >= Math.max(0, least) && said <= Math.max(0, most);
};

/** What an operator or an account read of its credits, and could not have been so. */
const misreadBy = ({ account, from, end }: Try, judged: Judged): string | undefined => {
  if (end?.answer.status !== 200) return undefined;
  const { data } = end.answer.body;
  const credits = data.credits ?? data;
  const steps = stepsOf(account, judged);
  const before = steps.filter(({ at }) => at < from);
  const meanwhile = steps.filter(({ at }) => at >= from && at < end.to);
  const wrong = creditCounters.filter(
    (counter) => !isPossible(credits[counter], sumOf(before, counter), meanwhile, counter),
  );
  return wrong.length > 0 ? `${wrong.join()} of ${JSON.stringify(credits)} were never there` : undefined;
};

/** The entries of sets in the ledger of an account, by their places among the changes of the table. */
const setsOf = ({ ref }: Account, { world }: Judged): readonly number[] =>
  world.changes.flatMap(({ after }, at) =>
    after?.['entity'] === 'ledger-entry' && after['kind'] === 'set' && after['PK'] === `A#${ref.id}#LEDGER` ? [at] : [],
  );

/** Whether credits were set: to what was wanted, but for what messages took and gave back since they were read. */
const wasSet = ({ account, wanted }: Setting, { from, end }: Try, judged: Judged): boolean => {
  const steps = stepsOf(account, judged);
  return setsOf(account, judged).some((entry) => {
    if (entry < from || entry >= (end?.to ?? 0)) return false;
    // The entry's own change comes right after it.
    const after = steps.filter(({ at }) => at <= entry + 1);
    const meanwhile = steps.filter(({ at, isByOperator }) => at >= from && at < entry && !isByOperator);
    return creditCounters.every((counter) => isPossible(sumOf(after, counter), wanted[counter], meanwhile, counter));
  });
};

/** Sets are in the ledger once each, those without an answer perhaps. */
const miscountedOf = ({ settings, accounts }: Founders, judged: Judged): readonly string[] =>
  accounts.flatMap((account) => {
    const tries = settings.filter((one) => one.account === account).flatMap((one) => one.tries);
    const [least, count] = [tries.filter(isDone).length, setsOf(account, judged).length];
    const isRight = count >= least && count <= tries.length;
    return isRight ? [] : [`${account.ref.id}: ${count} sets in the ledger, ${least} to ${tries.length} were made`];
  });

/** Entries that were in a ledger before it was read, and on none of its pages. */
const unseenBy = ({ account: { ref }, from, ids }: LedgerLook, { world }: Judged): readonly string[] =>
  world.changes.slice(0, from).flatMap(({ after }) => {
    const isOwn = after?.['entity'] === 'ledger-entry' && after['PK'] === `A#${ref.id}#LEDGER`;
    return isOwn && !ids.includes(String(after['SK'])) ? [`${after['SK']} of ${ref.id} was on no page`] : [];
  });

const without = ({ at: _, ...row }: LedgerRow & { readonly at: string }) => row;

export const founderInvariants: readonly Invariant[] = [
  {
    name: 'an account that was wanted is there once, and whole',
    violations: ofFounders(({ foundings, names }, { world }) => {
      const rows = world.table.all();
      const ids = rows.flatMap(({ entity, account }) => (entity === 'account' ? [String(account)] : []));
      const halves = ids.filter((id) => !rows.some(({ PK, SK }) => PK === `A#${id}` && SK === 'CREDITS'));
      return [
        ...halves.map((id) => `${id} has no credits`),
        ...(names.length === ids.length ? [] : [`${names.length} of ${ids.length} accounts are listed`]),
        ...foundings.flatMap(({ name, account }) => {
          const count = names.filter((one) => one === name).length;
          return count > 1 || (account && count < 1) ? [`${count} accounts are named ${name}`] : [];
        }),
      ];
    }),
  },
  {
    name: 'an account and its key are of use at once',
    violations: ofFounders(({ tries, accounts }, { messaging }) => {
      const sends = messaging.asked.filter(({ account }) => accounts.includes(account));
      return [
        ...tries.map(({ what, end }) => ({ what, answer: end?.answer })),
        ...sends.flatMap(({ id, answers }) => answers.map((answer) => ({ what: id, answer }))),
      ].flatMap(({ what, answer }) =>
        [401, 403, 404].includes(answer?.status ?? 200) ? [`${what} was answered ${answer?.status}`] : [],
      );
    }),
  },
  {
    name: 'an account has the key that was asked for, and no other that works',
    violations: ofReadings(({ account, keys }) => {
      const valid = keys.filter(({ revokedAt }) => revokedAt === null);
      const isRight = valid.length === 1 && valid.every(({ prefix }) => account.key.startsWith(prefix));
      return !isRight && `${valid.length} keys work of ${keys.length}`;
    }),
  },
  {
    name: 'credits are set to what was wanted, once, and read as they were',
    violations: ofFounders((founders, judged) => [
      ...founders.settings.flatMap((setting) =>
        setting.tries
          .filter(isDone)
          .filter((deed) => !wasSet(setting, deed, judged))
          .map(() => `${setting.account.ref.id} was not set to ${JSON.stringify(setting.wanted)}`),
      ),
      ...miscountedOf(founders, judged),
      ...founders.tries
        .filter(({ what }) => /^(get|adjust)-/.test(what))
        .flatMap((deed) => misreadBy(deed, judged) ?? [])
        .map((what) => `a read of credits: ${what}`),
    ]),
  },
  {
    name: 'the pages of a ledger show what was in it before they were read, each once',
    violations: ofFounders(({ ledgerLooks }, judged) =>
      ledgerLooks.flatMap((look) => [
        ...unseenBy(look, judged),
        ...(new Set(look.ids).size === look.ids.length ? [] : [`${look.account.ref.id}: an entry is there twice`]),
      ]),
    ),
  },
  {
    name: 'an account is read the same by everybody, with its whole ledger',
    violations: ofReadings(({ account, alone, credits, byKey, ledger, callbackUrls }, { facts, founders }) => {
      const fact = facts.find((one) => one.account === account);
      const name = founders?.foundings.find((one) => one.account === account)?.name;
      const [read, own] = [alone.body?.data, byKey.body?.data];
      if (read?.name !== name || own?.name !== name || own?.id !== read?.id) return `it is read as ${read?.name}`;
      const isAlike = [credits.body?.data, own.credits].every((one) => isDeepStrictEqual(one, fact?.credits));
      if (!isAlike) return `its credits are read as ${JSON.stringify([credits.body?.data, own.credits])}`;
      const whole = fact?.ledger.map(without) ?? [];
      if (
        !isDeepStrictEqual(
          ledger.map((row) => without({ at: '', ...row })),
          whole,
        )
      )
        return `${ledger.length} entries of ${whole.length} are on the pages of its ledger`;
      if (ledger.some(({ kind, who }) => who !== (kind === 'sends' ? null : founder)))
        return `its ledger names ${ledger.map(({ who }) => who).join()}`;
      const [one, other] = callbackUrls.map(({ body }) => body?.data);
      return !(one?.smsInbound.includes(account.ref.id) && isDeepStrictEqual(one, other)) && 'its callback urls differ';
    }),
  },
];
