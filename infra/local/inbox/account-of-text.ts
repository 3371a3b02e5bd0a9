import { idBytes, idOfBytes } from '../../../shared/kit/id.ts';
import type { TextChannel } from '../emulators/phones-outcomes.ts';
import type { PhoneReply, StoredText } from '../emulators/phones-store.ts';

const tokenShape = /^[\w-]{86}$/;

/** The account that sent a text, which its report URL names: that of whatsapp in plain, that of an sms at the start of its token. */
export const accountOf =
  (channel: TextChannel) =>
  (text: StoredText | PhoneReply): string[] => {
    if (!('reportPath' in text) || text.channel !== channel) return [];
    const last = text.reportPath.split('/').at(-1) ?? '';
    if (channel === 'whatsapp') return [last];
    return tokenShape.test(last) ? [idOfBytes(Buffer.from(last, 'base64url').subarray(0, idBytes))] : [];
  };
