import type { Payment } from '../../shared/checkout/payment.ts';
import { type Merchant, methodsAtFirst } from './checkout.ts';
import type { Data } from './client.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isDone, type Try } from './patient-client.ts';
import type { HeldKey, MethodList, Shopkeepers, ShopReading } from './shopkeepers.ts';

/** As long as a function runs: it may have read the methods as they were before. */
const longestRunMs = 30_000;

const ofShopkeepers =
  (what: (shopkeepers: Shopkeepers, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    judged.shopkeepers ? what(judged.shopkeepers, judged) : [];

const ofReadings = (what: (reading: ShopReading, shopkeepers: Shopkeepers, judged: Judged) => readonly string[]) =>
  ofShopkeepers((shopkeepers, judged) =>
    shopkeepers.readings.flatMap((reading) =>
      what(reading, shopkeepers, judged).map((broken) => `${reading.merchant.account.ref.id}: ${broken}`),
    ),
  );

const statusOf = ({ end }: Try): number => end?.answer.status ?? 503;

type Wishes = MethodList['wishes'];

/** A list of ways to pay, when it may have been set first, and when it surely was. */
interface Known {
  readonly wishes: Wishes;
  readonly fromMs: number;
  readonly doneMs: number;
}

const atFirst: Known = { wishes: methodsAtFirst(), fromMs: 0, doneMs: 0 };

const knownOf = ({ wishes, tries }: MethodList): readonly Known[] => {
  const done = tries.find(isDone)?.end;
  const [{ fromMs } = { fromMs: 0 }] = tries;
  return done || tries.some((one) => statusOf(one) >= 500)
    ? [{ wishes, fromMs, doneMs: done?.atMs ?? Number.POSITIVE_INFINITY }]
    : [];
};

/** The ways to pay that a merchant may have had in some time: all that nothing later has surely replaced. */
const possible = (
  merchant: Merchant,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { lists }: Shopkeepers,
): readonly Wishes[] => {
  const all = [atFirst, ...lists.filter((one) => one.merchant === merchant).flatMap(knownOf)];
  const sure = all.filter((one) => one.doneMs < fromMs);
  return all
    .filter((one) => one.fromMs <= toMs && !sure.some((other) => other.fromMs > one.doneMs))
    .map(({ wishes }) => wishes);
};

const isOffered = ({ gatewayCode, displayLabel, livemode }: Payment, wishes: Wishes): boolean =>
  wishes.some(
    (one) =>
      one.enabled && one.gatewayCode === gatewayCode && one.displayLabel === displayLabel && one.livemode === livemode,
  );

const shapeOf = (methods: readonly Data[]): string =>
  methods
    .toSorted((one, other) => one.sortOrder - other.sortOrder || (one.displayLabel < other.displayLabel ? -1 : 1))
    .map(({ gatewayCode, displayLabel, livemode, enabled }) => [gatewayCode, displayLabel, livemode, enabled].join())
    .join('; ');

const rowsIn = ({ tries }: MethodList): readonly Data[] | undefined => tries.find(isDone)?.end?.answer.body.data;

/** Whether no other list of the same merchant was wished meanwhile. */
const isAlone = ({ tries }: MethodList, all: readonly MethodList[]): boolean =>
  all.every(
    (other) =>
      other.tries === tries ||
      (other.tries[0]?.from ?? 0) >= (tries.at(-1)?.end?.to ?? 0) ||
      (other.tries.at(-1)?.end?.to ?? 0) <= (tries[0]?.from ?? 0),
  );

/** The methods of a list that have another id than in the one before. */
const renamedIn = (list: MethodList, before: MethodList): readonly string[] => {
  const earlier = rowsIn(before);
  return (rowsIn(list) ?? []).flatMap(({ gatewayCode, acceptanceMethodId }) => {
    const known = earlier?.find((row) => row.gatewayCode === gatewayCode);
    return known && known.acceptanceMethodId !== acceptanceMethodId ? [`${gatewayCode} has another id`] : [];
  });
};

/** Of lists that were wished one after the other. */
const renamedOf = (all: readonly MethodList[]): readonly string[] =>
  all.flatMap((list, n) => {
    const before = all[n - 1];
    return before && isAlone(list, all) && isAlone(before, all) ? renamedIn(list, before) : [];
  });

const isRevoked = ({ revocations }: HeldKey): boolean => revocations.some(isDone);

export const shopkeeperInvariants: readonly Invariant[] = [
  {
    name: 'a checkout key opens everything until it is revoked, and nothing after that',
    violations: ofShopkeepers(({ uses }) =>
      uses.flatMap(({ held, fromMs, end }) => {
        if (!end || end.status >= 500) return [];
        const isGone = held.revocations.some((one) => isDone(one) && (one.end?.atMs ?? 0) < fromMs);
        const isThere = held.revocations.every((one) => one.fromMs > end.atMs);
        if (isGone) return end.status === 401 ? [] : [`${held.name} was answered ${end.status} after its end`];
        return isThere && end.status !== 201 ? [`${held.name} was answered ${end.status}`] : [];
      }),
    ),
  },
  {
    name: 'a merchant has the keys that were asked for, and no other that works',
    violations: ofReadings(({ merchant, keys: rows }, { keys, names }) =>
      names
        .filter((one) => one.merchant === merchant)
        .flatMap(({ name }) => {
          const held = keys.find((one) => one.name === name);
          const valid = rows.filter((row) => row.name === name && row.revokedAt === null);
          if (!held || (held.revocations.length > 0 && !isRevoked(held))) return [];
          const isRight = isRevoked(held) ? valid.length === 0 : valid.length === 1 && valid[0].id === held.id;
          return isRight ? [] : [`${valid.length} keys ${name} work`];
        }),
    ),
  },
  {
    name: 'a payment begins with a way to pay that its merchant offers then',
    violations: ofShopkeepers((shopkeepers, { facts, checkout }) =>
      facts.flatMap(({ account, sessions }) => {
        const merchant = checkout?.merchants.find((one) => one.account === account);
        const payments = sessions.flatMap((one) => one.payments);
        return payments.flatMap((payment) => {
          const span = { fromMs: payment.createdMs, toMs: payment.createdMs + longestRunMs };
          const isRight = merchant && possible(merchant, span, shopkeepers).some((one) => isOffered(payment, one));
          return isRight ? [] : [`${payment.id} began with ${payment.displayLabel}`];
        });
      }),
    ),
  },
  {
    name: 'ways to pay are as they were last wished, and stay themselves',
    violations: ofReadings(({ merchant, methods }, shopkeepers, { world }) => {
      const now = { fromMs: world.timeline.nowMs(), toMs: world.timeline.nowMs() };
      const own = shopkeepers.lists.filter((one) => one.merchant === merchant);
      const isRight = possible(merchant, now, shopkeepers).some((one) => shapeOf([...one]) === shapeOf(methods));
      const isBare = methods.some(
        ({ gatewayCode, hasCredentials }) => hasCredentials === gatewayCode.startsWith('sim'),
      );
      return [
        ...(isRight ? [] : [`they are ${shapeOf(methods)}`]),
        ...(isBare ? ['one has no credentials'] : []),
        ...renamedOf(own),
      ];
    }),
  },
  {
    name: 'what operators do with keys and ways to pay is not refused',
    violations: ofShopkeepers(({ keys, lists, looks }) =>
      [...keys.flatMap((one) => one.revocations), ...lists.flatMap((one) => one.tries), ...looks].flatMap((one) =>
        statusOf(one) >= 400 && statusOf(one) < 500 ? [`${one.what} was answered ${statusOf(one)}`] : [],
      ),
    ),
  },
];
