import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn, type Request } from './client.ts';
import { askedOnce, type Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

const busyMs = 240_000;
/** A spread begins two minutes after it was raised: messages that come then lie by it. */
const spreadsWithinMs = 60_000;
const againMs = 3_000;
const mostTries = 5;

/** Operators spread the traffic of accounts further, and change the rate of their senders, while messages are sent. */
export const openOperators = async (
  world: World,
  code: Code,
  { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>,
): Promise<void> => {
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'operators');
  const headers = await operatorIn(world, code, 'operator of accounts');

  /** What an operator tries again while there is no answer. */
  const change = async ({ ref }: Account, request: Omit<Request, 'headers' | 'account' | 'path'>): Promise<void> => {
    const call = { ...request, headers, account: ref.id, path: { id: ref.id } };
    for (let left = mostTries; left > 0 && (await client.ask(call)).status >= 500; left -= 1)
      await client.wait(againMs);
  };

  const spread = (account: Account, _: string, chance: Random): Promise<void> =>
    change(account, {
      does: 'admin/raise-spread',
      routeKey: 'PUT /admin/v1/accounts/{id}/spread',
      body: { creditShards: chance.pick([1, 2, 4]), messageShards: chance.pick([1, 2, 4]) },
    });

  const limit = (account: Account, _: string, chance: Random): Promise<void> =>
    change(account, {
      does: 'admin/update-account',
      routeKey: 'PATCH /admin/v1/accounts/{id}',
      body: { sms: { messagesPerSecond: chance.pick([1, 2, null]) } },
    });

  /** Several messages at once, mostly texts, which take turns at a slow sender. */
  const send = (account: Account, id: string, chance: Random): void => {
    for (let n = 2 + chance.below(5); n > 0; n -= 1) {
      const to = chance.isChance(0.8) ? account.phone : `ada${chance.below(3)}@example.com`;
      const name = `${id} message ${n}`;
      const made = askedOnce({ id: name, account, atMs: timeline.nowMs(), to });
      asked.push(made);
      const content = to === account.phone ? { channel: 'sms' } : { channel: 'email', subject: 'Hello' };
      client.request(
        {
          does: 'messages/send-message',
          routeKey: 'POST /api/v1/messages',
          headers: { 'x-api-key': account.key },
          account: account.ref.id,
          idempotencyKey: name,
          body: { ...content, to, text: 'It works.', metadata: { request: name } },
        },
        (answer) => made.answers.push(answer),
      );
    }
  };

  const acts = [spread, spread, limit, send, send] as const;
  const count = 2 + random.below(4);
  for (let n = 1; n <= count; n += 1) {
    const id = `operator ${n}`;
    const chance = randomIn(world.seed, id);
    const [account, act] = [chance.isChance(0.8) ? accounts[0] : accounts[1], chance.pick(acts)];
    const withinMs = act === spread ? spreadsWithinMs : busyMs;
    world.plan(id, startMs + chance.below(withinMs), () => void act(account, id, chance));
  }
};
