import type { Mistake } from './mistake.ts';

const notWritten = 'no text goes to a phone after its STOP, until it may again';
const lastWord = 'what a recipient asked for is recorded once, and its last word is the status of the contact';
const moved = 'a STOP moves the last text before it, and no other';
const heard = 'an answer by sms is heard at a URL until its overlap with the next is over, and not after that';

/** Mistakes with what recipients answer that the simulation must find. */
export const recipientMistakes: readonly Mistake[] = [
  {
    name: 'a URL that was replaced is valid for good',
    file: 'shared/messages/callback-urls.ts',
    find: '=> nowMs < validUntilMs)',
    replace: '=> nowMs < validUntilMs + 86_400_000)',
    breaks: [heard],
  },
  {
    name: 'a URL that is replaced is refused in the overlap',
    file: 'shared/messages/callback-urls.ts',
    find: '{ ...current, validUntilMs: previousValidUntilMs }',
    replace: '{ ...current, validUntilMs: Math.min(nowMs, previousValidUntilMs) }',
    breaks: [heard],
  },
  {
    name: 'a STOP that was interrupted moves the text that is the last one when it comes again',
    file: 'shared/compliance/inbound-receiver.ts',
    find: 'const filter = { to: { phone }, channel, createdBeforeMs: atMs + 999 };',
    replace: 'const filter = { to: { phone }, channel, createdBeforeMs: atMs + 90_000 };',
    breaks: [moved, 'a STOP by whatsapp moves the last message before it, and no other'],
  },
  {
    name: 'a STOP moves no text',
    file: 'shared/compliance/inbound-receiver.ts',
    find: "if (answered) await messages.move(account, answered, 'optedOut', atMs);",
    replace: "if (answered?.status === 'unsubscribed') await messages.move(account, answered, 'optedOut', atMs);",
    breaks: [moved],
  },
  {
    name: 'the status of a contact is that of the request that arrived last',
    file: 'shared/compliance/inbound-receiver.ts',
    find: 'return isLast ? afterRequest(before, asked, inbound.atMs) : before;',
    replace: "return isLast || asked === 'stop' ? afterRequest(before, asked, inbound.atMs) : before;",
    breaks: [
      lastWord,
      'what a phone asked for by whatsapp is recorded once, and its last word is the status of its contact',
    ],
  },
  {
    name: 'a scheduled text does not ask again who may be written to',
    file: 'functions/messages/send-scheduled/send-due.ts',
    find: 'const verdict = judge(draft, context, clock());',
    replace:
      'const judged = judge(draft, context, clock());\n    const verdict = judged.blocked ? { slot: undefined } : judged;',
    breaks: [
      notWritten,
      'a text of quiet hours is given to its provider after them',
      'a whatsapp message is sent only if its recipient has written within 24 hours',
    ],
  },
];
