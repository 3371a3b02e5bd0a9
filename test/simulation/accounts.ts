import type { Code } from './bundle-functions.ts';
import type { Request } from './client.ts';
import { type Quiet, quietFrom, quietHoursOf } from './quiet.ts';
import { randomIn } from './random.ts';
import type { World } from './world.ts';

type Ref = { readonly id: string; readonly sealedKey: string };

/** A subscription to events. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[];
  /** The first one. */
  readonly secret: string;
}

export interface Account {
  readonly ref: Ref;
  readonly key: string;
  readonly phone: string;
  /** Whether money completes a session that has expired. */
  readonly acceptsLatePayments: boolean;
  /** How many texts a contact may get in a day, if it is limited. */
  readonly mostTexts: number | undefined;
  /** When its recipients are not to get texts, if it has quiet hours. */
  readonly quiet: Quiet | undefined;
  /** The credits that it has at first; undefined where operators set them while it is in use. */
  readonly granted: { readonly email: number; readonly smsMasked: number; readonly smsNonMasked: number } | undefined;
  readonly webhooks: readonly Subscription[];
}

/** A request of an account's server, of a path of the messaging API as its pages have it. */
export const callWithKey = (
  { ref, key }: Account,
  does: string,
  routeKey: string,
  more: Partial<Request>,
): Request => ({
  does,
  routeKey: routeKey.replace(' /', ' /api/v1/'),
  headers: { 'x-api-key': key },
  account: ref.id,
  ...more,
});

const allEvents = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'];

/** Makes accounts that send messages, by their numbers: each with a key, credits, a contact who takes texts, and perhaps subscriptions. */
export const accountMaker =
  (world: World, { inside }: Pick<Code, 'inside'>, { mostHooks = 2, manyCredits = 50, fewChance = 0.3 } = {}) =>
  (number: number): Promise<Account> => {
    const { random, timeline, spared } = world;
    return spared(async () => {
      const nowMs = timeline.nowMs();
      const id = inside.newId(nowMs);
      const ref = { id, sealedKey: await inside.dataKeyMaker(inside.kms(), 'key').create(id) };
      const defaults = inside.newAccountSettings('Shop');
      const email = { ...defaults.email, fromAddress: 'shop@example.com', verifiedDomains: ['example.com'] };
      const acceptsLatePayments = randomIn(world.seed, `late payments ${number}`).isChance(0.5);
      const checkout = { ...defaults.checkout, acceptsLatePayments };
      const cap = randomIn(world.seed, `frequency cap ${number}`);
      const mostTexts = cap.isChance(0.25) ? 1 + cap.below(3) : undefined;
      const frequencyCap = mostTexts === undefined ? null : { max: mostTexts, windowSeconds: 86_400 };
      const quiet = quietFrom(randomIn(world.seed, `quiet hours ${number}`), world.startMs);
      const settings = {
        ...defaults,
        email,
        checkout,
        suppressions: 'enforced',
        frequencyCap,
        quietHours: quietHoursOf(quiet),
      } as const;
      await inside.stores.accounts().create(ref, settings, nowMs);
      const credits = random.isChance(fewChance) ? 1 + random.below(3) : manyCredits;
      const granted = { email: credits, smsMasked: credits, smsNonMasked: 0 };
      const cause = { id: inside.newId(nowMs), who: 'operator', reason: null };
      await inside.stores.credits().set(ref, granted, cause);
      const key = inside.makeApiKey();
      const named = { id: inside.newId(nowMs), name: 'key', scopes: inside.scopes, rateLimitPerMinute: 10_000 };
      await inside.stores.apiKeys().create(ref, key, named, nowMs);
      const phone = `+880170000${1_000 + number}`;
      const contact = inside.newId(nowMs);
      const details = inside.detailsOf({ phone });
      await inside.stores.contacts().create(ref, { id: contact, details }, nowMs);
      const consent = { status: 'active', source: 'form', text: null, by: 'operator' } as const;
      const at = new Date(nowMs).toISOString();
      await inside.stores.consents().record(ref, contact, { id: inside.newId(nowMs), channel: 'sms', at, ...consent });
      const wanted = Array.from({ length: random.below(mostHooks + 1) }, (_, n) => ({
        name: `hook ${n}`,
        url: `https://${random.pick(['good', 'good', 'good', 'good', 'flaky', 'gone'])}-${number}-${n}.example.com/hook`,
        events: n === 0 ? allEvents : allEvents.slice(0, 2),
        isActive: true,
      }));
      const webhooks = [];
      for (const fields of wanted) {
        const secret = { secret: random.uuid(), most: 20 };
        const made = inside.newId(timeline.nowMs());
        const { url, events } = fields;
        await inside.stores.webhooks().create(ref, made, inside.webhookFields.parse(fields), secret);
        webhooks.push({ id: made, url, events, secret: secret.secret });
      }
      return { ref, key, phone, acceptsLatePayments, mostTexts, quiet, granted, webhooks };
    });
  };
