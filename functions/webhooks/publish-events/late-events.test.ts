import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messageEventJob } from '../../../shared/messages/jobs.ts';
import { moves, type Trigger } from '../../../shared/messages/moves.ts';
import { itemKeys } from '../../../shared/table/keys.ts';
import { eventRules } from '../../../shared/webhooks/events.ts';
import type { WebhookEvent } from '../../../shared/webhooks/publish.ts';
import type { Change } from '../../../shared/work/stream-reader.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { jobsFor } from '../../../test/outbox-calls.ts';
import { type WebhookCalls, webhookCalls } from '../../../test/webhook-calls.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { publishEvents } from './handler.ts';

let world: World;
let calls: WebhookCalls;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  calls = webhookCalls(world);
  account = await world.newAccount({ credits: { email: 100_000 } });
});
afterAll(() => world.close());

/** The events that follow from a change, built from what the table has now, in the order of their ids. */
const eventsOf = async (change: Change): Promise<readonly WebhookEvent[]> => {
  const built: WebhookEvent[] = [];
  const listener = { account: account.ref, id: 'listener', isActive: true, events: Object.keys(eventRules), pauses: 0 };
  const publish = publishEvents({
    accounts: world.accounts,
    messages: world.messages,
    webhooks: { listeners: async () => [listener] },
    events: {
      storeNumbered: async (_, events) => {
        built.push(...events.map(({ wantedBy: __, ...event }) => event));
        return new Map();
      },
    },
    webhookDeliveriesQueue: { send: async () => {} },
  });
  const jobs = await jobsFor('message-events', messageEventJob, [change]);
  if (jobs.length > 0) await publish(jobs, (_, run) => run());
  return built.sort((one, other) => (one.id < other.id ? -1 : 1));
};

const triggers = fc.array(fc.constantFrom(...(Object.keys(moves) as Trigger[])), { minLength: 1, maxLength: 8 });

it('an event that is built after any further moves of its message is, to the letter, the one that is built at once', () =>
  fc.assert(
    fc.asyncProperty(triggers, async (sequence) => {
      let before = await calls.acceptedItem(account);
      const id = String(before['SK']);
      const changes: { readonly change: Change; readonly atOnce: readonly WebhookEvent[] }[] = [];
      for (const [n, trigger] of sequence.entries()) {
        const atMs = Date.now();
        const message = await world.messages.find(account.ref, id, 'email');
        if (message) await world.messages.move(account.ref, message, trigger, atMs);
        const after = (await world.table.get(itemKeys.message(account.ref.id, 'email', 0, id))) ?? {};
        const change = { before, after, sequence: `${n}`, atMs };
        changes.push({ change, atOnce: await eventsOf(change) });
        before = after;
      }
      for (const { change, atOnce } of changes) expect(await eventsOf(change)).toEqual(atOnce);
    }),
    { numRuns: modelRuns(15), seed: 12 },
  ));
