import { type Account, accountMaker } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { type Answer, clientIn } from './client.ts';
import { type Random, randomIn } from './random.ts';
import type { HttpCall, Outside } from './services.ts';
import type { World } from './world.ts';

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

/** What one client asks for under an idempotency key of its own. */
export const askedOnce = (
  wanted: Pick<Asked, 'id' | 'account' | 'atMs' | 'to'> & { readonly dueMs?: number | undefined },
): Asked => ({ dueMs: undefined, ...wanted, idempotencyKey: wanted.id, copies: 1, answers: [] });

/** Another time for a message, or none, and the status of the answer. */
export interface Change {
  readonly message: string;
  readonly toMs: number | undefined;
  status?: number;
}

/** A message that was taken, and what it says: a mail in its subject and in its text. */
export interface Taken {
  readonly message: string;
  readonly to: string;
  readonly atMs: number;
  readonly said: readonly string[];
  readonly attached: readonly { readonly filename: string; readonly contentType: string; readonly content: Buffer }[];
  /** Of a mail. */
  readonly unsubscribeUrl?: string | undefined;
}

/** What SES or a gateway told of a message that it had taken: of a mail its events, of a text its report, if any. */
export interface News {
  readonly message: string;
  readonly told: readonly string[];
}

/** A call that reached a webhook's target, and what it was answered. */
export interface Posted {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly statusCode: number;
}

/** Too long for the row of a message. */
const aside = 'x'.repeat(400);
/** Requests begin within this time. */
const busyMs = 60_000;

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
  const { random, timeline, lambda } = world;
  const client = clientIn(world);
  const asked: Asked[] = [];
  const mails: Taken[] = [];
  /** Mails of the platform to the owners of accounts. */
  const notices: Taken[] = [];
  const texts: Taken[] = [];
  const posts: Posted[] = [];
  const news: News[] = [];

  /** SES publishes what becomes of a mail: in any order, late, some of it twice. */
  const publishNews = (tags: Readonly<Record<string, readonly string[]>>, chance: Random): void => {
    const way = chance.pick(mailWays);
    news.push({ message: tags['messageId']?.[0] ?? '', told: way });
    for (const [n, eventType] of way.entries()) {
      const event = {
        eventType,
        mail: { timestamp: new Date(timeline.nowMs()).toISOString(), tags },
        bounce: { bounceType: 'Permanent', bounceSubType: 'General', bouncedRecipients: [{ status: '5.1.1' }] },
      };
      const Sns = { Type: 'Notification', MessageId: chance.uuid(), Message: JSON.stringify(event) };
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
    const { messageId, to, reportUrl, text } = JSON.parse(body);
    if (chance.isChance(0.1)) return { statusCode: 400, body: '{"status":"refused","code":"blocked","reason":"no"}' };
    const isNew = texts.every(({ message }) => message !== messageId);
    texts.push({ message: messageId, to, atMs: timeline.nowMs(), said: [text], attached: [] });
    const outcome = chance.pick(reports);
    if (isNew) news.push({ message: messageId, told: [outcome] });
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
      const { subject, text, attachments, unsubscribeUrl } = JSON.parse(mail.raw.toString());
      const attached = attachments.map((file: { readonly content: Uint8Array }) => ({
        ...file,
        content: Buffer.from(file.content),
      }));
      const message = tags['messageId']?.[0] ?? '';
      const [to, atMs] = [mail.destination, timeline.nowMs()];
      const isNotice = subject === 'A webhook was paused';
      (isNotice ? notices : mails).push({ message, to, atMs, said: [subject, text], attached, unsubscribeUrl });
      publishNews(tags, chance);
      return `ses-${mails.length + notices.length}`;
    },
    http: (call, chance) =>
      call.url.startsWith('https://provider.example.com/') ? takeText(call.body, chance) : takePost(call, chance),
  };

  const newAccount = accountMaker(world, { inside });
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
    const chance = randomIn(world.seed, `${id} expiry`);
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
          const chance = randomIn(world.seed, `${id} change`);
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
  const count = 1 + random.below(2);
  for (let n = 1; n <= count; n += 1) plan(n);

  return {
    outside,
    accounts,
    asked,
    mails,
    texts,
    posts,
    news,
    /** Whether a message waits for its time. */
    isScheduling: () => world.table.all().some(({ entity, held }) => entity === 'message' && held !== undefined),
  };
};

export type Messaging = Awaited<ReturnType<typeof openMessaging>>;
