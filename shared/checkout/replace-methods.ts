import { Fault } from '../kit/fault.ts';
import { type AcceptanceMethod, inOrder, type MethodWish } from './methods.ts';
import { type GatewayCode, supportedGateways } from './supported-gateways.ts';

/**
 * The methods that an account has after a list of wishes replaced what it had, in the order of display. A method stays itself, with its id
 * and its credentials, when a wish names its id or its label, or when it is the only one of its gateway and mode before and after. With the
 * credentials of another shop it is another method: what was begun with the one before is asked for and refunded at its own shop.
 * @throws Fault `invalid_request` for a simulator in live mode, missing credentials, and two methods that look the same to a payer
 */
export const replaceMethods = (
  before: readonly AcceptanceMethod[],
  wishes: readonly MethodWish[],
  newIdAt: (position: number) => string,
): AcceptanceMethod[] => {
  const known = pair(before, wishes);
  const after = wishes.map(({ acceptanceMethodId: _, ...wish }, position): AcceptanceMethod => {
    const credentials = wish.credentials ?? known[position]?.credentials ?? {};
    const wanted = supportedGateways[wish.gatewayCode].credentials.filter((name) => Object.hasOwn(credentials, name));
    return {
      ...wish,
      id: known[position]?.id ?? newIdAt(position),
      credentials: Object.fromEntries(wanted.map((name) => [name, credentials[name] ?? ''])),
    };
  });
  const faults = after.flatMap((method, position) =>
    faultsOf(method, after.slice(0, position)).map((fault) => `${position}.${fault}`),
  );
  if (faults.length > 0) throw new Fault('invalid_request', faults.join('; '));
  return after.sort(inOrder);
};

interface Kind {
  readonly gatewayCode: GatewayCode;
  readonly livemode: boolean;
}

const isAlike = (one: Kind, other: Kind): boolean =>
  one.gatewayCode === other.gatewayCode && one.livemode === other.livemode;

/** Whether the credentials of a wish, if it has some, are of the shop that the method is of. */
const isOfShop = (
  { gatewayCode, credentials: kept }: AcceptanceMethod,
  { credentials: sent }: Pick<MethodWish, 'credentials'>,
): boolean => sent === undefined || supportedGateways[gatewayCode].shop.every((name) => sent[name] === kept[name]);

/**
 * A method that ended, with the credentials that its shop has had since: a password may have been replaced at the gateway. `others`: the account's
 * other methods, the newest first.
 */
export const renewed = (method: AcceptanceMethod, others: readonly AcceptanceMethod[]): AcceptanceMethod => {
  const latest = others.find((other) => isAlike(other, method) && isOfShop(method, other));
  return latest ? { ...method, credentials: latest.credentials } : method;
};

/** For each wish the method that it is about, if there is one. No method is given twice. */
const pair = (
  before: readonly AcceptanceMethod[],
  wishes: readonly MethodWish[],
): readonly (AcceptanceMethod | undefined)[] => {
  const isOnlyOne = (kind: Kind): boolean =>
    [before, wishes].every((all) => all.filter((each) => isAlike(each, kind)).length === 1);
  const ways: readonly ((method: AcceptanceMethod, wish: MethodWish) => boolean)[] = [
    (method, wish) => method.id === wish.acceptanceMethodId,
    (method, wish) => method.displayLabel === wish.displayLabel,
    isOnlyOne,
  ];
  const paired = new Map<MethodWish, AcceptanceMethod>();
  for (const isMeant of ways) {
    for (const wish of wishes) {
      const free = before.filter(
        (method) => isAlike(method, wish) && isOfShop(method, wish) && ![...paired.values()].includes(method),
      );
      const method = paired.get(wish) ?? free.find((each) => isMeant(each, wish));
      if (method) paired.set(wish, method);
    }
  }
  return wishes.map((wish) => paired.get(wish));
};

const faultsOf = (method: AcceptanceMethod, earlier: readonly AcceptanceMethod[]): string[] => {
  const { isSimulator, credentials } = supportedGateways[method.gatewayCode];
  const missing = credentials.filter((name) => !Object.hasOwn(method.credentials, name));
  return [
    ...(isSimulator && method.livemode ? ['livemode: must be false for a simulator'] : []),
    ...(earlier.some((one) => isAlike(one, method) && one.displayLabel === method.displayLabel)
      ? ['displayLabel: is already used by another method of this gateway and mode']
      : []),
    ...missing.map((name) => `credentials.${name}: is required`),
  ];
};
