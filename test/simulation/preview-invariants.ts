import type { Answer } from './client.ts';
import type { Invariant, Judged } from './invariants.ts';
import type { Previewed } from './previewers.ts';
import { possibleTexts } from './template-invariants.ts';

const previewing: readonly unknown[] = ['messages/preview-message', 'templates/preview-template'];
/** What a verdict depends on. */
const judgedBy: readonly unknown[] = [
  ...['account', 'contact', 'contact-lock', 'consents', 'credits', 'frequency-cap', 'opt-out', 'suppression'],
  ...['template', 'template-body', 'whatsapp-window'],
];

const isAnswered = ({ status }: Answer): boolean => status < 500 && status !== 429 && status !== 409;

/** Whether something that its verdict depends on has changed between a preview and the acceptance of its message, or its refusal. */
const hasChanged = ({ asked, changes: { from, to } }: Previewed, { world }: Judged): boolean => {
  const { id } = asked.account.ref;
  const message = asked.answers[0]?.body?.data?.id;
  const amid = world.changes.slice(from, to);
  // The first write of its transaction; a mail that could not be sent is withdrawn, and accepted again.
  const accepted = amid.findLastIndex(
    ({ before, after }) => !before && after?.['entity'] === 'message' && after['SK'] === message,
  );
  return amid.slice(0, accepted < 0 ? amid.length : accepted).some(({ before, after }) => {
    const { PK, entity } = { PK: '', entity: undefined, ...(after ?? before) };
    return String(PK).startsWith(`A#${id}`) && judgedBy.includes(entity);
  });
};

/** What a send answers where its preview says so. */
const isAs = ({ body: { data } }: Answer, { status, body }: Answer): boolean =>
  data.verdict === 'accepted'
    ? status === 201
    : status >= 400 &&
      body.error.code === data.code &&
      (data.verdict === 'refused' || body.error.message === data.message);

const ofPreviewed =
  (what: (one: Previewed, sent: Answer, judged: Judged) => string | false) =>
  (judged: Judged): readonly string[] =>
    (judged.previewers?.previewed ?? []).flatMap((one) => {
      const [sent] = one.asked.answers;
      const isKnown = one.preview.status === 200 && sent !== undefined && isAnswered(sent);
      const broken = isKnown && what(one, sent, judged);
      return broken ? [`${one.asked.id}: ${broken}`] : [];
    });

export const previewInvariants: readonly Invariant[] = [
  {
    name: 'a preview changes nothing',
    violations: ({ world: { changes } }) =>
      changes.flatMap(({ before, after, sequence, by }) => {
        const place = String((after ?? before)?.['PK']);
        // A key counts its requests.
        return previewing.includes(by) && !place.startsWith('KEY#') ? [`change ${sequence} of ${place}`] : [];
      }),
  },
  {
    name: 'a send answers as its preview says, unless something has changed since',
    violations: ofPreviewed((one, sent, judged) => {
      const { verdict, message } = one.preview.body.data;
      const isTimed = one.asked.account.quiet !== undefined;
      if (isTimed || isAs(one.preview, sent) || hasChanged(one, judged)) return false;
      return `${sent.status} ${sent.body.error?.message ?? ''}, and its preview: ${verdict} ${message}`;
    }),
  },
  {
    name: 'a message says what its preview said, for the price that it named',
    violations: ofPreviewed((one, sent, judged) => {
      const { subject, text, credits } = one.preview.body.data;
      const id = sent.body.data?.id;
      const taken = [...judged.messaging.mails, ...judged.messaging.texts].find(({ message }) => message === id);
      const found = judged.facts.flatMap(({ messages }) => messages).find(({ message }) => message.id === id);
      if (!taken || !found || hasChanged(one, judged)) return false;
      const said = taken.said.length > 1 ? [subject, text] : [text];
      const price = found.message.price.credits;
      if (price !== 0 && price !== credits) return `it cost ${price}, and its preview ${credits}`;
      return (
        taken.said.join('\n') !== said.join('\n') && `it says ${taken.said.join()}, and its preview ${said.join()}`
      );
    }),
  },
  {
    name: 'a preview of a template says what the template says',
    violations: ({ previewers, facts }) =>
      (previewers?.readings ?? []).flatMap(({ work, version, fromMs, toMs, answer: { status, body } }) => {
        const isArchived = work.revisions.some(({ to }) => to === 'archived');
        if (status !== 200 || (isArchived && version !== undefined)) return [];
        const versions = facts.flatMap(({ templates }) => templates).find((fact) => fact.work === work)?.versions;
        const texts =
          version === undefined
            ? possibleTexts(work, { fromMs, toMs })
            : (versions ?? []).slice(version - 1, version).map(({ content }) => content.text ?? '');
        const { subject, text } = body.data;
        const isWhole = work.channel === 'sms' || subject === text;
        return texts.includes(text) && isWhole ? [] : [`${work.id}: ${subject} ${text}, of ${texts.join()}`];
      }),
  },
];
