import { clientIn } from '../client.ts';
import type { Crowd } from './crowd.ts';

const againMs = 2_000;

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
    const answers = new Map<string, Set<string>>(orders.map((order) => [order, new Set()]));
    const send = (order: string) => async (): Promise<void> => {
      for (;;) {
        const { status, body } = await client.ask({
          does: 'messages/send-message',
          routeKey: 'POST /api/v1/messages',
          headers: { 'x-api-key': key },
          account: account.id,
          idempotencyKey: order,
          body: { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: order },
        });
        const isOpen = status >= 500 || body.error?.code === 'idempotency_conflict';
        if (!isOpen) answers.get(order)?.add(`${status} ${body.data?.id ?? body.error?.code}`);
        if (!isOpen) return;
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
      const accepted = [...answers.values()].flatMap((own) => [...own]).filter((answer) => answer.startsWith('201'));
      return [
        ...[...answers].flatMap(([order, own]) => (own.size > 1 ? [`${order} has ${[...own].join()}`] : [])),
        ...accepted.flatMap((answer) =>
          rows.some(({ SK }) => answer.endsWith(String(SK))) ? [] : [`${answer} is gone`],
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
      name: 'gives each repetition an id of its own',
      file: 'shared/table/accounts/idempotency-store.ts',
      find: 'newId = if_not_exists(newId, :newId), openedMs',
      replace: 'newId = :newId, openedMs',
    },
  ],
};
