import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import { dueTimesOf } from './message-invariants.ts';

type MessageFact = AccountFacts['messages'][number];

/** A provider is reached later than it is called, a little; a queue counts in seconds. */
const onTheWayMs = 5_000;

/** A message has the time of the first request with its key, which may have died before it accepted anything. */
const acceptedIn = ({ world }: Judged, { message }: MessageFact): readonly number[] =>
  world.changes.filter(({ before, after }) => !before && after?.['SK'] === message.id).map(({ atMs }) => atMs);

/** For each text that may expire, what it breaks. */
const ofExpiring =
  (what: (fact: MessageFact, endsMs: readonly number[], judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts
      .flatMap(({ messages }) => messages)
      .flatMap((fact) => {
        const asked = judged.messaging.asked.find(({ id }) => id === fact.request);
        const { expiresInSeconds } = asked ?? {};
        if (asked === undefined || expiresInSeconds === undefined) return [];
        const dueTimes = asked.dueMs === undefined ? acceptedIn(judged, fact) : dueTimesOf(asked);
        const endsMs = dueTimes.map((dueMs) => dueMs + 1_000 * expiresInSeconds);
        const broken = what(fact, endsMs, judged);
        return broken === false ? [] : [`${fact.request} (${fact.message.id}, ${fact.message.status}): ${broken}`];
      });

const isExpired = ({ message }: MessageFact): boolean => message.failureCode === 'expired';

export const expiryInvariants: readonly Invariant[] = [
  {
    name: 'no provider is given a text that has expired',
    violations: ofExpiring(({ message }, endsMs, { messaging }) => {
      const lateMs = messaging.texts
        .filter((text) => text.message === message.id)
        .map(({ atMs }) => atMs - Math.max(...endsMs));
      return lateMs.some((ms) => ms > onTheWayMs) && `${lateMs.join()} ms after it expired`;
    }),
  },
  {
    name: 'a text ends as expired after its time only',
    violations: ofExpiring((fact, endsMs) => {
      const endedMs = Date.parse(fact.message.failedAt ?? '');
      return isExpired(fact) && !(endedMs >= Math.min(...endsMs) - 1_000) && `it ended at ${fact.message.failedAt}`;
    }),
  },
];
