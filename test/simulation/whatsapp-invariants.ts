import { standing } from '../../shared/compliance/consent.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';
import { dueTimesOf } from './message-invariants.ts';
import type { Phone, Whatsapp, WhatsappSend, Written } from './whatsapp.ts';

type MessageFact = AccountFacts['messages'][number]['message'];

const windowMs = 86_400_000;
/** A sweep finds what is due within the minute that it begins in. */
const lookAheadMs = 90_000;
/** How far an index may be behind, and how long a message that has been taken may not be marked yet. */
const settledMs = 60_000;
const secondMs = 1_000;
const never = Number.POSITIVE_INFINITY;

const isOver = ({ end }: Pick<Written, 'end'>, atMs: number): boolean => end?.isDone === true && end.atMs < atMs;
const isOf = (phone: Phone) => (one: { readonly phone: Phone }) => one.phone === phone;

/** What a phone wrote, and asked for. */
const saidBy = ({ written }: Whatsapp, phone: Phone) => {
  const own = written.filter(isOf(phone));
  return { own, stops: own.filter(({ keyword }) => keyword === 'stop') };
};

/** What is known of a message that was asked for. */
interface Sent {
  readonly send: WhatsappSend;
  readonly whatsapp: Whatsapp;
  readonly message: MessageFact | undefined;
  readonly takenMs: readonly number[];
  /** When it was judged the last time: between these. */
  readonly judged: { readonly fromMs: number; readonly toMs: number };
}

const sentOf = ({ facts, messaging }: Judged, whatsapp: Whatsapp, send: WhatsappSend): Sent => {
  const { asked, endMs = never } = send;
  const message = facts.flatMap(({ messages }) => messages).find(({ request }) => request === asked.id)?.message;
  const takenMs = messaging.texts.flatMap((text) => (text.message === message?.id ? [text.atMs] : []));
  const judged =
    asked.dueMs === undefined
      ? { fromMs: asked.atMs, toMs: endMs }
      : { fromMs: Math.min(...dueTimesOf(asked)) - lookAheadMs, toMs: Math.min(...takenMs) };
  return { send, whatsapp, message, takenMs, judged };
};

const ofSends =
  (what: (sent: Sent, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] => {
    const { whatsapp } = judged;
    if (!whatsapp) return [];
    return whatsapp.sends.flatMap((send) => {
      const broken = what(sentOf(judged, whatsapp, send), judged);
      return broken === false ? [] : [`${send.asked.id} to ${send.phone.number}: ${broken}`];
    });
  };

const ofPhones =
  (what: (phone: Phone, facts: AccountFacts, whatsapp: Whatsapp) => readonly string[]) =>
  ({ whatsapp, facts }: Judged): readonly string[] =>
    (whatsapp?.phones ?? []).flatMap((phone) => {
      const own = facts.find(({ account }) => account === phone.account);
      const broken = own && whatsapp ? what(phone, own, whatsapp) : [];
      return broken.map((each) => `${phone.number} of ${phone.account.ref.id}: ${each}`);
    });

/** Whether the window may have been open when a message was judged. */
const mayBeOpen = ({ send, whatsapp, judged }: Sent): boolean => {
  const { own, stops } = saidBy(whatsapp, send.phone);
  const closed = stops.filter((one) => isOver(one, judged.fromMs)).map(({ saidMs }) => saidMs);
  return own.some(
    ({ keyword, saidMs, fromMs }) =>
      keyword !== 'stop' &&
      fromMs <= judged.toMs &&
      saidMs + windowMs > judged.fromMs &&
      closed.every((stopMs) => stopMs < saidMs),
  );
};

/** Whether it was open all the time that a message may have been judged in, and nothing else spoke against it. */
const isSurelyOpen = ({ send: { phone, asked, template }, whatsapp, judged }: Sent): boolean => {
  const { own, stops } = saidBy(whatsapp, phone);
  const isFree = phone.account.mostTexts === undefined && phone.account.quiet === undefined && template === undefined;
  const isOpened = own.some((one) => isOver(one, judged.fromMs) && one.saidMs + windowMs > judged.toMs);
  return isFree && asked.dueMs === undefined && isOpened && stops.every(({ fromMs }) => fromMs > judged.toMs);
};

/** When somebody may have begun to lift a STOP, by when it was written; never, if nobody was. */
const liftedMs = ({ agreements, written }: Whatsapp, { phone, saidMs }: Written): number => {
  const starts = written.filter((one) => isOf(phone)(one) && one.keyword === 'start' && one.saidMs > saidMs);
  const agreed = agreements.filter((one) => isOf(phone)(one) && (one.end?.atMs ?? never) >= saidMs);
  return Math.min(...[...starts, ...agreed].map((one) => one.fromMs), never);
};

/** What becomes of a message by what Meta reports of it. */
const expectedAfter = (statuses: readonly string[]): string => {
  if (statuses.some((one) => one.startsWith('failed')))
    return statuses.includes('failed 131049') ? 'rejected' : 'failed';
  return statuses.at(-1) ?? 'sent';
};

export const whatsappInvariants: readonly Invariant[] = [
  {
    name: 'a whatsapp message is sent only if its recipient has written within 24 hours',
    violations: ofSends((sent) => sent.takenMs.length > 0 && !mayBeOpen(sent) && 'its window was closed'),
  },
  {
    name: 'a whatsapp message is accepted while its window is open',
    violations: ofSends((sent) => {
      const refused = sent.send.asked.answers.filter(({ status }) => status === 422);
      const [reason] = refused.map(({ body }) => body.error.message);
      return refused.length > 0 && isSurelyOpen(sent) && `it was refused: ${reason}`;
    }),
  },
  {
    name: 'no whatsapp message goes to a phone after its STOP, until it may again',
    violations: ofSends(({ send, whatsapp, takenMs, judged }) => {
      const { stops } = saidBy(whatsapp, send.phone);
      const over = stops.filter((stop) => isOver(stop, judged.fromMs));
      return over.some((stop) => takenMs.some((ms) => ms < liftedMs(whatsapp, stop))) && 'it was sent';
    }),
  },
  {
    name: 'Meta is given a message once at most',
    violations: ofSends(({ takenMs }) => takenMs.length > 1 && `${takenMs.length} times`),
  },
  {
    name: 'a whatsapp message is what Meta reports of it, in any order',
    violations: ofSends(({ message, whatsapp, send }) => {
      const course = whatsapp.meta.taken.find((one) => one.message === message?.id);
      if (!course || !message) return false;
      const expected = expectedAfter(course.statuses);
      const isLeft = message.status === 'unsubscribed' && saidBy(whatsapp, send.phone).stops.length > 0;
      if (course.statuses.length > 0 && message.sentAt === null) return 'it was not sent';
      return message.status !== expected && !isLeft && `it is ${message.status}, and should be ${expected}`;
    }),
  },
  {
    name: 'what a phone asked for by whatsapp is recorded once, and its last word is the status of its contact',
    violations: ofPhones((phone, { agreements, contacts }, whatsapp) => {
      if (phone.contact === undefined) return [];
      const { own } = saidBy(whatsapp, phone);
      const asking = own.filter(({ keyword }) => keyword === 'stop' || keyword === 'start');
      const entries = agreements.find((one) => one.phone === phone)?.entries ?? [];
      const said = entries.filter(({ by }) => by === 'recipient');
      const ids = said.map(({ id }) => id);
      const status = contacts.kept.find(({ id }) => id === phone.contact)?.status;
      const expected = standing(said)?.status === 'withdrawn' ? 'unsubscribed' : 'active';
      const [known, unnamed] = [
        asking.filter(({ id }) => id !== undefined),
        asking.filter(({ id }) => id === undefined),
      ];
      const named = new Set(known.map(({ id }) => `whatsapp/wamid.${id}`));
      const sure = known.filter(({ end }) => end?.isDone).map(({ id }) => `whatsapp/wamid.${id}`);
      const others = ids.filter((id) => !named.has(id));
      return [
        ...(new Set(ids).size === ids.length ? [] : [`${ids.join()} are recorded`]),
        ...sure.filter((id) => !ids.includes(id)).map((id) => `${id} is not recorded`),
        ...(others.length > unnamed.length ? [`${others.join()} are recorded too`] : []),
        ...(status === expected ? [] : [`the contact is ${status}, and should be ${expected}`]),
      ];
    }),
  },
  {
    name: 'a STOP by whatsapp moves the last message before it, and no other',
    violations: ofPhones((phone, { messages }, whatsapp) => {
      const { stops } = saidBy(whatsapp, phone);
      const own = messages
        .map(({ message }) => message)
        .filter(({ channel, to }) => channel === 'whatsapp' && to === phone.number);
      const moved = own.filter(({ status }) => status === 'unsubscribed');
      const early = moved.filter(
        ({ createdAt }) => !stops.some(({ saidMs }) => saidMs + secondMs >= Date.parse(createdAt)),
      );
      const missed = stops.filter(({ end, saidMs }) => {
        const left = own.filter(
          ({ sentAt, status }) =>
            sentAt !== null &&
            Date.parse(sentAt) < saidMs - settledMs &&
            ['sent', 'delivered', 'read', 'unsubscribed'].includes(status),
        );
        return end?.isDone && left.length > 0 && moved.length === 0;
      });
      return [
        ...(moved.length > stops.length ? [`${moved.length} messages of ${stops.length} STOP are unsubscribed`] : []),
        ...early.map(({ id }) => `${id} came after every STOP`),
        ...missed.map(({ saidMs }) => `the STOP at ${new Date(saidMs).toISOString()} moved none`),
      ];
    }),
  },
  {
    name: 'what Meta calls with is heard, and what others call with is not',
    violations: ({ whatsapp }) => [
      ...(whatsapp?.meta.callbacks ?? []).flatMap(({ isForged, status }) =>
        status === (isForged ? 401 : 200) ? [] : [`${isForged ? 'forged ' : ''}news: ${status}`],
      ),
      ...(whatsapp?.confirmations ?? []).flatMap(({ isOwn, status, text }) => {
        const isRight = isOwn ? status === 200 && text === 'its challenge' : status === 403;
        return isRight || status >= 500 ? [] : [`${isOwn ? 'own' : 'other'} token: ${status} ${text}`];
      }),
    ],
  },
];
