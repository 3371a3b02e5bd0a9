import type { Approvals, Edition, Lesson } from './approvals.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { WhatsappSend } from './whatsapp.ts';

interface Time {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What an account may know of a template, when it learned that, and when it last compared it with Meta's. */
type Known =
  | 'nothing'
  | { readonly status: string; readonly text: string; readonly learned: Time; readonly synced: Time };

/** A call of a run that was killed may still be carried out. */
const afterlifeMs = 5_000;
const never = Number.POSITIVE_INFINITY;
/** Meta's list may be so far behind its decisions. */
const listLagMs = 60_000;

const endOf = ({ end }: Lesson): number => (end ? end.atMs + (end.isDone ? 0 : afterlifeMs) : never);

/** The editions of a template that were there in some time. */
const editionsIn = (own: readonly Edition[], { fromMs, toMs }: Time): readonly (Edition | undefined)[] =>
  [undefined, ...own].filter((edition, n) => (edition?.fromMs ?? 0) <= toMs && (own[n]?.fromMs ?? never) >= fromMs);

const unique = (all: readonly Known[]): readonly Known[] => [
  ...new Map(all.map((known) => [JSON.stringify(known), known])).values(),
];

/**
 * What an account may know after Meta's decision: it changes nothing where it is older than what is known or than the last sync, or repeats what is
 * known. Meta says when in whole seconds.
 */
const decidedBy = ({ status, atMs }: NonNullable<Lesson['decided']>, known: Known): readonly Known[] => {
  if (known === 'nothing') return [known];
  const { fromMs, toMs } = known.learned;
  const [firstMs, lastMs] = [Math.floor(atMs / 1_000) * 1_000, Math.floor(atMs / 1_000) * 1_000 + 999];
  const learned = { fromMs: Math.max(firstMs, fromMs + 1), toMs: Math.max(lastMs, toMs + 1) };
  // It counts where what is known is no newer than this.
  const untilMs = known.status === status ? firstMs - 1 : lastMs;
  const mayBeOld = untilMs < toMs || firstMs < known.synced.toMs - listLagMs;
  const mayCount = untilMs >= fromMs && firstMs >= known.synced.fromMs - listLagMs;
  return [...(mayBeOld ? [known] : []), ...(mayCount ? [{ ...known, status, learned }] : [])];
};

/** What an account may know of a template after a lesson, of what it may have known before. */
const taught = (lesson: Lesson, before: readonly Known[], own: readonly Edition[]): readonly Known[] => {
  const { decided } = lesson;
  if (decided) return before.flatMap((known) => decidedBy(decided, known));
  const learned = { fromMs: lesson.fromMs, toMs: endOf(lesson) };
  return editionsIn(own, learned).flatMap((edition) =>
    before.map((known) => {
      if (known === 'nothing' && !edition?.is) return known;
      const { status, text } = edition?.is ?? { status: 'DISABLED', text: known === 'nothing' ? '' : known.text };
      const isNews = known === 'nothing' || known.status !== status || known.text !== text;
      return isNews ? { status, text, learned, synced: learned } : { ...known, synced: learned };
    }),
  );
};

/** What an account may know of a template in some time. Lessons that meet may come in any order. */
const knownIn = (lessons: readonly Lesson[], own: readonly Edition[], { fromMs, toMs }: Time): readonly Known[] => {
  const begun = lessons.filter((lesson) => lesson.fromMs <= toMs);
  const last = begun.findLastIndex(
    (lesson, n) =>
      lesson.end?.isDone === true &&
      lesson.end.atMs < fromMs &&
      begun.every((other, m) => m >= n || endOf(other) < lesson.fromMs),
  );
  const base = begun[last];
  if (!base && begun.length === 0) return ['nothing'];
  const first: readonly Known[] = base
    ? taught(base, knownIn(begun.slice(0, last), own, { fromMs: base.fromMs, toMs: base.fromMs }), own)
    : ['nothing'];
  const later = begun.slice(last + 1);
  return [...later, ...later].reduce(
    (before, lesson) => unique(before.concat(taught(lesson, before, own))),
    unique(first),
  );
};

/** What an account may have known of the template of a message, when that was accepted. */
const knownOf = ({ phone: { account }, template, asked, endMs = never }: WhatsappSend, approvals: Approvals) => {
  const lessons = approvals.lessons.filter(
    (one) => one.account === account && (one.decided?.name ?? template) === template,
  );
  const own = approvals.editions.filter((one) => one.account === account && one.name === template);
  return knownIn(lessons, own, { fromMs: asked.atMs, toMs: endMs });
};

const isApproved = (known: Known): boolean => known !== 'nothing' && known.status === 'APPROVED';

const ofUses =
  (what: (send: WhatsappSend, known: readonly Known[], judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] => {
    const { whatsapp, approvals } = judged;
    if (!whatsapp || !approvals) return [];
    return whatsapp.sends
      .filter(({ template }) => template !== undefined)
      .flatMap((send) => {
        const broken = what(send, knownOf(send, approvals), judged);
        return broken === false ? [] : [`${send.asked.id} of ${send.template}: ${broken}`];
      });
  };

export const approvalInvariants: readonly Invariant[] = [
  {
    name: 'a whatsapp template is sent with what it says while it is approved',
    violations: ofUses(({ asked }, known, { facts, messaging }) => {
      const own = facts.flatMap(({ messages }) => messages).find(({ request }) => request === asked.id);
      const said = messaging.texts.filter(({ message }) => message === own?.message.id).flatMap((text) => text.said);
      const texts = known.flatMap((one) => (one !== 'nothing' && isApproved(one) ? [one.text] : []));
      const wrong = said.filter((text) => !texts.includes(text));
      return wrong.length > 0 && `it says ${wrong.join()}, of ${texts.join()}`;
    }),
  },
  {
    name: 'a whatsapp template can be sent from its approval on, until that ends',
    violations: ofUses(({ asked }, known) => {
      const isUnknown = asked.answers.some(({ body }) => body?.error?.code === 'template_not_found');
      if (isUnknown) return known.every(isApproved) && 'it was refused';
      return asked.answers.some(({ status }) => status === 201) && !known.some(isApproved) && 'it was accepted';
    }),
  },
];
