import type { Mistake } from './mistake.ts';

const once = 'AWS is given a text once at most';
const reported = 'a text by AWS is what its carrier reports of it, in any order';
const published = 'an answer to a number of AWS counts from when it was published';

/** Mistakes with texts by AWS that the simulation must find. */
export const carrierMistakes: readonly Mistake[] = [
  {
    name: 'a text that AWS may have taken is given to it again',
    file: 'shared/providers/text/aws-sms.ts',
    find: 'takesReference: false,',
    replace: 'takesReference: true,',
    breaks: [once],
  },
  {
    name: 'a carrier that is still trying ends a text',
    file: 'functions/callbacks/receive-sms-event/sms-event.ts',
    find: 'isFinal ? triggers.get(eventType) : undefined;',
    replace: 'triggers.get(eventType);',
    breaks: [reported],
  },
  {
    name: 'a report of AWS that came before its text is marked is forgotten',
    file: 'shared/messages/moves.ts',
    find: 'deliveryConfirmed: { on: channels, from: underWay,',
    replace: "deliveryConfirmed: { on: channels, from: ['sent'],",
    breaks: [
      reported,
      'a whatsapp message is what Meta reports of it, in any order',
      'a message is what SES or its gateway reports of it, in any order',
    ],
  },
  {
    name: 'a text is not sent that a carrier cannot deliver before its answer is stored',
    file: 'shared/messages/moves.ts',
    find: "textChannels, from: underWay, to: 'failed', stamps: ['sentAt', 'failedAt'] },",
    replace: "textChannels, from: underWay, to: 'failed', stamps: ['failedAt'] },",
    breaks: [reported, 'a whatsapp message is what Meta reports of it, in any order'],
  },
  {
    name: 'a text is not sent that is rejected before its answer is stored',
    file: 'shared/messages/moves.ts',
    find: "to: 'rejected', stamps: ['sentAt', 'failedAt'] },",
    replace: "to: 'rejected', stamps: ['failedAt'] },",
    breaks: [reported, 'a whatsapp message is what Meta reports of it, in any order'],
  },
  {
    name: 'an answer by sms counts from when it arrives',
    file: 'functions/callbacks/receive-sms-event/handler.ts',
    find: 'atMs: publishedMs, id }',
    replace: 'atMs: nowMs, id }',
    breaks: [published],
  },
];
