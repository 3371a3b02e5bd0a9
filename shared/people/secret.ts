import { randomBytes } from 'node:crypto';

/** The secret of a session or of a link: 256 random bits, so a plain hash is safe to store. */
export const makeSecret = (): string => randomBytes(32).toString('hex');
export const isSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

export const makeOperatorToken = (): string => `ot_${makeSecret()}`;
export const isOperatorToken = (text: string): boolean => /^ot_[0-9a-f]{64}$/.test(text);

export const sessionSeconds = 12 * 3_600;
export const linkSeconds = 10 * 60;
export const accessKeySeconds = 15 * 60;
