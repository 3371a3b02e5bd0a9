import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import type { Asked, Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A key that an operator has made for an account, with the tries to revoke it. */
export interface Held {
  readonly account: Account;
  readonly id: string;
  readonly key: string;
  readonly revocations: { readonly fromMs: number; end?: { readonly atMs: number; readonly isDone: boolean } }[];
}

/** A request that was made with a key. */
export interface KeyUse {
  readonly held: Held;
  readonly asked: Asked;
}

const busyMs = 80_000;

/** Operators make and revoke keys of accounts while messages are sent with them. */
export const openKeyHolders = async (
  world: World,
  code: Code,
  { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>,
) => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'key holders');
  const keys: Held[] = [];
  const uses: KeyUse[] = [];
  const operator = await operatorIn(world, code, 'key operator');

  const make = async (id: string, account: Account): Promise<void> => {
    const { status, body } = await client.ask({
      does: 'admin/create-api-key',
      routeKey: 'POST /admin/v1/accounts/{id}/api-keys',
      headers: operator,
      account: account.ref.id,
      path: { id: account.ref.id },
      body: { name: id, scopes: ['messages:send'] },
    });
    if (status === 201) keys.push({ account, id: body.data.id, key: body.data.key, revocations: [] });
  };

  const revoke = async (held: Held): Promise<void> => {
    const revocation: Held['revocations'][number] = { fromMs: timeline.nowMs() };
    held.revocations.push(revocation);
    const { status } = await client.ask({
      does: 'admin/revoke-api-key',
      routeKey: 'DELETE /admin/v1/api-keys/{keyId}',
      headers: operator,
      account: held.account.ref.id,
      path: { keyId: held.id },
    });
    revocation.end = { atMs: timeline.nowMs(), isDone: status === 204 };
  };

  const send = (id: string, held: Held, chance: Random): void => {
    const { account, key } = held;
    const to = chance.isChance(0.7) ? `ada${chance.below(3)}@example.com` : account.phone;
    const made: Asked = {
      id,
      account,
      idempotencyKey: id,
      dueMs: undefined,
      atMs: timeline.nowMs(),
      to,
      copies: 1,
      answers: [],
    };
    asked.push(made);
    uses.push({ held, asked: made });
    const content = to === account.phone ? { channel: 'sms' } : { channel: 'email', subject: 'Hello' };
    client.request(
      {
        does: 'messages/send-message',
        routeKey: 'POST /api/v1/messages',
        headers: { 'x-api-key': key },
        account: account.ref.id,
        idempotencyKey: id,
        body: { ...content, to, text: 'It works.', metadata: { request: id } },
      },
      (answer) => made.answers.push(answer),
    );
  };

  const act = (id: string, chance: Random): void => {
    const held = keys[chance.below(keys.length)];
    if (!held) return;
    const [isSending, isRevoking] = [chance.isChance(0.8), chance.isChance(0.4)];
    if (isRevoking) void revoke(held);
    if (isSending) timeline.after(chance.below(2_000), () => send(id, held, chance));
  };

  const count = 2 + random.below(3);
  for (let n = 0; n < count; n += 1) {
    const id = `key ${n}`;
    const chance = randomIn(world.seed, id);
    const account = random.pick(accounts);
    world.plan(id, startMs + (n === 0 ? 0 : chance.below(busyMs)), () =>
      n === 0 ? void make(id, account) : act(id, chance),
    );
  }
  return { keys, uses };
};

export type KeyHolders = Awaited<ReturnType<typeof openKeyHolders>>;
