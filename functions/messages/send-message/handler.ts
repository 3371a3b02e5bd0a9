import { type SenderNeeds, sender } from '../../../shared/compliance/send.ts';
import type { Input, Reply } from '../../../shared/http/contract.ts';
import { alsoAbout } from '../../../shared/kit/log.ts';
import type { sendMessageContract } from './contract.ts';

export type SendMessageNeeds = SenderNeeds;

/** Accepts a message. An email is sent within the request; a text is queued; a scheduled message waits for its time. */
export const sendMessage = (needs: SendMessageNeeds) => {
  const send = sender(needs);
  return (request: Input<typeof sendMessageContract>): Promise<Reply<typeof sendMessageContract>> => {
    alsoAbout({ messageId: request.newId });
    return send(request);
  };
};
