import type { Mistake } from './mistake.ts';

const asReported = 'a message is what SES or its gateway reports of it, in any order';

/** Mistakes with what SES and gateways report of messages that the simulation must find. */
export const newsMistakes: readonly Mistake[] = [
  {
    name: 'a delivered email stays sent',
    file: 'functions/callbacks/receive-ses-notification/ses-notification.ts',
    find: "Delivery: () => ({ trigger: 'deliveryConfirmed' }),",
    replace: "Delivery: () => ({ trigger: 'providerAccepted' }),",
    breaks: [asReported],
  },
  {
    name: 'a bounce leaves its contact as it is',
    file: 'shared/contacts/reaction.ts',
    find: "bounced: { score: -25, status: 'bounced' },",
    replace: 'bounced: { score: -25 },',
    breaks: ['a contact is what is told of its messages'],
  },
  {
    name: 'a repeated outcome counts again',
    file: 'shared/table/contacts/contact-store.ts',
    find: 'if (outcomes.includes(outcome)) return undefined;',
    replace: '',
    breaks: ['the score of a contact counts each outcome once'],
  },
  {
    name: 'a call has the number of the first event',
    file: 'shared/webhooks/signature.ts',
    find: "'X-Webhook-Event': event,\n  [sequenceHeader]: String(sequence),",
    replace: "'X-Webhook-Event': event,\n  [sequenceHeader]: '1',",
    breaks: ['each call has the number of its event, and numbers follow the log'],
  },
  {
    name: 'an event loses the metadata of its message',
    file: 'shared/webhooks/payload.ts',
    find: 'data: { message: message.parse(happenedTo) },',
    replace: 'data: { message: { ...message.parse(happenedTo), metadata: {} } },',
    breaks: ['an event shows to whom its message went and its metadata, or the amount of its payment'],
  },
];
