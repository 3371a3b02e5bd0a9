import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { methodsAtFirst } from './checkout.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import { type Random, randomIn } from './random.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { World } from './world.ts';

/** A request with an idempotency key, until it had its last answer. */
export interface KeyedUse {
  readonly key: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly status: number;
  /** What it made, or an earlier one. */
  readonly id: string | undefined;
}

const keysPerApi = 1;

/** When a key comes again, after it was first used: within its day, about its end, and later. */
const timesOf = (chance: Random): readonly number[] => {
  const aboutEndMs = () => dayMs - 2 * minuteMs + chance.below(4 * minuteMs);
  return [
    hourMs + chance.below(22 * hourMs),
    ...[aboutEndMs(), aboutEndMs(), aboutEndMs()],
    dayMs + 5 * minuteMs + chance.below(20 * hourMs),
    2 * dayMs + chance.below(dayMs),
  ];
};

/** Clients that send messages and create sessions, and repeat them with the same idempotency keys for days. */
export const openLastingKeys = async (world: World, { inside }: Code, account: Account) => {
  const { seed, timeline, spared } = world;
  const { request } = clientIn(world);
  const startMs = daysStartMs(world.startMs);
  const uses: KeyedUse[] = [];

  const secretKey = await spared(async () => {
    const nowMs = timeline.nowMs();
    await inside.stores.methods().replace(account.ref, methodsAtFirst(), inside.newId(nowMs));
    const key = inside.makeCheckoutKey('secret', false);
    const limits = { rateLimitPerMinute: 10_000, limits: {} };
    const named = { id: inside.newId(nowMs), name: 'key', kind: 'secret', livemode: false, ...limits } as const;
    await inside.stores.checkoutKeys().create(account.ref, key, named, nowMs);
    return key;
  });

  const requestOf = (api: 'message' | 'session', key: string): Request =>
    api === 'message'
      ? callWithKey(account, 'messages/send-message', 'POST /messages', {
          idempotencyKey: key,
          body: { channel: 'email', to: `${key.replace(' ', '-')}@example.com`, subject: 'Hello', text: 'It works.' },
        })
      : {
          does: 'checkout/create-session',
          routeKey: 'POST /v1/checkout-sessions',
          headers: { authorization: `Bearer ${secretKey}` },
          account: account.ref.id,
          idempotencyKey: key,
          body: { amountMinor: 250_000, currency: 'BDT', expiresInSeconds: 3_600 },
        };

  const use = (api: 'message' | 'session', key: string): void => {
    const fromMs = timeline.nowMs();
    request(requestOf(api, key), ({ status, body }: Answer) =>
      uses.push({ key, fromMs, toMs: timeline.nowMs(), status, id: body?.data?.id }),
    );
  };

  for (const api of ['message', 'session'] as const)
    for (let n = 1; n <= keysPerApi; n += 1) {
      const key = `${api} ${n}`;
      const chance = randomIn(seed, `days of ${key}`);
      const firstMs = startMs + atHour(chance, 0, dayMs);
      for (const [times, afterMs] of [0, ...timesOf(chance)].entries())
        world.plan(`${key} use ${times}`, firstMs + afterMs, () => use(api, key));
    }
  return { uses };
};
