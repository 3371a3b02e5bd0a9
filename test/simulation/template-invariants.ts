import type { Revision, Use, Work } from './authors.ts';
import type { AccountFacts } from './facts.ts';
import type { Invariant, Judged } from './invariants.ts';

const isMade = ({ end }: Revision): boolean => end !== undefined && end.status < 300;
/** Unless its answer says that it was not made. */
const mayBeMade = ({ end }: Revision): boolean => end === undefined || end.status < 300 || end.status >= 500;

const isArchival = ({ to }: Revision): boolean => to === 'archived';
const textOf = ({ to }: Revision): string | undefined => (to !== 'archived' && 'text' in to ? to.text : undefined);
const nameOf = ({ to }: Revision): string | undefined => (to !== 'archived' && 'name' in to ? to.name : undefined);

/** What a template may have said in some time, or been named, after the revisions of it that came before the end of the time. */
const possible = (
  { revisions }: Work,
  first: string,
  partOf: (revision: Revision) => string | undefined,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly string[] =>
  revisions
    .filter((one) => one.fromMs <= toMs && mayBeMade(one))
    .reduce<readonly string[]>(
      (before, revision) => {
        const after = partOf(revision);
        if (after === undefined) return before;
        const isSure = isMade(revision) && (revision.end?.atMs ?? 0) < fromMs;
        return isSure ? [after] : before.concat(after);
      },
      [first],
    );

/** What a template may have said in some time. */
export const possibleTexts = (work: Work, time: { readonly fromMs: number; readonly toMs: number }) =>
  possible(work, work.text, textOf, time);

const ofUses =
  (what: (use: Use, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    (judged.authors?.uses ?? []).flatMap((use) => {
      const broken = what(use, judged);
      return broken === false ? [] : [`${use.asked.id} of ${use.work.id}: ${broken}`];
    });

type TemplateFact = AccountFacts['templates'][number];

const ofWorks =
  (what: (work: Work, fact: TemplateFact, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    judged.facts.flatMap(({ templates }) =>
      templates.flatMap((fact) => {
        const broken = what(fact.work, fact, judged);
        return broken === false ? [] : [`${fact.work.id}: ${broken}`];
      }),
    );

/** All that left of a use. */
const saidOf = ({ asked }: Use, { facts, messaging: { mails, texts } }: Judged) => {
  const own = facts.flatMap(({ messages }) => messages).filter(({ request }) => request === asked.id);
  const ids = own.map(({ message }) => message.id);
  return [...mails, ...texts].filter(({ message }) => ids.includes(message));
};

const isUnknownTemplate = ({ body }: Use['asked']['answers'][number]): boolean =>
  body?.error?.code === 'template_not_found';

/** Of some texts, one after the other, each once. */
const withoutRepeats = (all: readonly string[]): readonly string[] => all.filter((one, n) => one !== all[n - 1]);

export const templateInvariants: readonly Invariant[] = [
  {
    name: 'a message says what its template said when it was asked for',
    violations: ofUses((use, judged) => {
      const { asked, work, endMs = Number.POSITIVE_INFINITY } = use;
      const wrong = saidOf(use, judged).flatMap(({ said, atMs }) => {
        const texts = possibleTexts(work, { fromMs: asked.atMs, toMs: Math.min(atMs, endMs) });
        return texts.some((text) => said.every((one) => one === text)) ? [] : [`${said.join()}, of ${texts.join()}`];
      });
      return wrong.length > 0 && wrong.join('; ');
    }),
  },
  {
    name: 'a template can be sent until it is archived',
    violations: ofUses((use, judged) => {
      const { asked, work } = use;
      const ends = work.revisions.filter(isArchival);
      const isGone = ends.some((one) => isMade(one) && (one.end?.atMs ?? 0) < asked.atMs);
      if (isGone) return saidOf(use, judged).length > 0 && 'it was sent after its archival';
      return asked.answers.some(isUnknownTemplate) && ends.length === 0 && 'it was refused';
    }),
  },
  {
    name: 'a template is as it was last asked to be',
    violations: ofWorks((work, { whole }, { world }) => {
      const ends = work.revisions.filter(isArchival);
      if (!whole) return !ends.some(mayBeMade) && 'it is gone';
      if (ends.some(isMade)) return 'it is there, and was archived';
      const time = { fromMs: world.timeline.nowMs(), toMs: world.timeline.nowMs() };
      const { template, content } = whole;
      const isRight =
        possibleTexts(work, time).includes(content.text ?? '') &&
        possible(work, work.text, nameOf, time).includes(template.name);
      return !isRight && `it is ${template.name}: ${content.text}`;
    }),
  },
  {
    name: 'every change of a template is a version, once',
    violations: ofWorks(({ text, revisions }, { whole, versions }) => {
      if (!whole) return false;
      const [made, most] = [revisions.filter(isMade), 1 + revisions.filter(mayBeMade).length];
      const kept = withoutRepeats(versions.map(({ content }) => content.text ?? ''));
      const places = [text, ...made.flatMap((one) => textOf(one) ?? [])].map((one) => kept.indexOf(one));
      if (!places.every((place, n) => place > (places[n - 1] ?? -1))) return `its versions say ${kept.join()}`;
      const isWhole = versions.length > made.length && versions.length <= most;
      return !isWhole && `${versions.length} versions, and ${1 + made.length} to ${most} were made`;
    }),
  },
];
