import { dayMs, hourMs, minuteMs } from '../../shared/kit/time-units.ts';
import { type Account, callWithKey } from './accounts.ts';
import { clientIn } from './client.ts';
import { type Asked, askedOnce } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { Outside } from './services.ts';
import { daysStartMs } from './storms.ts';
import type { World } from './world.ts';

const messageCount = 4;
/** Longer than the hour after which a client that waits for an answer asks again. */
const leastMs = 3 * hourMs;
/** Much shorter than the 24 hours for which a message waits: each try is many calls to SES. */
const moreMs = 3 * hourMs;
const askAgainMs = 30 * minuteMs;

interface Refusal {
  readonly name: string;
  readonly message: string;
}

/** By SES, for the whole account, or because its rate is exceeded. */
const refusals: readonly [Refusal, Refusal] = [
  { name: 'AccountSendingPausedException', message: 'Email sending is disabled.' },
  { name: 'Throttling', message: 'Maximum sending rate exceeded.' },
];

/** An account whose emails SES does not take for hours, and what it asks to send then. */
export const openPausedSending = (world: World, account: Account) => {
  const { seed, timeline } = world;
  const { request, wait } = clientIn(world);
  const chance = randomIn(seed, 'paused sending');
  const fromMs = daysStartMs(world.startMs) + dayMs + chance.below(3 * dayMs);
  const pause = { fromMs, toMs: fromMs + leastMs + chance.below(moreMs) };
  const refusal = chance.pick(refusals);
  const asked: Asked[] = [];

  const isPaused = (): boolean => timeline.nowMs() >= pause.fromMs && timeline.nowMs() < pause.toMs;

  /** Asks again while the answer is that no message was accepted, or that an earlier try is under way. */
  const ask = async (made: Asked, body: object): Promise<void> => {
    const call = callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: made.id });
    const answer = await new Promise<Asked['answers'][number]>((resolve) => request(call, resolve));
    if (answer.status < 500 && answer.status !== 409) return void made.answers.push(answer);
    await wait(askAgainMs);
    return ask(made, body);
  };

  const send = (id: string, own: Random): void => {
    const atMs = timeline.nowMs();
    const dueMs = own.isChance(0.4) ? Math.min(pause.toMs - minuteMs, atMs + minuteMs + own.below(hourMs)) : undefined;
    const to = `${id.replaceAll(' ', '-')}@example.com`;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const sendAt = dueMs === undefined || dueMs < atMs + 61_000 ? {} : { sendAt: new Date(dueMs).toISOString() };
    const content = { channel: 'email', to, subject: 'Hello', text: 'It works.' };
    void ask(made, { ...content, ...sendAt, metadata: { request: id } });
  };

  for (let n = 1; n <= messageCount; n += 1) {
    const id = `message in a pause ${n}`;
    const own = randomIn(seed, id);
    world.plan(id, pause.fromMs + own.below(pause.toMs - pause.fromMs), () => send(id, own));
  }

  return {
    account,
    pause,
    asked,

    /** @throws while SES takes no email of the account */
    refuse: ({ tags }: Parameters<Outside['mail']>[0]): void => {
      if (isPaused() && tags['accountId'] === account.ref.id)
        throw Object.assign(new Error(refusal.message), { name: refusal.name, $metadata: { httpStatusCode: 400 } });
    },
  };
};
