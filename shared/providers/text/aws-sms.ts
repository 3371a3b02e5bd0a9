import { type PinpointSMSVoiceV2Client, SendTextMessageCommand } from '@aws-sdk/client-pinpoint-sms-voice-v2';
import * as z from 'zod';
import { fateOf } from '../../aws/aws-call.ts';
import type { TextOutcome, TextProvider } from './text-provider.ts';

const answerWithinMs = 10_000;

/** Errors that are final for a text: its number has opted out or is blocked, or the call is invalid. */
const finalErrors = new Set([
  'ConflictException',
  'ValidationException',
  'AccessDeniedException',
  'ResourceNotFoundException',
]);

interface AwsSmsNeeds {
  readonly client: PinpointSMSVoiceV2Client;
  /** The origination identity: a phone number, a sender id or a pool. */
  readonly sender: string;
  /** Sets where AWS publishes sms events; without one AWS publishes none. */
  readonly configurationSetName?: string | undefined;
  readonly answerWithinMs?: number;
}

/**
 * AWS End User Messaging, `SendTextMessage`. It has no idempotency token; its events return the context, which names our message.
 */
export const awsSms = ({ client, sender, configurationSetName, ...wishes }: AwsSmsNeeds): TextProvider => ({
  takesReference: false,
  send: async ({ to, text, accountId, messageId }) => {
    try {
      const { MessageId } = await client.send(
        new SendTextMessageCommand({
          DestinationPhoneNumber: to,
          OriginationIdentity: sender,
          MessageBody: text,
          MessageType: 'TRANSACTIONAL',
          ConfigurationSetName: configurationSetName,
          Context: { accountId, messageId },
        }),
        { abortSignal: AbortSignal.timeout(wishes.answerWithinMs ?? answerWithinMs) },
      );
      return { kind: 'accepted', reference: MessageId };
    } catch (thrown) {
      return outcomeOf(thrown);
    }
  },
});

/** AWS's reason code, for example `DESTINATION_PHONE_NUMBER_OPTED_OUT`. */
const reasoned = z.object({ Reason: z.string() });

const outcomeOf = (thrown: unknown): TextOutcome => {
  if (!(thrown instanceof Error)) throw thrown;
  if (finalErrors.has(thrown.name)) {
    return { kind: 'refused', code: reasoned.safeParse(thrown).data?.Reason ?? thrown.name, reason: thrown.message };
  }
  const fate = fateOf(thrown);
  return fate === 'accepted' ? { kind: fate, reference: undefined } : { kind: fate };
};
