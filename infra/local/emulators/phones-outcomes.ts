export type TextChannel = 'sms' | 'whatsapp';

/** `overloaded`: not the first two times. */
export type PhoneOutcome = 'delivered' | 'refused' | 'failed' | 'overloaded' | 'rejected';

/** By how a number ends, as carriers have test numbers. Every other phone gets its texts. */
const outcomes: ReadonlyMap<string, PhoneOutcome> = new Map([
  ['0001', 'refused'],
  ['0002', 'failed'],
  ['0003', 'overloaded'],
  ['0004', 'rejected'],
]);

export const outcomeOf = (phone: string): PhoneOutcome => outcomes.get(phone.slice(-4)) ?? 'delivered';

export interface TextNews {
  readonly eventType: 'sent' | 'delivered' | 'read' | 'failed' | 'rejected';
}

/** What is told of a text that was taken, in order. */
export const newsOf = (outcome: PhoneOutcome, channel: TextChannel): readonly TextNews[] => {
  if (outcome === 'failed' || outcome === 'rejected') return [{ eventType: outcome }];
  return channel === 'sms'
    ? [{ eventType: 'delivered' }]
    : [{ eventType: 'sent' }, { eventType: 'delivered' }, { eventType: 'read' }];
};
