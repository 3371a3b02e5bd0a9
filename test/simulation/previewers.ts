import { type Account, callWithKey } from './accounts.ts';
import type { Authors, Work } from './authors.ts';
import { type Answer, clientIn } from './client.ts';
import { type Asked, askedOnce, type Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { Whatsapp } from './whatsapp.ts';
import type { World } from './world.ts';

/** A message that was previewed, and then asked for with the same body. */
export interface Previewed {
  readonly asked: Asked;
  readonly preview: Answer;
  /** What had changed in the table when its preview was asked for, and when it was answered. */
  readonly changes: { readonly from: number; to: number };
}

/** A preview of a template: of what it says, or said in a version. */
export interface Reading {
  readonly work: Work;
  readonly version: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  readonly answer: Answer;
}

const busyMs = 150_000;

/** Clients preview messages, and then send them or not, and templates that change meanwhile. */
export const openPreviewers = (
  world: World,
  { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>,
  authors: Authors | undefined,
  whatsapp: Whatsapp | undefined,
) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'previewers');
  const previewed: Previewed[] = [];
  const readings: Reading[] = [];

  const anyWork = (account: Account, chance: Random): Work | undefined => {
    const own = authors?.works.filter((work) => work.account === account) ?? [];
    return own[chance.below(own.length)];
  };

  const bodyFor = (account: Account, chance: Random) => {
    const work = chance.isChance(0.4) ? anyWork(account, chance) : undefined;
    const phones = whatsapp?.phones.filter((phone) => phone.account === account) ?? [];
    const phone = chance.isChance(0.7) ? phones[chance.below(phones.length)] : undefined;
    if (phone) return { channel: 'whatsapp', to: phone.number, text: 'Dear {{name}}', variables: { name: 'Ada' } };
    const channel = work?.channel ?? chance.pick(['email', 'sms']);
    const to = channel === 'sms' ? account.phone : `ada${chance.below(3)}@example.com`;
    if (work) return { channel, to, templateId: work.id };
    const text = chance.pick(['Dear {{name}}', 'Dear {{name}}. '.repeat(15)]);
    return { channel, to, text, ...(channel === 'email' && { subject: '{{name}}' }), variables: { name: 'Ada' } };
  };

  const preview = async (account: Account, id: string, chance: Random): Promise<void> => {
    const body = bodyFor(account, chance);
    const from = world.changes.length;
    const answer = await client.ask(
      callWithKey(account, 'messages/preview-message', 'POST /messages/preview', { body }),
    );
    if (chance.isChance(0.2)) return;
    const [atMs, to] = [timeline.nowMs(), body.to];
    const made = askedOnce({ id, account, atMs, to });
    asked.push(made);
    const one: Previewed = { asked: made, preview: answer, changes: { from, to: Number.POSITIVE_INFINITY } };
    previewed.push(one);
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', {
        body: { ...body, metadata: { request: id } },
        idempotencyKey: id,
      }),
      (sent) => {
        made.answers.push(sent);
        one.changes.to = world.changes.length;
      },
    );
  };

  const read = async (account: Account, id: string, chance: Random): Promise<void> => {
    const work = anyWork(account, chance);
    if (!work) return preview(account, id, chance);
    const version = chance.isChance(0.3) ? 1 + chance.below(3) : undefined;
    const fromMs = timeline.nowMs();
    const answer = await client.ask(
      callWithKey(account, 'templates/preview-template', 'POST /templates/{id}/preview', {
        path: { id: work.id },
        body: version === undefined ? {} : { version },
      }),
    );
    readings.push({ work, version, fromMs, toMs: timeline.nowMs(), answer });
  };

  const acts = [preview, preview, read] as const;
  const count = 2 + random.below(6);
  for (let n = 1; n <= count; n += 1) {
    const id = `preview ${n}`;
    const chance = randomIn(world.seed, id);
    const [account, act] = [chance.isChance(0.7) ? accounts[0] : accounts[1], chance.pick(acts)];
    world.plan(id, startMs + chance.below(busyMs), () => void act(account, id, chance));
  }
  return { previewed, readings };
};

export type Previewers = ReturnType<typeof openPreviewers>;
