export type TextChannel = 'sms' | 'whatsapp';

/** `overloaded`: the first two attempts fail. */
export type PhoneOutcome = 'delivered' | 'refused' | 'failed' | 'overloaded' | 'rejected';

/** By the last digits of a number, as carriers' test numbers. Every other phone gets its texts. */
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

/** The status notifications of an accepted text, in order. */
export const newsOf = (outcome: PhoneOutcome, channel: TextChannel): readonly TextNews[] => {
  if (outcome === 'failed' || outcome === 'rejected') return [{ eventType: outcome }];
  return channel === 'sms'
    ? [{ eventType: 'delivered' }]
    : [{ eventType: 'sent' }, { eventType: 'delivered' }, { eventType: 'read' }];
};
