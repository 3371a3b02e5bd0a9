import * as z from 'zod';

const counter = z.int().min(0).max(1_000_000_000_000);

/** What an account may still send: email by recipient, sms by segment, from the counter of its sender's kind. */
export const credits = z.object({ email: counter, smsMasked: counter, smsNonMasked: counter });

export type Credits = z.output<typeof credits>;
export type CreditCounter = keyof Credits;
