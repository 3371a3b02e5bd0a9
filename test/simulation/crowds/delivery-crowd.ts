import { isWhole } from '../webhook-invariants.ts';
import type { Crowd } from './crowd.ts';

const most = 1_000;
const name = 'message.sent';
const items = 'shared/table/webhooks/lease-items.ts';

/** Many deliveries to one subscription at once, under several leases side by side, some of which die in the middle. */
export const deliveryCrowd: Crowd = {
  name: 'each of many deliveries at once ends, and is counted once',
  folders: ['webhooks/attempt-delivery'],
  gather: async ({ world, inside, random, account }) => {
    const { stores } = inside;
    const nowMs = world.timeline.nowMs();
    const webhook = inside.newId(nowMs);
    const target = { name: 'orders', url: 'https://shop.example.com/hook', events: [name], isActive: true };
    await stores
      .webhooks()
      .create(account, webhook, inside.webhookFields.parse(target), { secret: random.uuid(), most });
    const failing = random.pick([0, 0.05, 0.3]);
    world.connect({
      mail: () => '',
      http: (_, chance) => ({ statusCode: chance.isChance(failing) ? 500 : 200, body: '' }),
    });

    const size = 1 + random.below(random.pick([3, 8, 30]));
    const events = Array.from({ length: 2 + random.below(random.pick([8, 60])) }, (_, n) => ({
      id: `evt_${random.uuid()}`,
      name,
      occurredMs: nowMs + n,
      payload: `${n}`,
    }));
    const parts = Array.from({ length: Math.ceil(events.length / size) }, (_, n) =>
      events.slice(n * size, (n + 1) * size),
    );
    const { audienceOf, publish } = inside.eventPublisher({
      accounts: stores.accounts(),
      webhooks: stores.webhooks(),
      events: stores.events(),
      webhookDeliveriesQueue: inside.webhookDeliveriesQueue(),
    });
    const members = parts.map((part) => ({
      does: 'publish',
      work: async () => publish(await audienceOf(account.id), part),
    }));

    const violations = async (): Promise<readonly string[]> => {
      const found = await stores.allWebhooks().find(account, webhook);
      if (!found) return ['the subscription is gone'];
      const page = { cursor: undefined, limit: most };
      const deliveries = await stores.deliveries().list(account, found, page, world.timeline.nowMs());
      const [sent, failed] = ['succeeded', 'failed'].map(
        (state) => deliveries.filter((one) => one.state === state).length,
      );
      const numbers = deliveries.map(({ sequence }) => sequence);
      return [
        ...(found.totalSent === sent && found.totalFailed === failed
          ? []
          : [`${found.totalSent} and ${found.totalFailed} by totals, ${sent} and ${failed} by deliveries`]),
        ...(numbers.length === events.length && isWhole(numbers) ? [] : [`deliveries of ${numbers.join()}`]),
        ...deliveries.filter(({ state }) => state === 'pending').map(({ id }) => `${id} never ends`),
        ...world.queues.parked.map(({ body }) => `parked: ${body}`),
      ];
    };
    return { members, violations };
  },
  mistakes: [
    {
      name: 'counts a lease that was evicted',
      file: items,
      find: `ConditionExpression: \`#\${own} = :lease\`,`,
      replace: `ConditionExpression: \`#\${own} = :lease OR :lease = :lease\`,`,
    },
    {
      name: 'forgets a lease that it evicts',
      isRare: true,
      file: items,
      find: '...(dead === undefined ? { forgotten } : { evicted: [dead] }),',
      replace: 'forgotten,',
    },
    {
      name: 'counts a delivery of an evicted lease again, when its job comes twice',
      isRare: true,
      file: 'shared/table/webhooks/attempt-store.ts',
      find: "ConditionExpression: '#line = :line',",
      replace: "ConditionExpression: 'attribute_exists(PK) OR #line = :line',",
    },
    {
      name: 'counts an uncounted lease that another one has counted',
      file: items,
      find: `...asRead.map((one) => \`#\${attributeOf(one)} = :was\${one}\`),`,
      replace: `...asRead.map((one) => \`(#\${attributeOf(one)} = :was\${one} OR attribute_exists(PK))\`),`,
    },
  ],
};
