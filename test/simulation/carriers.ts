import { AwsError } from '../../shared/aws/aws-service.ts';
import { type Account, callWithKey } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { clientIn } from './client.ts';
import { askedOnce, type Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { Wish } from './recipients.ts';
import type { SentSms } from './services.ts';
import type { World } from './world.ts';

/** What carriers report of a text that AWS has taken: in any order, late, some of it twice. */
export interface Route {
  readonly message: string;
  readonly events: readonly string[];
}

const busyMs = 120_000;
const againMs = 20_000;
const mostTries = 30;
/** Of so many texts, a carrier reports only how they ended. */
const terseChance = 0.4;

/** Some are reports of a try, after which the carrier goes on. */
const routes: readonly [readonly string[], ...(readonly string[])[]] = [
  ['TEXT_QUEUED', 'TEXT_SENT', 'TEXT_DELIVERED'],
  ['TEXT_DELIVERED'],
  ['TEXT_SENT', 'TEXT_SUCCESSFUL'],
  ['TEXT_UNREACHABLE trying', 'TEXT_DELIVERED'],
  ['TEXT_CARRIER_BLOCKED'],
  ['TEXT_SENT', 'TEXT_UNREACHABLE'],
  [],
];

/** AWS takes texts of accounts, and a topic reports what carriers say of them and what recipients answer; some of it is of others. */
export const openCarriers = async (
  world: World,
  code: Code,
  { accounts, asked, texts }: Pick<Messaging, 'accounts' | 'asked' | 'texts'>,
) => {
  const { timeline, startMs, lambda } = world;
  const { stores } = code.inside;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'carriers');
  const taken: Route[] = [];
  const wishes: Wish[] = [];

  const numberOf = (account: Account): string => `+1206555010${accounts.indexOf(account)}`;
  await world.spared(async () => {
    for (const account of accounts) {
      const found = await stores.accounts().find(account.ref.id);
      if (!found) throw new Error('an account is missing');
      const sms = { ...found.sms, sender: numberOf(account), provider: { kind: 'aws' } } as const;
      await stores.accounts().save(found, { ...found, sms }, timeline.nowMs());
    }
  });

  /** A topic calls its function again while it fails. */
  const publish = (message: object, chance: Random, onTaken: () => void = () => undefined): void => {
    const Timestamp = new Date(timeline.nowMs()).toISOString();
    const Sns = { Type: 'Notification', MessageId: chance.uuid(), Timestamp, Message: JSON.stringify(message) };
    const notify = (left: number): void =>
      lambda.invoke('callbacks/receive-sms-event', { Records: [{ Sns }] }, (outcome) => {
        const isTaken = outcome !== 'killed' && 'answer' in outcome;
        if (isTaken) onTaken();
        else if (left > 0) timeline.after(againMs, () => notify(left - 1));
      });
    for (let copies = chance.isChance(0.15) ? 2 : 1; copies > 0; copies -= 1)
      timeline.after(chance.below(6_000), () => notify(mostTries));
  };

  const eventOf = (event: string, context: object): object => {
    const [eventType, isTrying] = event.split(' ');
    return { eventType, isFinal: !isTrying, messageStatusDescription: 'because', context };
  };

  /** @throws what AWS answers for a number that is on its own list */
  const take = ({ DestinationPhoneNumber: to, MessageBody, Context }: SentSms, chance: Random): object => {
    if (chance.isChance(0.1))
      throw new AwsError({
        status: 400,
        body: { __type: 'ConflictException', Reason: 'DESTINATION_PHONE_NUMBER_OPTED_OUT' },
      });
    const message = Context.messageId;
    const events = chance.pick(routes);
    const isTerse = randomIn(world.seed, `reports of ${message}`).isChance(terseChance);
    const route = { message, events: isTerse ? events.slice(-1) : events };
    taken.push(route);
    texts.push({ message, to, atMs: timeline.nowMs(), said: [MessageBody], attached: [] });
    for (const [n, event] of route.events.entries())
      timeline.after(n * chance.below(20_000), () => publish(eventOf(event, Context), chance));
    return { MessageId: `aws-${taken.length}` };
  };

  /** What a recipient writes counts from when it is published. */
  const say = (account: Account, id: string, chance: Random): void => {
    const asks = chance.pick<Wish['asks']>(['stop', 'stop', 'start']);
    const wish: Wish = { account, by: 'recipient', asks, fromMs: timeline.nowMs() };
    wishes.push(wish);
    const news = {
      originationNumber: account.phone,
      destinationNumber: numberOf(account),
      messageBody: asks === 'stop' ? 'STOP' : 'START',
      inboundMessageId: id,
    };
    publish(news, chance, () => {
      wish.end ??= { atMs: timeline.nowMs(), isDone: true };
    });
  };

  /** News of a number or a message that is not the account's, and of none. */
  const mislead = (account: Account, id: string, chance: Random): void => {
    const other = account === accounts[0] ? accounts[1] : accounts[0];
    const { message: messageId = id } = taken[chance.below(taken.length)] ?? {};
    const of = { originationNumber: account.phone, messageBody: 'STOP', inboundMessageId: id };
    const isOwn = texts.some((text) => text.message === messageId && text.to === account.phone);
    const context = { accountId: isOwn ? other.ref.id : account.ref.id, messageId };
    publish(
      chance.pick([
        { ...of, destinationNumber: numberOf(other) },
        { ...of, destinationNumber: '+12065550199' },
        eventOf('TEXT_INVALID', context),
        eventOf('TEXT_INVALID', {}),
      ]),
      chance,
    );
  };

  const send = (account: Account, id: string, chance: Random): void => {
    const [atMs, to] = [timeline.nowMs(), account.phone];
    const dueMs = chance.isChance(0.2) ? atMs + 61_000 + chance.below(120_000) : undefined;
    const made = askedOnce({ id, account, dueMs, atMs, to });
    asked.push(made);
    const sendAt = dueMs === undefined ? {} : { sendAt: new Date(dueMs).toISOString() };
    const body = { channel: 'sms', to, text: 'Hi', ...sendAt, metadata: { request: id } };
    client.request(
      callWithKey(account, 'messages/send-message', 'POST /messages', { body, idempotencyKey: id }),
      (answer) => made.answers.push(answer),
    );
  };

  const acts = [send, send, send, say, mislead] as const;
  const count = 2 + random.below(4);
  for (let n = 1; n <= count; n += 1) {
    const id = `carrier ${n}`;
    const chance = randomIn(world.seed, id);
    const [account, act] = [chance.isChance(0.7) ? accounts[0] : accounts[1], chance.pick(acts)];
    world.plan(id, startMs + chance.below(busyMs), () => act(account, id, chance));
  }
  return { taken, wishes, arrivals: [], take };
};

export type Carriers = Awaited<ReturnType<typeof openCarriers>>;
