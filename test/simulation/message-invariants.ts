import { type CreditCounter, creditCounters } from '../../shared/accounts/credits.ts';
import { countName } from '../../shared/analytics/counts.ts';
import { channels, type Status, statuses } from '../../shared/messages/message.ts';
import { moves } from '../../shared/messages/moves.ts';
import { timelineOf } from '../../shared/messages/timeline.ts';
import type { Adjustment } from './clerks.ts';
import type { Answer } from './client.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Asked, Change } from './messaging.ts';
import type { Fields } from './table/value.ts';

type MessageFact = AccountFacts['messages'][number];

const openStatuses: readonly Status[] = ['queued', 'sending'];
/** A message that is due may wait for a table or a provider that fails for ten minutes, and for the jobs that failed then. */
const mostLateMs = 45 * 60_000;
/** Where nothing fails, only its jobs may come late, two minutes each: a text has two, one after the other. */
const mostLateInPeaceMs = 250_000;

const messagesIn = ({ facts }: Judged): readonly MessageFact[] => facts.flatMap(({ messages }) => messages);

/** For each message, what it breaks. */
const ofMessages =
  (what: (fact: MessageFact, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    messagesIn(judged).flatMap((fact) => {
      const broken = what(fact, judged);
      const { channel, status, id } = fact.message;
      return broken === false ? [] : [`${fact.request} (${channel} ${id}, ${status}): ${broken}`];
    });

const mailsOf = ({ message }: MessageFact, { messaging }: Judged) =>
  messaging.mails.filter((mail) => mail.message === message.id);
const textsOf = ({ message }: MessageFact, { messaging }: Judged) =>
  messaging.texts.filter((text) => text.message === message.id);

/** The statuses of a message's row, one after the other. */
const statusesOf = (
  { message }: MessageFact,
  { world }: Judged,
): readonly (readonly [before: unknown, after: unknown])[] =>
  world.changes.flatMap(({ before, after }) =>
    after?.['entity'] === 'message' && after['SK'] === message.id && before?.['status'] !== after['status']
      ? [[before?.['status'], after['status']] as const]
      : [],
  );

/** The last answer of a client that gave up waiting for an earlier try, or whose key was revoked after it, says nothing of the effect. */
const isRefusal = ({ status, body }: Answer): boolean =>
  status >= 400 && status < 500 && status !== 401 && body.error.code !== 'idempotency_conflict';

const isLegal = (channel: string, before: unknown, after: unknown): boolean =>
  before === undefined
    ? openStatuses.some((status) => status === after)
    : Object.values(moves).some(
        ({ on, from, to }) =>
          on.some((each) => each === channel) && from.some((each) => each === before) && to === after,
      );

const isCredits = (item: Fields | undefined): item is Fields => item?.['SK'] === 'CREDITS';

/** What a timeline shows without a move: steps that were skipped, and further tries of a worker. */
const impliedTypes = ['sending', 'sent', 'delivered'];

/** Removes one of a list; false if it is not there. */
const takeFrom = (list: string[], one: string): boolean => {
  const place = list.indexOf(one);
  if (place >= 0) list.splice(place, 1);
  return place >= 0;
};

/** The sums that adjustments may have added to a counter: one whose answer says nothing was made or not. */
const givenBy = (adjustments: readonly Adjustment[], counter: CreditCounter): readonly number[] =>
  adjustments.reduce<readonly number[]>(
    (sums, { change, answers: [answer] }) => {
      const after = sums.map((sum) => sum + ({ smsNonMasked: 0, ...change }[counter] ?? 0));
      if (answer?.status === 200) return after;
      return answer && isRefusal(answer) ? sums : sums.concat(after);
    },
    [0],
  );

/** What operators added to a counter when they set it. */
const setIn = (ledger: AccountFacts['ledger'], counter: CreditCounter): number =>
  ledger.reduce((sum, entry) => sum + (entry.kind === 'set' ? entry[counter] : 0), 0);

/** Whether a change has been made: unknown where its answer does not say. */
export const isMade = ({ status = 503 }: Change): boolean | undefined => (status >= 500 ? undefined : status < 300);

const isCancellation = (change: Change | undefined): change is Change =>
  change !== undefined && change.toMs === undefined;

/** For when a message may have been asked, as far as its client knows. */
export const askedTimesOf = ({ dueMs, change }: Asked): readonly number[] => {
  const toMs = change && isMade(change) !== false ? change.toMs : undefined;
  const isMoved = change !== undefined && isMade(change) === true && toMs !== undefined;
  return [...(isMoved ? [] : [dueMs]), toMs].filter((each) => each !== undefined);
};

/** When a message may have been due: quiet hours move a text to their end, also one whose job comes late. */
export const dueTimesOf = (asked: Asked): readonly number[] => {
  const [times, quiet] = [askedTimesOf(asked), asked.to.startsWith('+') ? asked.account.quiet : undefined];
  return quiet && times.some((ms) => ms < quiet.toMs) ? [...times, quiet.toMs] : times;
};

export const messageInvariants: readonly Invariant[] = [
  {
    name: 'every 201 has a row',
    violations: (judged) => {
      const ids = new Set(messagesIn(judged).map(({ message }) => message.id));
      return judged.messaging.asked.flatMap(({ id, answers, change }) =>
        isCancellation(change) && isMade(change) !== false
          ? []
          : answers
              .filter(({ status, body }) => status === 201 && !ids.has(body.data.id))
              .map(({ body }) => `${id}: no row of ${body.data.id}`),
      );
    },
  },
  {
    name: 'what was cancelled is gone, and is not sent',
    violations: ({ facts, receipts, messaging: { asked, mails, texts } }) =>
      [...asked, ...(receipts?.cancellations ?? []).map((change) => ({ id: change.to, change }))].flatMap((one) => {
        const { id, change } = one;
        if (!isCancellation(change) || isMade(change) !== true) return [];
        const isThere = facts.some(({ messages }) => messages.some(({ message }) => message.id === change.message));
        const isSent = [...mails, ...texts].some(({ message }) => message === change.message);
        return isThere || isSent ? [`${id} ${isSent ? 'was sent' : 'is there'}`] : [];
      }),
  },
  {
    name: 'nothing lies beside a message that does not refer to it',
    violations: ({ world }) => {
      const items = world.table.all();
      const inUse = new Set(items.map(({ body }) => body));
      return items.flatMap(({ entity, PK, SK }) => (entity === 'message-body' && !inUse.has(SK) ? [`${PK}`] : []));
    },
  },
  {
    name: 'one effect per request, and per idempotency key',
    violations: (judged) =>
      judged.messaging.asked.flatMap(({ id, answers }) => {
        const rows = messagesIn(judged).filter(({ request }) => request === id);
        const accepted = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
        const isRefused = answers.length > 0 && answers.every(isRefusal);
        if (rows.length > 1 || accepted.size > 1) return [`${id}: ${rows.length} rows, ${accepted.size} accepted`];
        return isRefused && rows.length > 0
          ? [`${id}: a row, and refused with ${answers.map(({ body }) => body.error.code).join()}`]
          : [];
      }),
  },
  {
    name: 'a client is answered',
    violations: ({ messaging: { asked } }) =>
      asked.flatMap(({ id, answers, copies }) =>
        answers.length === copies ? [] : [`${id}: ${answers.length} of ${copies} answers`],
      ),
  },
  {
    name: 'every message reaches a final status',
    violations: ofMessages(({ message }) => openStatuses.includes(message.status) && 'it is not over'),
  },
  {
    name: 'statuses move along the table only',
    violations: ofMessages((fact, judged) => {
      const illegal = statusesOf(fact, judged).filter(
        ([before, after]) => !isLegal(fact.message.channel, before, after),
      );
      return illegal.length > 0 && illegal.map(([before, after]) => `${before} to ${after}`).join();
    }),
  },
  {
    name: 'every move is in the timeline',
    violations: ofMessages((fact, judged) => {
      const { message } = fact;
      const { steps, reference } = message;
      const shown = timelineOf({ message, steps, reference }, []).filter(({ type }) =>
        statuses.some((status) => status === type),
      );
      const left = shown.map(({ type }) => String(type));
      // An email may wait for its provider many times; one that is sent at once is `sending` from the start.
      const isQueued = left.includes('queued');
      const isToldOnce = (status: string): boolean =>
        message.channel === 'email' && (status === 'sending' || (status === 'queued' && isQueued));
      const hidden = statusesOf(fact, judged)
        .map(([, after]) => String(after))
        .filter((status) => !takeFrom(left, status) && !isToldOnce(status));
      const more = left.filter((type) => !impliedTypes.includes(type));
      return hidden.length + more.length > 0 && `does not show ${hidden.join()}, shows ${more.join()} too`;
    }),
  },
  {
    name: 'an email is sent once at most, and was sent if it says so',
    violations: ofMessages((fact, judged) => {
      if (fact.message.channel !== 'email') return false;
      const count = mailsOf(fact, judged).length;
      if (count > 1) return `${count} mails`;
      return fact.message.sentAt !== null && count === 0 && 'no mail';
    }),
  },
  {
    name: 'no mail is of an unknown message',
    violations: (judged) => {
      const ids = new Set(messagesIn(judged).map(({ message }) => message.id));
      return judged.messaging.mails.flatMap(({ message }) => (ids.has(message) ? [] : [`a mail of ${message}`]));
    },
  },
  {
    name: 'a text is sent once where nothing fails',
    violations: ofMessages((fact, judged) => {
      const count = textsOf(fact, judged).length;
      return judged.world.machine.faultsMet.length === 0 && count > 1 && `${count} texts`;
    }),
  },
  {
    name: 'a text was taken by its provider if it says so',
    violations: ofMessages(
      (fact, judged) =>
        fact.message.channel !== 'email' &&
        fact.message.sentAt !== null &&
        textsOf(fact, judged).length === 0 &&
        'no text',
    ),
  },
  {
    name: 'a message that was given back was not taken by its provider',
    violations: ofMessages((fact, judged) => {
      const taken = textsOf(fact, judged).length + mailsOf(fact, judged).length;
      const { channel, failureCode, price } = fact.message;
      // A whatsapp message has no price.
      const isGivenBack = price.credits === 0 && channel !== 'whatsapp' && failureCode !== 'send_interrupted';
      return isGivenBack && taken > 0 && 'its credits were returned';
    }),
  },
  {
    name: 'a message that ended unsent is given back',
    violations: ofMessages((fact, judged) => {
      const taken = textsOf(fact, judged).length + mailsOf(fact, judged).length;
      return (
        fact.message.status === 'failed' && taken === 0 && fact.message.price.credits !== 0 && 'its credits were kept'
      );
    }),
  },
  {
    name: 'a scheduled message is sent at its time',
    violations: ofMessages((fact, judged) => {
      const asked = judged.messaging.asked.find(({ id }) => id === fact.request);
      const [first] = [...mailsOf(fact, judged), ...textsOf(fact, judged)];
      if (asked?.dueMs === undefined || !first) return false;
      if (judged.world.queues.losesJobs && fact.message.channel === 'sms') return false;
      const lateMs = dueTimesOf(asked).map((dueMs) => first.atMs - dueMs);
      // The queue counts in seconds.
      const isHindered = judged.world.machine.faultsMet.length > 0;
      const isInTime = lateMs.some((ms) => ms >= -1_000 && ms <= (isHindered ? mostLateMs : mostLateInPeaceMs));
      return !isInTime && `${lateMs.join(' or ')} ms after its time`;
    }),
  },
  {
    name: 'credits are never below zero',
    violations: ({ world }) =>
      world.changes.flatMap(({ after, sequence }) =>
        isCredits(after) && creditCounters.some((counter) => Number(after[counter] ?? 0) < 0)
          ? [`change ${sequence} left ${after['PK']} below zero`]
          : [],
      ),
  },
  {
    name: 'credits are what was granted less what messages cost, and equal the ledger',
    violations: ({ facts, clerks, founders }) =>
      facts.flatMap(({ account, credits, messages, ledger }) =>
        creditCounters.flatMap((counter) => {
          const cost = messages
            .filter(({ message: { price } }) => price.counter === counter)
            .reduce((sum, { message: { price } }) => sum + price.credits, 0);
          const [left, sum] = [credits?.[counter], ledger.reduce((all, entry) => all + entry[counter], 0)];
          const all = [...(clerks?.adjustments ?? []), ...(founders?.adjustments ?? [])];
          const own = all.filter((one) => one.account === account);
          const granted = account.granted?.[counter] ?? setIn(ledger, counter);
          const expected = givenBy(own, counter).map((given) => granted + given - cost);
          return expected.some((each) => left === each) && left === sum
            ? []
            : [`${counter}: ${left} left, ${expected.join(' or ')} by rows, ${sum} in the ledger`];
        }),
      ),
  },
  {
    name: 'analytics equal a recount',
    violations: ({ facts }) =>
      facts.flatMap(({ messages, traffic, counts }) =>
        channels.flatMap((channel) =>
          statuses.flatMap((status) => {
            const all = [...messages.map(({ message }) => message), ...traffic];
            const recount = all.filter((message) => message.channel === channel && message.status === status).length;
            const counted = counts.get(countName(channel, status)) ?? 0;
            return counted === recount ? [] : [`${channel} ${status}: ${counted} counted, ${recount} there`];
          }),
        ),
      ),
  },
];
