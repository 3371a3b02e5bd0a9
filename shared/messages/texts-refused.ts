import { isWord, log } from '../kit/log.ts';
import type { Channel } from './message.ts';

interface RefusedText {
  readonly accountId: string;
  readonly messageId: string;
  readonly channel: Channel;
  readonly code?: string | undefined;
}

/**
 * Says that a provider takes no texts of an account until a person acts. An alarm reads the line, so it is written at every level that a deployment may
 * have. What an account's own gateway calls a code can be any text, also with the recipient's phone in it.
 */
export const warnOfRefusedTexts = ({ code = '', ...text }: RefusedText): void =>
  log('error', 'a provider takes no texts of an account', {
    ...text,
    ...(isWord(code) && { code }),
    textsRefused: true,
  });
