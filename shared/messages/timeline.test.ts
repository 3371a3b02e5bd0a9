import fc from 'fast-check';
import { expect, it } from 'vitest';
import { modelRuns } from '../../test/model-runs.ts';
import { newId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { channels, type Message, statuses, textChannels } from './message.ts';
import { moveBy, moves, permits, type Trigger } from './moves.ts';
import { newEmail, newText } from './new-message.ts';
import { stepOf, timelineOf } from './timeline.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

const accepted = (channel: (typeof channels)[number]): Message => {
  const text = textChannels.find((each) => each === channel);
  const id = newId(startMs);
  return text
    ? newText({ channel: text, to: '+8801700000000' }, id, 'Hello', 'masked')
    : newEmail({ channel: 'email', to: 'ada@example.com' }, id);
};

/** A message with its steps after these triggers, one a second, of which those that its status does not permit change nothing. */
const after = (channel: (typeof channels)[number], triggers: readonly Trigger[]) =>
  triggers.reduce(
    ({ message, steps }, trigger, n) => {
      if (!permits(trigger, message)) return { message, steps };
      const { to, stamps = [] } = moveBy(trigger);
      const nowMs = startMs + n * 1_000;
      const times = Object.fromEntries(stamps.map((stamp) => [stamp, message[stamp] ?? iso(nowMs)]));
      return { message: { ...message, ...times, status: to }, steps: [...steps, stepOf(trigger, nowMs, startMs)] };
    },
    { message: accepted(channel), steps: [] as string[] },
  );

const walk = fc.tuple(
  fc.constantFrom(...channels),
  fc.array(fc.constantFrom(...(Object.keys(moves) as Trigger[]).filter((trigger) => !moveBy(trigger).isBack)), {
    maxLength: 30,
  }),
);

it('a timeline is in order, has every status that the message came to once, ends with its own, and stays small', () => {
  fc.assert(
    fc.property(walk, ([channel, triggers]) => {
      const { message, steps } = after(channel, triggers);
      const entries = timelineOf({ message, steps, reference: undefined }, []);
      expect(entries.map(({ at }) => at)).toEqual(entries.map(({ at }) => at).toSorted());
      expect(entries[0]).toEqual({ at: message.createdAt, type: 'accepted', detail: {} });
      const reached = entries.map(({ type }) => type).filter((type) => statuses.some((status) => status === type));
      expect(new Set(reached).size).toBe(reached.length);
      expect(steps.length === 0 ? message.status : reached.at(-1)).toBe(message.status);
      expect(reached.includes('sent')).toBe(message.sentAt !== null || steps.some((step) => step.startsWith('u')));
      expect(reached.includes('delivered')).toBe(message.deliveredAt !== null);
      expect(JSON.stringify(steps).length).toBeLessThan(100);
    }),
    { numRuns: modelRuns(100) },
  );
});
