import { type Answer, clientIn } from '../client.ts';
import type { Crowd } from './crowd.ts';

const againMs = 2_000;

const isOpen = ({ status, body }: Answer): boolean => status >= 500 || body.error?.code === 'idempotency_conflict';
const isRepetition = ({ headers }: Answer): boolean => headers['Idempotent-Replay'] === 'true';
const outcomeOf = ({ status, body }: Answer): string => `${status} ${body.data?.id ?? body.error?.code}`;

/** Clients who send the same email with the same key, at once and until they have an answer. */
export const keyCrowd: Crowd = {
  name: 'whoever repeats a request with its key, and whenever, it is done once, and all have the same answer',
  folders: ['messages/send-message'],
  gather: async ({ world, inside, random, account }) => {
    const { stores } = inside;
    const nowMs = world.timeline.nowMs();
    const granted = { email: random.pick([1, 50]), smsMasked: 0, smsNonMasked: 0 };
    await stores.credits().set(account, granted, { id: inside.newId(nowMs), who: 'operator', reason: null });
    const key = inside.makeApiKey();
    const named = { id: inside.newId(nowMs), name: 'key', scopes: inside.scopes, rateLimitPerMinute: 10_000 };
    await stores.apiKeys().create(account, key, named, nowMs);
    const mails: string[] = [];
    world.connect({
      mail: ({ tags }) => `ses-${mails.push(tags['messageId'] ?? '')}`,
      http: () => ({ statusCode: 404, body: '' }),
    });

    const client = clientIn(world);
    const orders = Array.from({ length: 1 + random.below(2) }, (_, n) => `order ${n}`);
    const answers = new Map<string, Answer[]>(orders.map((order) => [order, []]));
    const send = (order: string) => async (): Promise<void> => {
      for (;;) {
        const answer = await client.ask({
          does: 'messages/send-message',
          routeKey: 'POST /api/v1/messages',
          headers: { 'x-api-key': key },
          account: account.id,
          idempotencyKey: order,
          body: { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: order },
        });
        if (!isOpen(answer)) return void answers.get(order)?.push(answer);
        await client.wait(againMs);
      }
    };
    const members = Array.from({ length: 2 + random.below(9) }, () => ({
      does: 'send',
      work: send(orders[random.below(orders.length)] ?? ''),
    }));

    const violations = async (): Promise<readonly string[]> => {
      const rows = world.table.all().filter(({ entity }) => entity === 'message');
      const prices = rows.map(({ price }) => Number(Reflect.get(Object(price), 'credits')));
      const left = (await stores.accounts().credits(account.id))?.email;
      const ofOrders = [...answers].flatMap(([order, own]) => {
        const outcomes = new Set(own.map(outcomeOf));
        const texts = new Set(own.filter(isRepetition).map(({ text }) => text));
        // One whose result could not be stored is done again, which finds what it did.
        const isSilent = own.filter(({ status }) => status === 201).length > 3 && !own.some(isRepetition);
        return [
          ...(outcomes.size > 1 ? [`${order} has ${[...outcomes].join()}`] : []),
          ...(texts.size > 1 ? [`${order} is repeated as ${[...texts].join()}`] : []),
          ...(isSilent ? [`${order} is repeated without saying so`] : []),
        ];
      });
      const accepted = [...answers.values()].flat().filter(({ status }) => status === 201);
      return [
        ...ofOrders,
        ...accepted.flatMap(({ body }) =>
          rows.some(({ SK }) => SK === body.data.id) ? [] : [`${body.data.id} is gone`],
        ),
        ...mails.flatMap((mail, n) => (mails.indexOf(mail) < n ? [`${mail} was sent twice`] : [])),
        ...(rows.length > orders.length ? [`${rows.length} messages of ${orders.length} keys`] : []),
        ...(left === granted.email - prices.reduce((sum, price) => sum + price, 0) ? [] : [`${left} credits are left`]),
      ];
    };
    return { members, violations };
  },
  mistakes: [
    {
      name: 'takes over a claim that has not ended',
      isRare: true,
      file: 'shared/table/accounts/idempotency-store.ts',
      find: 'endpoint = :endpoint AND claimEndsMs < :now AND openedMs',
      replace: 'endpoint = :endpoint AND (claimEndsMs < :now OR claimEndsMs > :now) AND openedMs',
    },
    {
      name: 'repeats an answer without its header',
      file: 'shared/http/endpoint.ts',
      find: "'Idempotent-Replay': 'true'",
      replace: "'Idempotent-Replay': 'false'",
    },
    {
      name: 'gives each repetition an id of its own',
      file: 'shared/table/accounts/idempotency-store.ts',
      find: 'newId = if_not_exists(newId, :newId), openedMs',
      replace: 'newId = :newId, openedMs',
    },
  ],
};
