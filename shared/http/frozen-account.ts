import { Fault } from '../kit/fault.ts';

/** The refusal of a change in a frozen account. */
export const frozenAccount = (): Fault => new Fault('forbidden_scope', 'The account is frozen.');
