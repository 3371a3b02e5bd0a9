import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import { clientIn } from './client.ts';
import { randomIn } from './random.ts';
import type { HttpCall } from './services.ts';
import { atHour, daysStartMs } from './storms.ts';
import type { Fields } from './table/value.ts';
import type { World } from './world.ts';

/** A text that its gateway has, and what it reports of it, if it does. */
export interface SilentText {
  readonly message: string;
  readonly atMs: number;
  readonly report: 'delivered' | 'failed' | undefined;
  /** Whether the report was taken. */
  isHeard: boolean;
}

const textCount = 4;
/** By then a text is sent that is to be reported within the days, or not. */
const sentWithinMs = 1.5 * dayMs;

/** Whether an item is a text that was sent through the API. */
export const isText = ({ entity, channel, origin }: Fields): boolean =>
  entity === 'message' && origin === 'api' && channel !== 'email';

/** When it was sent; not a number, if it is not known to be. */
export const sentMs = ({ sentAt }: Fields): number => Date.parse(String(sentAt));

/** Texts whose gateway is silent for days: it reports them about 72 hours after they were sent, much later, or never. */
export const openSilentTexts = (world: World, account: Account) => {
  const { seed, timeline, lambda } = world;
  const { request } = clientIn(world);
  const chance = randomIn(seed, 'silent texts');
  const startMs = daysStartMs(world.startMs);
  const texts: SilentText[] = [];

  /** A gateway reports again while it gets no answer. */
  const report = (text: SilentText, url: string, left = 30): void => {
    const event = {
      routeKey: 'POST /callbacks/sms/{token}',
      headers: {},
      pathParameters: { token: new URL(url).pathname.split('/').at(-1) },
      body: JSON.stringify({ status: text.report, code: 'E1', reason: 'because' }),
      requestContext: { requestId: 'report', http: { method: 'POST', sourceIp: '203.0.113.9' } },
    };
    lambda.invoke('callbacks/receive-sms-report', event, (outcome) => {
      const code: unknown =
        outcome !== 'killed' && 'answer' in outcome ? Reflect.get(Object(outcome.answer), 'statusCode') : 500;
      if (Number(code) < 500) text.isHeard = true;
      else if (left > 0) timeline.after(20_000, () => report(text, url, left - 1));
    });
  };

  const waitOf = (message: string): number | undefined => {
    const fate = randomIn(seed, `fate of ${message}`);
    return fate.pick([
      undefined,
      60 * hourMs + fate.below(12 * hourMs),
      72 * hourMs - 10 * minuteMs + fate.below(80 * minuteMs),
      74 * hourMs + fate.below(20 * hourMs),
    ]);
  };

  const send = (n: number): void => {
    const isScheduled = chance.isChance(0.3);
    const [atMs, laterMs] = [
      atHour(chance, 0, isScheduled ? 2 * hourMs : sentWithinMs),
      13 * hourMs + chance.below(20 * hourMs),
    ];
    const name = `days text ${n}`;
    const sendAt = isScheduled ? { sendAt: new Date(startMs + atMs + laterMs).toISOString() } : {};
    world.plan(name, startMs + atMs, () =>
      request(
        callWithKey(account, 'messages/send-message', 'POST /messages', {
          idempotencyKey: name,
          body: { channel: 'sms', to: account.phone, text: 'Hi', ...sendAt },
        }),
        () => undefined,
      ),
    );
  };
  for (let n = 1; n <= textCount; n += 1) send(n);

  return {
    account,
    texts,

    /** The gateway's answer; undefined: the text is another account's. */
    answer: ({ url, body }: HttpCall): { readonly statusCode: number; readonly body: string } | undefined => {
      if (!url.startsWith('https://provider.example.com/')) return undefined;
      const { messageId: message, to, reportUrl } = JSON.parse(body);
      if (to !== account.phone) return undefined;
      if (texts.every((one) => one.message !== message)) {
        const waitMs = waitOf(message);
        const reported = chance.pick<'delivered' | 'failed'>(['delivered', 'delivered', 'failed']);
        const text = {
          message,
          atMs: timeline.nowMs(),
          report: waitMs === undefined ? undefined : reported,
          isHeard: false,
        };
        texts.push(text);
        if (waitMs !== undefined) timeline.after(waitMs, () => report(text, reportUrl));
      }
      return { statusCode: 200, body: '{"status":"accepted","id":"t1"}' };
    },
  };
};
