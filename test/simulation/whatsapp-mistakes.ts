import type { Mistake } from './mistake.ts';

const closed = 'a whatsapp message is sent only if its recipient has written within 24 hours';
const open = 'a whatsapp message is accepted while its window is open';
const notWritten = 'no whatsapp message goes to a phone after its STOP, until it may again';
const once = 'Meta is given a message once at most';
const reported = 'a whatsapp message is what Meta reports of it, in any order';
const recorded = 'what a phone asked for by whatsapp is recorded once, and its last word is the status of its contact';
const moved = 'a STOP by whatsapp moves the last message before it, and no other';
const heard = 'what Meta calls with is heard, and what others call with is not';
const says = 'a whatsapp template is sent with what it says while it is approved';
const approved = 'a whatsapp template can be sent from its approval on, until that ends';

/** Mistakes with whatsapp that the simulation must find. */
export const whatsappMistakes: readonly Mistake[] = [
  {
    name: 'a window opens when the message arrives',
    file: 'functions/callbacks/receive-whatsapp-news/handler.ts',
    find: 'atMs: Math.min(news.atMs, nowMs) }',
    replace: 'atMs: nowMs }',
    breaks: [closed, recorded, moved, notWritten],
  },
  {
    name: 'a message that comes late closes the window that a newer one opened',
    file: 'shared/table/messages/window-store.ts',
    find: "set(account, phone, 'saidMs < :said', { saidMs: atMs",
    replace: "set(account, phone, 'saidMs <> :said', { saidMs: atMs",
    breaks: [open, notWritten],
  },
  {
    name: 'a message that Meta may have taken is given to it again',
    file: 'shared/providers/text/meta-whatsapp.ts',
    find: 'takesReference: false,',
    replace: 'takesReference: true,',
    breaks: [once],
  },
  {
    name: 'a message that was read is delivered when Meta says so later',
    file: 'shared/messages/moves.ts',
    find: 'deliveryConfirmed: { on: channels, from: underWay,',
    replace: "deliveryConfirmed: { on: channels, from: [...underWay, 'read'],",
    breaks: [
      'no work is given up or left hanging',
      'statuses move along the table only',
      reported,
      'a message of a campaign is as its sender last reported it',
    ],
  },
  {
    name: 'news of a number of another account count',
    file: 'shared/messages/meta-news.ts',
    find: 'if (read?.metadata.phone_number_id !== phoneNumberId) return [];',
    replace: 'if (!read) return [];',
    breaks: [recorded, open, reported],
  },
  {
    name: 'a STOP of a phone without a contact is forgotten',
    file: 'shared/compliance/inbound-receiver.ts',
    find: '? await consents.recordForPhone(account, phone, entry, repeats)',
    replace: '? true',
    breaks: [notWritten],
  },
  {
    name: 'a START that comes after a STOP lifts it, also if it was written before',
    file: 'shared/compliance/consent.ts',
    find: 'rank(entry) > rank(standing);',
    replace: 'rank(entry) !== rank(standing);',
    breaks: [
      recorded,
      notWritten,
      // By sms, too.
      'what a recipient asked for is recorded once, and its last word is the status of the contact',
    ],
  },
  {
    name: 'a STOP by whatsapp moves no message',
    file: 'shared/compliance/inbound-receiver.ts',
    find: "if (keyword === 'stop') await moveAnswered",
    replace: "if (keyword === 'stop' && inbound.channel === 'sms') await moveAnswered",
    breaks: [moved],
  },
  {
    name: 'the signature of Meta is not asked for',
    file: 'functions/callbacks/receive-whatsapp-news/handler.ts',
    find: "if (!isSignedByMeta(settings.appSecret, body, headers['x-hub-signature-256']))",
    replace: "if (!isSignedByMeta(settings.appSecret, body, headers['x-hub-signature-256']) && body.length === 0)",
    breaks: [heard, recorded, reported],
  },
  {
    name: 'a template that Meta has paused can be sent',
    file: 'shared/templates/whatsapp-template.ts',
    find: "isActive: whatsappStatus === 'APPROVED',",
    replace: "isActive: template.isActive || whatsappStatus === 'APPROVED',",
    breaks: [approved, says],
  },
  {
    name: 'a decision of Meta’s that comes after a newer one counts',
    file: 'shared/templates/whatsapp-template.ts',
    find: 'isRepeated || atMs + secondMs < knownMs ? template',
    replace: 'isRepeated ? template',
    breaks: [approved, says],
  },
  {
    name: 'a sync that changes nothing is forgotten',
    file: 'shared/templates/template-sync.ts',
    find: 'if (isWhole) await templates.keepSynced',
    replace: 'if (isWhole && changed > 0) await templates.keepSynced',
    breaks: [approved, says],
  },
  {
    name: 'a sync does not see that the text of a template has changed',
    file: 'shared/templates/whatsapp-template.ts',
    find: 'before === undefined || before.text === text',
    replace: "known.channel === 'whatsapp'",
    breaks: [says],
  },
];
