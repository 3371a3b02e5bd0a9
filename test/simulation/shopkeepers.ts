import type { AcceptanceMethod } from '../../shared/checkout/methods.ts';
import { minuteMs } from '../../shared/kit/time-units.ts';
import type { Code } from './bundle-functions.ts';
import { type Checkout, liveAmountMinor, type Merchant, methodsAtFirst, type Order } from './checkout.ts';
import type { Data, Request } from './client.ts';
import { operatorIn } from './operator.ts';
import { patientClientIn, type Try } from './patient-client.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A key that an operator made for a merchant, with the requests to revoke it. */
export interface HeldKey {
  readonly merchant: Merchant;
  readonly name: string;
  readonly livemode: boolean;
  readonly id: string;
  readonly key: string;
  readonly revocations: Try[];
}

/** The creation of a session with a key. */
export interface KeyUse {
  readonly held: HeldKey;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

/** A way to pay, as an operator wishes it; with its credentials, or with those that it has. */
interface Wish extends Pick<AcceptanceMethod, 'displayLabel' | 'gatewayCode' | 'livemode' | 'enabled' | 'sortOrder'> {
  readonly credentials?: Readonly<Record<string, string>>;
}

/** All ways to pay of a merchant that were wished at once. */
export interface MethodList {
  readonly merchant: Merchant;
  readonly wishes: readonly Wish[];
  readonly tries: Try[];
}

/** What is read of a merchant when all is quiet. */
export interface ShopReading {
  readonly merchant: Merchant;
  readonly methods: readonly Data[];
  readonly keys: readonly Data[];
}

const busyMs = 3 * minuteMs;
const calmMs = 11 * minuteMs;

/** Operators make and revoke keys of merchants, and change their ways to pay and the credentials of these, while payers pay. */
export const openShopkeepers = async (world: World, code: Code, checkout: Checkout) => {
  const { timeline, startMs, seed } = world;
  const { merchants, orders, gateways, follow } = checkout;
  const client = patientClientIn(world);
  const { insist, noting } = client;
  const random = randomIn(seed, 'shopkeepers');
  const headers = await operatorIn(world, code, 'shopkeeper');
  const keys: HeldKey[] = [];
  const names: { readonly merchant: Merchant; readonly name: string }[] = [];
  const uses: KeyUse[] = [];
  const lists: MethodList[] = [];
  const looks: Try[] = [];
  /** As the shopkeepers know them. */
  const offered = new Map(merchants.map((merchant) => [merchant, merchant.methods]));
  const wished = new Map<Merchant, readonly Wish[]>(offered);

  const byOperator = (does: string, routeKey: string, { account }: Merchant, body?: object): Request => ({
    ...{ does, headers, account: account.ref.id, path: { id: account.ref.id }, ...(body && { body }) },
    routeKey: routeKey.replace(' ', ' /admin/v1/accounts/{id}'),
  });

  const keysOf = (merchant: Merchant): Request =>
    byOperator('admin/list-checkout-keys', 'GET /checkout-keys', merchant);
  const methodsOf = (merchant: Merchant): Request =>
    byOperator('admin/list-checkout-methods', 'GET /checkout-methods', merchant);

  const revocationOf = ({ account }: Merchant, keyId: string): Request => ({
    ...{ does: 'admin/revoke-checkout-key', routeKey: 'DELETE /admin/v1/checkout-keys/{keyId}' },
    ...{ headers, account: account.ref.id, path: { keyId } },
  });

  /** The secret of a key that was made without an answer is lost: it is revoked, and another one made. */
  const revokeLost = async (merchant: Merchant, name: string): Promise<undefined> => {
    const rows: readonly Data[] = (await insist(keysOf(merchant))).body?.data ?? [];
    for (const row of rows)
      if (row.name === name && row.revokedAt === null) await insist(revocationOf(merchant, row.id));
  };

  const makeKey = async (merchant: Merchant, name: string, chance: Random): Promise<void> => {
    const livemode = chance.isChance(0.8);
    const body = { kind: chance.pick(['secret', 'secret', 'publishable']), livemode, name };
    names.push({ merchant, name });
    const made = await client.makeOnce(
      byOperator('admin/create-checkout-key', 'POST /checkout-keys', merchant, body),
      () => revokeLost(merchant, name),
    );
    if (!made) return;
    const held: HeldKey = { merchant, name, livemode, id: made.id, key: made.key, revocations: [] };
    keys.push(held);
    order(held, `${name} order`);
  };

  /** Takes an order with a key; its payers choose of what is offered then. */
  const order = (held: HeldKey, id: string): void => {
    const { merchant, key, livemode } = held;
    const made: Order = {
      merchant: {
        ...{ ...merchant, keys: { live: key, test: key } },
        get methods() {
          return offered.get(merchant) ?? [];
        },
      },
      ...{ id, livemode, copies: 1, answers: [], payments: [], refunds: [] },
    };
    orders.push(made);
    const use: KeyUse = { held, fromMs: timeline.nowMs() };
    uses.push(use);
    const body = { amountMinor: liveAmountMinor, currency: 'BDT', metadata: { order: id }, expiresInSeconds: 900 };
    client.request(
      {
        ...{ does: 'checkout/create-session', routeKey: 'POST /v1/checkout-sessions', body, idempotencyKey: id },
        ...{ headers: { authorization: `Bearer ${key}` }, account: merchant.account.ref.id },
      },
      (answer) => {
        made.answers.push(answer);
        use.end = { atMs: timeline.nowMs(), status: answer.status };
        if (answer.status === 201) follow(made, answer.body.data.id);
      },
    );
  };

  const anyKey = (chance: Random): HeldKey | undefined => keys[chance.below(keys.length)];

  const orderMore = (_: Merchant, id: string, chance: Random): void => {
    const held = anyKey(chance);
    if (held) order(held, id);
  };

  const revoke = async (_: Merchant, id: string, chance: Random): Promise<void> => {
    const held = anyKey(chance);
    if (!held) return;
    if (chance.isChance(0.6)) timeline.after(chance.below(3_000), () => order(held, id));
    await insist(revocationOf(held.merchant, held.id), noting(held.merchant.account, 'revoke', held.revocations));
  };

  /** What a merchant has now, as it was answered. */
  const learn = (merchant: Merchant, rows: readonly Data[]): void => {
    const known = rows.map(({ acceptanceMethodId: id, hasCredentials: _, ...row }) => ({
      ...row,
      id,
      credentials: {},
    }));
    offered.set(merchant, known);
    wished.set(merchant, known);
  };

  const wish = async (merchant: Merchant, wishes: readonly Wish[]): Promise<void> => {
    const list: MethodList = { merchant, wishes, tries: [] };
    lists.push(list);
    const request = byOperator('admin/set-checkout-methods', 'PUT /checkout-methods', merchant, [...wishes]);
    const { status, body } = await insist(request, noting(merchant.account, 'set', list.tries));
    if (status === 200) learn(merchant, body.data);
  };

  const credentialsOf = (gatewayCode: string): Readonly<Record<string, string>> => ({
    ...Reflect.get(gateways.credentials, gatewayCode),
  });

  /** What is there already keeps its credentials, if they are not named. */
  const named = (now: readonly Wish[], to: readonly Wish[], chance: Random, hidesChance: number): readonly Wish[] =>
    to.map(({ credentials: _, ...one }) => {
      const isThere = now.some(({ gatewayCode }) => gatewayCode === one.gatewayCode);
      return isThere && chance.isChance(hidesChance) ? one : { ...one, credentials: credentialsOf(one.gatewayCode) };
    });

  const variations: readonly ((now: readonly Wish[], id: string, chance: Random) => readonly Wish[])[] = [
    (now, _, chance) => now.toSpliced(chance.below(now.length), 1),
    (now) => now.filter(({ livemode }) => !livemode),
    () => methodsAtFirst(),
    () => methodsAtFirst(),
    (now, _, chance) => now.map((one) => ({ ...one, enabled: chance.isChance(0.7) })),
    (now, id, chance) =>
      now.map((one) => (chance.isChance(0.5) ? { ...one, displayLabel: `${one.gatewayCode} ${id}` } : one)),
    (now) => now.map((one, n) => ({ ...one, sortOrder: now.length - n })),
  ];

  const turns = new Map<Merchant, Promise<void>>();
  /** The lists of a merchant are wished one after the other, each from the one before; or two at once. */
  const inTurn = (merchant: Merchant, ...all: ((now: readonly Wish[]) => readonly Wish[])[]): Promise<void> => {
    const turn = (turns.get(merchant) ?? Promise.resolve()).then(async () => {
      const now = wished.get(merchant) ?? [];
      await Promise.all(all.map((to) => wish(merchant, to(now))));
      if (all.length > 1) learn(merchant, (await insist(methodsOf(merchant))).body?.data ?? []);
    });
    turns.set(merchant, turn);
    return turn;
  };

  const anyChange = (id: string, chance: Random, hidesChance: number) => {
    const vary = variations[chance.below(variations.length)] ?? methodsAtFirst;
    return (now: readonly Wish[]) => named(now, vary(now, id, chance), chance, hidesChance);
  };
  const change = (merchant: Merchant, id: string, chance: Random) => inTurn(merchant, anyChange(id, chance, 0.5));
  /** Each names all credentials: the other one may end what it has. */
  const changeTwice = (merchant: Merchant, id: string, chance: Random) =>
    inTurn(merchant, anyChange(id, chance, 0), anyChange(`${id} too`, chance, 0));

  /** Nobody can ask the gateways until merchants have the new ones, also those whose ways to pay have ended: payments may be open. */
  const changePasswords = async (_: Merchant, id: string): Promise<void> => {
    gateways.changePasswords(id);
    const renewed = (now: readonly Wish[]) =>
      methodsAtFirst().map((first) => ({
        ...(now.find(({ gatewayCode }) => gatewayCode === first.gatewayCode) ?? { ...first, enabled: false }),
        credentials: credentialsOf(first.gatewayCode),
      }));
    await Promise.all(merchants.map((merchant) => inTurn(merchant, renewed)));
  };

  const look = async (merchant: Merchant, _: string, chance: Random): Promise<void> => {
    const request = chance.pick([keysOf, methodsOf])(merchant);
    await noting(merchant.account, request.does, looks)(request);
  };

  const acts = [makeKey, orderMore, revoke, revoke, change, change, changeTwice, changePasswords, look, look] as const;
  const count = 2 + random.below(4);
  for (let n = 1; n <= count; n += 1) {
    const id = `shopkeeper ${n}`;
    const chance = randomIn(seed, id);
    const merchant = merchants[chance.below(merchants.length)];
    const act = n < 2 ? makeKey : chance.pick(acts);
    if (merchant) world.plan(id, startMs + chance.below(n < 2 ? 5_000 : busyMs), () => void act(merchant, id, chance));
  }

  const readings: ShopReading[] = [];
  return {
    ...{ keys, names, uses, lists, looks, readings },

    /** Reads what merchants have when all is quiet and nothing fails any more. */
    readAll: async (): Promise<void> => {
      await client.wait(Math.max(0, startMs + calmMs - timeline.nowMs()));
      for (const merchant of merchants)
        readings.push({
          merchant,
          methods: (await insist(methodsOf(merchant))).body?.data ?? [],
          keys: (await insist(keysOf(merchant))).body?.data ?? [],
        });
    },
  };
};

export type Shopkeepers = Awaited<ReturnType<typeof openShopkeepers>>;
