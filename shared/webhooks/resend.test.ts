import { expect, it } from 'vitest';
import type { DeliveryProgress, DeliveryState } from './delivery.ts';
import { mostResent, resending } from './resend.ts';

const failed = (n: number): DeliveryProgress => ({
  id: `d${String(n).padStart(5, '0')}`,
  event: 'message.sent',
  eventId: `e${n}`,
  state: 'failed',
  attemptsMade: 5,
  earlierAttempts: 0,
  isResent: false,
});

it.each<DeliveryState>(['pending', 'failed'])(
  'resends each of many deliveries once, part by part, when those of a part are %s by the next',
  async (state) => {
    const rows = new Map(Array.from({ length: 2 * mostResent + 500 }, (_, n) => failed(n)).map((row) => [row.id, row]));
    const { resendEnded } = resending({
      deliveries: {
        findProgress: async (_, id) => rows.get(id),
        listProgress: async () => [...rows.values()],
        saveNewRound: async (_, row) => {
          rows.set(row.id, { ...row, state, isResent: true, earlierAttempts: row.attemptsMade });
          return true;
        },
      },
    });
    const subscription = { id: 'w', pauses: 0, isActive: true };
    const resent: string[] = [];
    let afterDelivery: string | undefined;
    do {
      const part = await resendEnded('a', subscription, { sinceMs: 0, states: ['failed'], afterDelivery }, 0);
      resent.push(...part.jobs.map(({ delivery }) => delivery));
      afterDelivery = part.last;
    } while (afterDelivery !== undefined && resent.length < 10 * rows.size);
    expect(resent).toEqual([...rows.keys()]);
  },
);
