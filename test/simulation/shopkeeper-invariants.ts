import type { Payment } from '../../shared/checkout/payment.ts';
import { type Merchant, methodsAtFirst } from './checkout.ts';
import type { Invariant, Judged } from './invariants.ts';
import { isDone, type Row, type Try } from './patient-client.ts';
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

/** The ways to pay that a merchant may have had in some time: the last ones before it, and those that were wished meanwhile. */
const possible = (
  merchant: Merchant,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { lists }: Shopkeepers,
): readonly Wishes[] =>
  lists
    .filter((one) => one.merchant === merchant && one.tries.some((each) => each.fromMs <= toMs))
    .reduce<readonly Wishes[]>(
      (before, { wishes, tries }) => {
        if (tries.every((each) => statusOf(each) < 500 && !isDone(each))) return before;
        const isSure = tries.some((each) => isDone(each) && (each.end?.atMs ?? 0) < fromMs);
        return isSure ? [wishes] : before.concat([wishes]);
      },
      [methodsAtFirst()],
    );

const isOffered = ({ gatewayCode, displayLabel, livemode }: Payment, wishes: Wishes): boolean =>
  wishes.some(
    (one) =>
      one.enabled && one.gatewayCode === gatewayCode && one.displayLabel === displayLabel && one.livemode === livemode,
  );

const shapeOf = (methods: readonly Row[]): string =>
  methods
    .toSorted((one, other) => one.sortOrder - other.sortOrder)
    .map(({ gatewayCode, displayLabel, livemode, enabled }) => [gatewayCode, displayLabel, livemode, enabled].join())
    .join('; ');

const rowsIn = ({ tries }: MethodList): readonly Row[] | undefined => tries.find(isDone)?.end?.answer.body.data;

/** The methods of a list that have another id than in the one before. */
const renamedIn = (list: MethodList, before: MethodList | undefined): readonly string[] => {
  const earlier = before && rowsIn(before);
  return (rowsIn(list) ?? []).flatMap(({ gatewayCode, acceptanceMethodId }) => {
    const known = earlier?.find((row) => row.gatewayCode === gatewayCode);
    return known && known.acceptanceMethodId !== acceptanceMethodId ? [`${gatewayCode} has another id`] : [];
  });
};

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
        ...own.flatMap((list, n) => renamedIn(list, own[n - 1])),
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
