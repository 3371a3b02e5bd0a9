import { type Account, callWithKey } from './accounts.ts';
import { type Answer, clientIn } from './client.ts';
import { type Asked, askedOnce, type Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A file that is uploaded once to be attached to mails, with all that was sent to its URL, in order. */
export interface Offer {
  readonly account: Account;
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly size: number;
  readonly sent: { readonly bytes: Buffer; readonly fromMs: number; end?: { atMs: number; status: number } }[];
}

/** A mail that was to have files, and when it was answered for good. */
export interface FileMail {
  readonly asked: Asked;
  readonly offers: readonly Offer[];
  endMs?: number;
}

const busyMs = 80_000;
const types = ['application/pdf', 'text/csv', 'image/png'] as const;

/** A batch of one message is answered as the message. */
const ofOneRow = (answer: Answer): Answer => {
  const result = answer.body?.data?.results?.[0];
  if (!result) return answer;
  const status = result.status === 'accepted' ? 201 : 422;
  return { ...answer, status, body: { data: result.message, error: result.error } };
};

/** Uploaders send files, and mails with them, also before they are there and of files that are not theirs. */
export const openUploaders = (world: World, { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'uploaders');
  const offers: Offer[] = [];
  const fileMails: FileMail[] = [];

  const put = async (offer: Offer, url: string, bytes: Buffer, chance: Random): Promise<void> => {
    const one: Offer['sent'][number] = { bytes, fromMs: timeline.nowMs() };
    offer.sent.push(one);
    const status = await client.upload(url, bytes, chance);
    one.end = { atMs: timeline.nowMs(), status };
  };

  /** Some send a file of another size first, some another one afterwards, and some send none. */
  const send = async (offer: Offer, url: string, chance: Random): Promise<void> => {
    if (chance.isChance(0.2)) await put(offer, url, chance.bytes(offer.size + 1), chance);
    if (chance.isChance(0.1)) return;
    await client.wait(chance.below(5_000));
    await put(offer, url, chance.bytes(offer.size), chance);
    if (chance.isChance(0.7)) return;
    await client.wait(chance.below(20_000));
    await put(offer, url, chance.bytes(offer.size), chance);
  };

  const offer = (id: string, account: Account, chance: Random): void => {
    const size = 1 + chance.below(chance.pick([20, 4_000]));
    const body = { filename: `${id}.bin`, contentType: chance.pick(types), size };
    const made = callWithKey(account, 'attachments/create-attachment', 'POST /attachments', {
      body,
      idempotencyKey: id,
    });
    client.request(made, ({ status, body: { data } }: Answer) => {
      if (status !== 201) return;
      const one: Offer = { account, id: data.id, ...body, sent: [] };
      offers.push(one);
      void send(one, data.uploadUrl, chance);
    });
  };

  const attach = (id: string, account: Account, chance: Random): void => {
    const known = offers.filter((one) => one.account === account || chance.isChance(0.1));
    const chosen = Array.from({ length: chance.below(3) }, () => known[chance.below(known.length)]);
    const attached = chosen.filter((one) => one !== undefined);
    const atMs = timeline.nowMs();
    const dueMs = chance.isChance(0.4) ? atMs + 61_000 + chance.below(120_000) : undefined;
    const to = `ada${chance.below(3)}@example.com`;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const fileMail: FileMail = { asked: made, offers: attached };
    fileMails.push(fileMail);
    const body = {
      ...{ channel: 'email', to, subject: 'Hello', text: 'It works.', metadata: { request: id } },
      ...(dueMs !== undefined && { sendAt: new Date(dueMs).toISOString() }),
      attachments: attached.map(({ id: uploadId }) => ({ uploadId })),
    };
    const isBatch = chance.isChance(0.2);
    const request = isBatch
      ? callWithKey(account, 'messages/send-messages', 'POST /messages/batch', {
          body: { messages: [body] },
          idempotencyKey: id,
        })
      : callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id });
    client.request(request, (answer) => {
      made.answers.push(isBatch ? ofOneRow(answer) : answer);
      if (answer.status < 500) fileMail.endMs = timeline.nowMs();
    });
  };

  const count = 2 + random.below(3);
  for (let n = 0; n < count; n += 1) {
    const [id, account] = [`upload ${n}`, random.pick(accounts)];
    const chance = randomIn(world.seed, id);
    const [act, atMs] = n === 0 || chance.isChance(0.4) ? [offer, 0] : [attach, 5_000];
    world.plan(id, startMs + (n === 0 ? 0 : atMs + chance.below(busyMs)), () => act(id, account, chance));
  }
  return { fileMails, offers };
};

export type Uploaders = ReturnType<typeof openUploaders>;
