import * as z from 'zod';
import { fateOf } from '../../aws/aws-call.ts';
import { AwsError, type AwsService } from '../../aws/aws-service.ts';
import type { TextOutcome, TextProvider } from './text-provider.ts';

/** Errors that are final for a text: its number has opted out or is blocked, or the call is invalid. */
const finalErrors = new Set([
  'ConflictException',
  'ValidationException',
  'AccessDeniedException',
  'ResourceNotFoundException',
]);

/** Errors that concern every text: a missing permission or sender, and the account's monthly spend limit. */
const setupErrors = new Set(['AccessDeniedException', 'ResourceNotFoundException', 'ServiceQuotaExceededException']);

/** So do these reasons of others, by the API reference: the sandbox, and a sender that may not send such texts, or not yet. */
const setupReasons = new Set([
  'DESTINATION_PHONE_NUMBER_NOT_VERIFIED',
  'INTERNATIONAL_SENDING_NOT_SUPPORTED',
  'MESSAGE_TYPE_MISMATCH',
  'NO_ORIGINATION_IDENTITIES_FOUND',
  'NUMBER_CAPABILITIES_MISMATCH',
  'REGISTRATION_NOT_COMPLETE',
  'RESOURCE_NOT_ACCESSIBLE',
  'RESOURCE_NOT_ACTIVE',
  'SENDER_ID_NOT_REGISTERED',
  'SENDER_ID_NOT_SUPPORTED',
  'SENDER_ID_REQUIRES_REGISTRATION',
]);

/** How long AWS and the carrier may try to deliver a text, by the bounds of `TimeToLive`. */
const [leastSeconds, mostSeconds] = [5, 259_200];

const secondsLeft = (expiresMs: number): number =>
  Math.min(Math.max(Math.floor((expiresMs - Date.now()) / 1_000), leastSeconds), mostSeconds);

interface AwsSmsNeeds {
  readonly service: AwsService;
  /** The origination identity: a phone number, a sender id or a pool. */
  readonly sender: string;
  /** Sets where AWS publishes sms events; without one AWS publishes none. */
  readonly configurationSetName?: string | undefined;
}

/**
 * AWS End User Messaging, `SendTextMessage`. It has no idempotency token; its events return the context, which names our message.
 */
export const awsSms = ({ service, sender, configurationSetName }: AwsSmsNeeds): TextProvider => ({
  takesReference: false,
  send: async ({ to, text, expiresMs, accountId, messageId }) => {
    try {
      const input = {
        DestinationPhoneNumber: to,
        OriginationIdentity: sender,
        MessageBody: text,
        MessageType: 'TRANSACTIONAL',
        ConfigurationSetName: configurationSetName,
        Context: { accountId, messageId },
        ...(expiresMs !== undefined && { TimeToLive: secondsLeft(expiresMs) }),
      };
      const answer = await service.send({ target: 'PinpointSMSVoiceV2.SendTextMessage', input });
      return { kind: 'accepted', reference: accepted.parse(answer).MessageId };
    } catch (thrown) {
      return outcomeOf(thrown);
    }
  },
});

const accepted = z.object({ MessageId: z.string().optional().catch(undefined) });

/** AWS's reason code, for example `DESTINATION_PHONE_NUMBER_OPTED_OUT`. */
const reasoned = z.object({ Reason: z.string() });

const outcomeOf = (thrown: unknown): TextOutcome => {
  if (!(thrown instanceof Error)) throw thrown;
  if (thrown.name === 'ThrottlingException') return { kind: 'throttled' };
  const why = thrown instanceof AwsError ? reasoned.safeParse(thrown.body).data?.Reason : undefined;
  const concerns = (setupErrors.has(thrown.name) || setupReasons.has(why ?? '')) && { concernsSetup: true };
  if (finalErrors.has(thrown.name)) {
    return {
      kind: 'refused',
      code: why || thrown.name,
      reason: thrown.message,
      ...concerns,
    };
  }
  const fate = fateOf(thrown);
  if (fate === 'accepted') return { kind: fate, reference: undefined };
  return fate === 'unavailable' ? { kind: fate, ...concerns } : { kind: fate };
};
