import * as z from 'zod';
import { because, type Failure, failures } from '../../../shared/messages/failures.ts';
import type { Trigger } from '../../../shared/messages/moves.ts';

const tag = z.tuple([z.string()], z.string()).transform(([value]) => value);

/** The used parts of SES's "event data". Unknown event types are ignored. */
export const sesNotification = z.object({
  eventType: z.string(),
  mail: z.object({
    /** When SES took the mail. An event counts without it, too. */
    timestamp: z.iso.datetime({ offset: true }).optional().catch(undefined),
    tags: z.object({ accountId: tag.optional(), messageId: tag.optional() }),
  }),
  bounce: z
    .object({
      bounceType: z.string(),
      bounceSubType: z.string(),
      bouncedRecipients: z.array(
        z.object({
          action: z.string().optional(),
          status: z.string().optional(),
          diagnosticCode: z.string().optional(),
        }),
      ),
    })
    .optional(),
  complaint: z
    .object({ complaintSubType: z.string().nullish(), complaintFeedbackType: z.string().nullish() })
    .optional(),
  reject: z.object({ reason: z.string() }).optional(),
  failure: z.object({ errorMessage: z.string() }).optional(),
});

export type SesNotification = z.output<typeof sesNotification>;

/** The trigger of each event; other events have none. */
interface Meaning {
  readonly trigger: Trigger;
  readonly failure?: Failure;
}

type BouncedRecipient = NonNullable<SesNotification['bounce']>['bouncedRecipients'][number];

/** SES's list is shared by all accounts here, so the reason does not reveal that another one has mailed the address. */
const onSharedList = 'OnAccountSuppressionList';

const rejectedByAddress = (subType: string, { status, diagnosticCode }: BouncedRecipient = {}): Meaning => ({
  trigger: 'addressRejected',
  failure:
    subType === onSharedList
      ? failures.addressSuppressed
      : {
          code: status ?? subType,
          reason: diagnosticCode ?? `The recipient’s address rejected the email (${subType}).`,
        },
});

/** The reports (RFC 5965) that are none of spam: a recipient takes an earlier one back, or a server could not verify our signature. */
const isOfSpam = (feedbackType: string | null | undefined): boolean =>
  feedbackType !== 'not-spam' && feedbackType !== 'auth-failure';

/** SES says so once it has given up, or a server has given the mail back. An absence note, which is a bounce too, has no delivery status. */
const givenUp = (subType: string, { action, status, diagnosticCode }: BouncedRecipient = {}): Meaning | undefined =>
  action === 'failed' && status !== undefined
    ? {
        trigger: 'mailUndelivered',
        failure: { code: status, reason: diagnosticCode ?? `The email could not be delivered (${subType}).` },
      }
    : undefined;

const meanings = {
  Send: () => ({ trigger: 'providerAccepted' }),
  Delivery: () => ({ trigger: 'deliveryConfirmed' }),
  Open: () => ({ trigger: 'opened' }),
  Click: () => ({ trigger: 'clicked' }),
  /** SES accepts a mail to an address that reported an earlier one as spam, and does not send it. */
  Complaint: ({ complaint: { complaintSubType, complaintFeedbackType } = {} }) => {
    if (complaintSubType === onSharedList) return rejectedByAddress(complaintSubType);
    return isOfSpam(complaintFeedbackType) ? { trigger: 'complained' } : undefined;
  },
  Reject: ({ reject }) => ({
    trigger: 'contentRejected',
    failure: because(failures.contentRejected, reject?.reason),
  }),
  'Rendering Failure': ({ failure }) => ({
    trigger: 'mailUndelivered',
    failure: because(failures.notRendered, failure?.errorMessage),
  }),
  /** Only a permanent bounce concerns the address. With another one, for example of a full mailbox, this email alone has failed. */
  Bounce: ({ bounce }) => {
    if (!bounce) return undefined;
    const { bounceType, bounceSubType, bouncedRecipients } = bounce;
    return (bounceType === 'Permanent' ? rejectedByAddress : givenUp)(bounceSubType, bouncedRecipients[0]);
  },
} satisfies Record<string, (notification: SesNotification) => Meaning | undefined>;

const isMeant = (eventType: string): eventType is keyof typeof meanings => Object.hasOwn(meanings, eventType);

export const meaningOf = (notification: SesNotification): Meaning | undefined =>
  isMeant(notification.eventType) ? meanings[notification.eventType](notification) : undefined;
