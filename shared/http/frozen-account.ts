import { Fault } from '../kit/fault.ts';

/** Of a person who would move money of a frozen account. */
export const frozenAccount = (): Fault => new Fault('forbidden_scope', 'The account is frozen.');
