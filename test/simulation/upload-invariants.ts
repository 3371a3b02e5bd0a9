import type { Invariant, Judged } from './invariants.ts';
import type { FileMail, Offer } from './uploaders.ts';

type Sent = Offer['sent'][number];

const ofFileMails =
  (violations: (fileMail: FileMail, judged: Judged) => readonly string[]) =>
  (judged: Judged): readonly string[] =>
    (judged.uploaders?.fileMails ?? []).flatMap((fileMail) =>
      violations(fileMail, judged).map((what) => `${fileMail.asked.id}: ${what}`),
    );

/** Whether it is there, as its sender knows. */
const isTaken = ({ end }: Sent, byMs: number): boolean => end !== undefined && end.status === 200 && end.atMs < byMs;
const mayBeTaken = ({ end }: Sent): boolean => end === undefined || end.status === 200 || end.status >= 500;

/** What a file may have been in some time: what was sent last before it, and all that was sent since. */
const possible = ({ sent, size }: Offer, fromMs: number, toMs: number): readonly Buffer[] => {
  const inTime = sent.filter((one) => one.bytes.length === size && mayBeTaken(one) && one.fromMs <= toMs);
  return inTime
    .slice(
      Math.max(
        0,
        inTime.findLastIndex((one) => isTaken(one, fromMs)),
      ),
    )
    .map(({ bytes }) => bytes);
};

const mailsOf = ({ asked }: FileMail, { facts, messaging: { mails } }: Judged) => {
  const own = facts.flatMap(({ messages }) => messages).filter(({ request }) => request === asked.id);
  return mails.filter(({ message }) => own.some((one) => one.message.id === message));
};

export const uploadInvariants: readonly Invariant[] = [
  {
    name: 'a mail has the files that it was to have, as they were uploaded',
    violations: ofFileMails((fileMail, judged) => {
      const { asked, offers, endMs = Number.POSITIVE_INFINITY } = fileMail;
      return mailsOf(fileMail, judged).flatMap(({ attached, atMs }) => {
        const isRight = offers.map((offer, n) => {
          const file = attached[n];
          const isNamed = file?.filename === offer.filename && file.contentType === offer.contentType;
          const contents = possible(offer, asked.atMs, Math.min(atMs, endMs));
          return isNamed && contents.some((bytes) => bytes.equals(file.content));
        });
        return attached.length === offers.length && isRight.every(Boolean) ? [] : [`${isRight.join()} of its files`];
      });
    }),
  },
  {
    name: 'a file can be attached when it has been uploaded, by its account only',
    violations: ofFileMails((fileMail, judged) => {
      const { asked, offers, endMs = Number.POSITIVE_INFINITY } = fileMail;
      const isRefused = asked.answers.some(({ body }) => body?.error?.code === 'invalid_attachment');
      const isOwn = offers.every(({ account }) => account === asked.account);
      const isThere = offers.every(({ sent, size }) =>
        sent.some((one) => one.bytes.length === size && isTaken(one, asked.atMs)),
      );
      const mayBeThere = isOwn && offers.every((offer) => possible(offer, asked.atMs, endMs).length > 0);
      return [
        ...(isOwn && isThere && isRefused ? ['it was refused'] : []),
        ...(!mayBeThere && mailsOf(fileMail, judged).length > 0 ? ['it was sent'] : []),
      ];
    }),
  },
  {
    name: 'a URL takes a file of the size that was agreed only',
    violations: ({ uploaders }) =>
      (uploaders?.offers ?? []).flatMap(({ id, size, sent }) =>
        sent
          .filter(({ bytes, end }) => end && (end.status === 200) !== (bytes.length === size) && end.status < 500)
          .map(({ bytes, end }) => `${id} of ${size} bytes: ${end?.status} to ${bytes.length}`),
      ),
  },
];
