import type { Code } from './bundle-functions.ts';
import { type Answer, clientIn } from './client.ts';
import { type Quiet, quietFrom, quietHoursOf } from './quiet.ts';
import { hashOf, type Random, randomOf } from './random.ts';
import type { HttpCall, Outside } from './services.ts';
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
  /** How many texts a contact may get in a day, if it is limited. */
  readonly mostTexts: number | undefined;
  /** When its recipients are not to get texts, if it has quiet hours. */
  readonly quiet: Quiet | undefined;
  readonly granted: { readonly email: number; readonly smsMasked: number; readonly smsNonMasked: number };
  readonly webhooks: readonly Subscription[];
}

/** A message that a client asked for, and what came of it. */
export interface Asked {
  readonly id: string;
  readonly account: Account;
  readonly idempotencyKey: string | undefined;
  /** When the message is to be sent, if not at once. */
  readonly dueMs: number | undefined;
  /** How many seconds a text is of use after its time, if it may expire. */
  readonly expiresInSeconds?: number | undefined;
  /** When it was first asked for. */
  readonly atMs: number;
  readonly to: string;
  /** How many clients ask for it, each with answers of its own. */
  readonly copies: number;
  readonly answers: Answer[];
  /** What a client wants of a scheduled message later. */
  change?: Change;
}

/** Another time for a message, or none, and the status of the answer. */
export interface Change {
  readonly message: string;
  readonly toMs: number | undefined;
  status?: number;
}

/** A message that was taken, and what it says: a mail in its subject and in its text. */
interface Taken {
  readonly message: string;
  readonly atMs: number;
  readonly said: readonly string[];
}

/** A call that reached a webhook's target, and what it was answered. */
export interface Posted {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly statusCode: number;
}

const allEvents = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'];
/** Too long for the row of a message. */
const aside = 'x'.repeat(400);
/** Requests begin within this time. */
const busyMs = 90_000;

/** What a mail's way is after SES has taken it: its events, in order. */
const mailWays: readonly [readonly string[], ...(readonly string[])[]] = [
  ['Send', 'Delivery'],
  ['Send', 'Delivery', 'Open'],
  ['Send', 'Delivery', 'Open', 'Click'],
  ['Send', 'Bounce'],
  ['Delivery', 'Complaint'],
  ['Send'],
];
const reports: readonly [string, ...string[]] = ['delivered', 'delivered', 'failed', ''];

/** Accounts that send messages, with their providers and the targets of their webhooks. */
export const openMessaging = async (world: World, { inside }: Code) => {
  const { random, timeline, lambda, spared } = world;
  const client = clientIn(world);
  const asked: Asked[] = [];
  const mails: Taken[] = [];
  const texts: Taken[] = [];
  const posts: Posted[] = [];

  const newAccount = (number: number): Promise<Account> =>
    spared(async () => {
      const nowMs = timeline.nowMs();
      const id = inside.newId(nowMs);
      const ref = { id, sealedKey: await inside.dataKeyMaker(inside.kms(), 'key').create(id) };
      const defaults = inside.newAccountSettings('Shop');
      const email = { ...defaults.email, fromAddress: 'shop@example.com', verifiedDomains: ['example.com'] };
      const acceptsLatePayments = randomOf(hashOf(world.seed, `late payments ${number}`)).isChance(0.5);
      const checkout = { ...defaults.checkout, acceptsLatePayments };
      const cap = randomOf(hashOf(world.seed, `frequency cap ${number}`));
      const mostTexts = cap.isChance(0.25) ? 1 + cap.below(3) : undefined;
      const frequencyCap = mostTexts === undefined ? null : { max: mostTexts, windowSeconds: 86_400 };
      const quiet = quietFrom(randomOf(hashOf(world.seed, `quiet hours ${number}`)), world.startMs);
      const settings = {
        ...defaults,
        email,
        checkout,
        suppressions: 'enforced',
        frequencyCap,
        quietHours: quietHoursOf(quiet),
      } as const;
      await inside.stores.accounts().create(ref, settings, nowMs);
      const credits = random.isChance(0.3) ? 1 + random.below(3) : 50;
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
      const wanted = Array.from({ length: random.below(3) }, (_, n) => ({
        name: `hook ${n}`,
        url: `https://${random.pick(['good', 'good', 'flaky', 'gone'])}-${number}-${n}.example.com/hook`,
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
      return { ref, key, phone, mostTexts, quiet, granted, webhooks };
    });

  /** SES publishes what becomes of a mail: in any order, late, some of it twice. */
  const publishNews = (tags: Readonly<Record<string, readonly string[]>>, chance: Random): void => {
    for (const [n, eventType] of chance.pick(mailWays).entries()) {
      const news = {
        eventType,
        mail: { timestamp: new Date(timeline.nowMs()).toISOString(), tags },
        bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
      };
      const Sns = { Type: 'Notification', MessageId: chance.uuid(), Message: JSON.stringify(news) };
      for (let copies = chance.isChance(0.1) ? 2 : 1; copies > 0; copies -= 1)
        timeline.after(chance.below(4_000) + n * chance.below(20_000), () => notify({ Records: [{ Sns }] }));
    }
  };

  /** A topic calls its function again while it fails. */
  const notify = (event: object, left = 30): void =>
    lambda.invoke('callbacks/receive-ses-notification', event, (outcome) => {
      if ((outcome === 'killed' || 'thrown' in outcome) && left > 0)
        timeline.after(20_000, () => notify(event, left - 1));
    });

  /** A gateway reports what became of a text, again while it gets no answer. */
  const report = (url: string, status: string, left = 30): void => {
    const event = {
      routeKey: 'POST /callbacks/sms/{token}',
      headers: {},
      pathParameters: { token: new URL(url).pathname.split('/').at(-1) },
      body: JSON.stringify({ status, code: 'E1', reason: 'because' }),
      requestContext: { requestId: 'report', http: { method: 'POST', sourceIp: '203.0.113.9' } },
    };
    lambda.invoke('callbacks/receive-sms-report', event, (outcome) => {
      const code: unknown =
        outcome !== 'killed' && 'answer' in outcome ? Reflect.get(Object(outcome.answer), 'statusCode') : 500;
      if (Number(code) >= 500 && left > 0) timeline.after(20_000, () => report(url, status, left - 1));
    });
  };

  const takeText = (body: string, chance: Random): { readonly statusCode: number; readonly body: string } => {
    const { messageId, reportUrl, text } = JSON.parse(body);
    if (chance.isChance(0.1)) return { statusCode: 400, body: '{"status":"refused","code":"blocked","reason":"no"}' };
    const isNew = texts.every(({ message }) => message !== messageId);
    texts.push({ message: messageId, atMs: timeline.nowMs(), said: [text] });
    const outcome = chance.pick(reports);
    if (isNew && outcome !== '') timeline.after(chance.below(30_000), () => report(reportUrl, outcome));
    return { statusCode: 200, body: '{"status":"accepted","id":"t1"}' };
  };

  const takePost = (
    { url, body, headers }: HttpCall,
    chance: Random,
  ): { readonly statusCode: number; readonly body: string } => {
    const isFailing = url.includes('//gone') || (url.includes('//flaky') && chance.isChance(0.5));
    const statusCode = isFailing ? 500 : 200;
    posts.push({ url, body, headers, atMs: timeline.nowMs(), statusCode });
    return { statusCode, body: '' };
  };

  /** Where mails and requests go to. */
  const outside: Outside = {
    mail: (mail, chance) => {
      const tags = Object.fromEntries(Object.entries(mail.tags).map(([name, value]) => [name, [value]]));
      const { subject, text } = JSON.parse(mail.raw.toString());
      mails.push({ message: tags['messageId']?.[0] ?? '', atMs: timeline.nowMs(), said: [subject, text] });
      publishNews(tags, chance);
      return `ses-${mails.length}`;
    },
    http: (call, chance) =>
      call.url.startsWith('https://provider.example.com/') ? takeText(call.body, chance) : takePost(call, chance),
  };

  const accounts = [await newAccount(0), await newAccount(1)] as const;

  /** Gives a scheduled message another time, or cancels it: often just when it is sent. */
  const changeLater = (made: Asked, message: string, chance: Random): void => {
    const leftMs = Math.max(1, (made.dueMs ?? 0) - timeline.nowMs());
    const afterMs = chance.isChance(0.5) ? chance.below(leftMs + 5_000) : leftMs + chance.below(1_000);
    world.plan(`${made.id} change`, timeline.nowMs() + afterMs, async () => {
      const toMs = chance.isChance(0.5) ? timeline.nowMs() + 61_000 + chance.below(120_000) : undefined;
      const change: Change = { message, toMs };
      made.change = change;
      const call = { headers: { 'x-api-key': made.account.key }, account: made.account.ref.id, path: { id: message } };
      const { status } = await client.ask(
        toMs === undefined
          ? { does: 'messages/cancel-message', routeKey: 'DELETE /api/v1/messages/{id}', ...call }
          : {
              does: 'messages/reschedule-message',
              routeKey: 'PATCH /api/v1/messages/{id}',
              ...call,
              body: { sendAt: new Date(toMs).toISOString() },
            },
      );
      change.status = status;
    });
  };

  /** How long before its time a message is asked for, if not at once: some minutes, or about a quarter of an hour. */
  const ahead = (): number | undefined =>
    random.isChance(0.25) ? 61_000 + random.below(random.isChance(0.3) ? 900_000 : 200_000) : undefined;

  /** How many seconds a text is of use, if it may expire: jobs that come late and providers that fail take longer. */
  const expiryOf = (id: string): number | undefined => {
    const chance = randomOf(hashOf(world.seed, `${id} expiry`));
    return chance.isChance(0.4) ? 60 + chance.below(120) : undefined;
  };

  /** Something that a client does, at some time. */
  const plan = (n: number): void => {
    const account = random.pick(accounts);
    const id = `request ${n}`;
    const idempotencyKey = random.isChance(0.7) ? `order-${n}` : undefined;
    const isText = random.isChance(0.4);
    const body = isText
      ? { channel: 'sms', to: account.phone, text: 'Hi' }
      : { channel: 'email', to: `ada${random.below(3)}@example.com`, subject: 'Hello', text: 'It works.' };
    const expiresInSeconds = isText ? expiryOf(id) : undefined;
    const laterMs = ahead();
    const atMs = world.startMs + random.below(busyMs);
    const copyAfterMs = idempotencyKey !== undefined && random.isChance(0.3) ? random.below(1_500) : undefined;
    const dueMs = laterMs === undefined ? undefined : atMs + laterMs;
    const sendAt = dueMs === undefined ? {} : { sendAt: new Date(dueMs).toISOString() };
    const made: Asked = {
      id,
      account,
      idempotencyKey,
      dueMs,
      expiresInSeconds,
      atMs,
      to: body.to,
      copies: copyAfterMs === undefined ? 1 : 2,
      answers: [],
    };
    const send = () =>
      client.request(
        {
          does: 'messages/send-message',
          routeKey: 'POST /api/v1/messages',
          headers: { 'x-api-key': account.key },
          account: account.ref.id,
          idempotencyKey,
          body: {
            ...body,
            ...sendAt,
            expiresInSeconds,
            metadata: { request: id, ...(n % 2 === 0 && { note: aside }) },
          },
        },
        (answer) => {
          made.answers.push(answer);
          const accepted = made.answers.filter(({ status }) => status === 201);
          const chance = randomOf(hashOf(world.seed, `${id} change`));
          if (dueMs !== undefined && accepted.length === 1 && answer.status === 201 && chance.isChance(0.5))
            changeLater(made, answer.body.data.id, chance);
        },
      );
    world.plan(id, atMs, () => {
      asked.push(made);
      send();
      if (copyAfterMs !== undefined) timeline.after(copyAfterMs, send);
    });
  };
  const count = 1 + random.below(4);
  for (let n = 1; n <= count; n += 1) plan(n);

  return {
    outside,
    accounts,
    asked,
    mails,
    texts,
    posts,
    /** Whether a message waits for its time. */
    isScheduling: () => world.table.all().some(({ entity, held }) => entity === 'message' && held !== undefined),
  };
};

export type Messaging = Awaited<ReturnType<typeof openMessaging>>;
