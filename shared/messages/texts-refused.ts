import { log } from '../kit/log.ts';
import type { Channel } from './message.ts';

interface RefusedText {
  readonly accountId: string;
  readonly messageId: string;
  readonly channel: Channel;
  readonly code?: string | undefined;
}

/** Says that a provider takes no texts of an account until a person acts. An alarm reads the line, so it is written at every level that a deployment may have. */
export const warnOfRefusedTexts = (text: RefusedText): void =>
  log('error', 'a provider takes no texts of an account', { ...text, textsRefused: true });
