import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import type { Asked, Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What a recipient wrote, or an operator recorded, about texts to the phone of an account, and when that was answered; undefined: not yet. */
export interface Wish {
  readonly account: Account;
  readonly by: 'recipient' | 'operator';
  readonly asks: 'stop' | 'start';
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly isDone: boolean };
}

const busyMs = 180_000;
const againMs = 20_000;
const mostTries = 30;

/** Recipients write STOP and START, and operators record consents and withdrawals, while texts are sent. */
export const openRecipients = async (
  world: World,
  code: Code,
  { accounts, asked }: Pick<Messaging, 'accounts' | 'asked'>,
) => {
  const { inside } = code;
  const { timeline, startMs } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'recipients');
  const wishes: Wish[] = [];

  const operator = await operatorIn(world, code, 'operator');
  const urls = await world.spared(() => {
    const links = inside.callbackUrls(inside.vaultOf(), 'https://api.example.com');
    return Promise.all(accounts.map(({ ref }) => links.of({ ref, inboundUrls: inside.firstInboundUrls })));
  });
  const contacts = await world.spared(() =>
    Promise.all(accounts.map(({ ref, phone }) => inside.stores.contacts().idByAddress(ref, { phone }))),
  );

  const wish = (account: Account, by: Wish['by'], asks: Wish['asks']): Wish => {
    const made: Wish = { account, by, asks, fromMs: timeline.nowMs() };
    wishes.push(made);
    return made;
  };

  /** A gateway repeats a text until it is taken. */
  const say = async (account: Account, id: string, chance: Random): Promise<void> => {
    const made = wish(account, 'recipient', chance.isChance(0.6) ? 'stop' : 'start');
    const token = urls[accounts.indexOf(account)]?.smsInbound.split('/').at(-1) ?? '';
    const text = chance.pick(made.asks === 'stop' ? ['STOP', 'Arrêt.'] : ['START', 'yes']);
    const body = { from: account.phone, text, ...(chance.isChance(0.6) && { id }) };
    let status = 503;
    for (let left = mostTries; left > 0 && status >= 500; left -= 1) {
      const call = { does: 'callbacks/receive-inbound-sms', routeKey: 'POST /callbacks/sms-inbound/{account}/{token}' };
      ({ status } = await client.ask({
        ...call,
        account: account.ref.id,
        path: { account: account.ref.id, token },
        body,
      }));
      if (status >= 500) await client.wait(againMs);
    }
    made.end = { atMs: timeline.nowMs(), isDone: status === 200 };
  };

  const record = async (account: Account, _: string, chance: Random): Promise<void> => {
    const made = wish(account, 'operator', chance.isChance(0.3) ? 'stop' : 'start');
    const { status } = await client.ask({
      does: 'contacts/set-consent',
      routeKey: 'PUT /admin/v1/contacts/{id}/consents/{channel}',
      headers: operator,
      account: account.ref.id,
      path: { id: contacts[accounts.indexOf(account)] ?? '', channel: 'sms' },
      body: { status: made.asks === 'stop' ? 'withdrawn' : 'active' },
    });
    made.end = { atMs: timeline.nowMs(), isDone: status === 200 };
  };

  const write = (account: Account, id: string): void => {
    const atMs = timeline.nowMs();
    const made: Asked = {
      id,
      account,
      idempotencyKey: id,
      dueMs: undefined,
      atMs,
      to: account.phone,
      copies: 1,
      answers: [],
    };
    asked.push(made);
    const call = {
      does: 'messages/send-message',
      routeKey: 'POST /api/v1/messages',
      headers: { 'x-api-key': account.key },
    };
    const body = { channel: 'sms', to: account.phone, text: 'Hi', metadata: { request: id } };
    client.request({ ...call, account: account.ref.id, idempotencyKey: id, body }, (answer) =>
      made.answers.push(answer),
    );
  };

  const acts = [say, say, say, record, write, write] as const;
  const count = 1 + random.below(7);
  for (let n = 1; n <= count; n += 1) {
    const id = `recipient ${n}`;
    const chance = randomIn(world.seed, id);
    const [account, act] = [chance.isChance(0.8) ? accounts[0] : accounts[1], chance.pick(acts)];
    world.plan(id, startMs + chance.below(busyMs), () => void act(account, id, chance));
  }
  return { wishes };
};

export type Recipients = Awaited<ReturnType<typeof openRecipients>>;
