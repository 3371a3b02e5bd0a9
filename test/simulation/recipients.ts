import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import { beginRotation, endRotation, type InboundUrl, newUrl } from './inbound-urls.ts';
import type { Asked, Messaging } from './messaging.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** A text of a recipient that came by a URL, once, and the status of the answer. */
interface Arrival {
  readonly account: Account;
  readonly url: InboundUrl;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

/** What a recipient wrote, or an operator recorded, about texts to the phone of an account, and when that was answered; undefined: not yet. */
export interface Wish {
  readonly account: Account;
  readonly by: 'recipient' | 'operator';
  readonly asks: 'stop' | 'start';
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly isDone: boolean };
}

const busyMs = 120_000;
const againMs = 20_000;
const mostTries = 30;
/** Of so many worlds one replaces the URL of its gateways, which go on with earlier ones for a while. */
const worldsPerRotation = 100;
const placeOfRotation = 29;
const textsByAnyUrl = 8;

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
  const first = await world.spared(() => {
    const links = inside.callbackUrls(inside.vaultOf(), 'https://api.example.com');
    return Promise.all(accounts.map(({ ref }) => links.of({ ref, inboundUrls: inside.firstInboundUrls })));
  });
  /** The current one last. */
  const urls = accounts.map((_, n) => [newUrl(first[n]?.smsInbound)]);
  const arrivals: Arrival[] = [];
  const contacts = await world.spared(() =>
    Promise.all(accounts.map(({ ref, phone }) => inside.stores.contacts().idByAddress(ref, { phone }))),
  );

  const wish = (account: Account, by: Wish['by'], asks: Wish['asks']): Wish => {
    const made: Wish = { account, by, asks, fromMs: timeline.nowMs() };
    wishes.push(made);
    return made;
  };

  /** A gateway repeats a text until it is taken. */
  const say = async (account: Account, id: string, chance: Random, by?: InboundUrl): Promise<void> => {
    const made = wish(account, 'recipient', chance.isChance(0.6) ? 'stop' : 'start');
    const url = by ?? urls[accounts.indexOf(account)]?.at(-1) ?? newUrl();
    const text = chance.pick(made.asks === 'stop' ? ['STOP', 'Arrêt.'] : ['START', 'yes']);
    const body = { from: account.phone, text, ...(chance.isChance(0.6) && { id }) };
    let status = 503;
    for (let left = mostTries; left > 0 && status >= 500; left -= 1) {
      const call = { does: 'callbacks/receive-inbound-sms', routeKey: 'POST /callbacks/sms-inbound/{account}/{token}' };
      const arrival: Arrival = { account, url, fromMs: timeline.nowMs() };
      arrivals.push(arrival);
      ({ status } = await client.ask({
        ...call,
        account: account.ref.id,
        path: { account: account.ref.id, token: url.token },
        body,
      }));
      arrival.end = { atMs: timeline.nowMs(), status };
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
  const count = 1 + random.below(4);
  for (let n = 1; n <= count; n += 1) {
    const id = `recipient ${n}`;
    const chance = randomIn(world.seed, id);
    const [account, act] = [chance.isChance(0.8) ? accounts[0] : accounts[1], chance.pick(acts)];
    world.plan(id, startMs + chance.below(busyMs), () => void act(account, id, chance));
  }

  /** Gives the gateway of an account another URL. A try without an answer may have done so, too. */
  const rotate = async (account: Account, overlapMs: number): Promise<void> => {
    const own = urls[accounts.indexOf(account)] ?? [];
    for (let left = mostTries; left > 0; left -= 1) {
      beginRotation(own, timeline.nowMs(), overlapMs);
      const { status, body } = await client.ask({
        does: 'admin/rotate-callback-urls',
        routeKey: 'POST /admin/v1/accounts/{id}/callback-urls/rotate',
        headers: operator,
        account: account.ref.id,
        path: { id: account.ref.id },
        body: { overlapSeconds: overlapMs / 1_000 },
      });
      endRotation(own, timeline.nowMs(), overlapMs, status === 200);
      if (status === 200) return void own.push(newUrl(body.data.smsInbound));
      await client.wait(againMs);
    }
  };

  const rotateTwice = async (account: Account, chance: Random): Promise<void> => {
    for (let n = 1; n <= 2; n += 1) {
      await rotate(account, chance.pick([0, 60_000]));
      await client.wait(chance.below(90_000));
    }
  };

  const sayByAny = (account: Account, id: string, chance: Random): void => {
    const own = urls[accounts.indexOf(account)] ?? [];
    void say(account, id, chance, own[chance.below(own.length)]);
  };

  const isRotating = world.seed % worldsPerRotation === placeOfRotation;
  if (isRotating)
    world.plan('rotation', startMs + 20_000, () => void rotateTwice(accounts[0], randomIn(world.seed, 'rotation')));
  for (let n = 1; isRotating && n <= textsByAnyUrl; n += 1) {
    const [id, chance] = [`text by any URL ${n}`, randomIn(world.seed, `text by any URL ${n}`)];
    world.plan(id, startMs + chance.below(busyMs + 60_000), () => sayByAny(accounts[0], id, chance));
  }
  return { wishes, arrivals };
};

export type Recipients = Awaited<ReturnType<typeof openRecipients>>;
