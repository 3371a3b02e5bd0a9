import { hash } from 'node:crypto';

/** SHA-256 in 43 characters: a text of any length and content as a part of a key. */
export const digestOf = (text: string): string => hash('sha256', text, 'base64url');
