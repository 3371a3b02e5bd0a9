import type { ContactStatus } from '../contacts/contact.ts';
import type { OwnFailureCode } from '../messages/failures.ts';
import type { Status } from '../messages/message.ts';
import type { Trigger } from '../messages/moves.ts';
import type { EventName } from '../webhooks/events.ts';

/** What a developer needs to know of messaging beyond its endpoints. CommonMark. */

type Entry = readonly [name: string, text: string];

const entriesOf = (texts: Readonly<Record<string, string>>): readonly Entry[] =>
  Object.entries(texts).map(([name, text]) => [`\`${name}\``, text]);

export const messageStatuses = entriesOf({
  queued:
    'Accepted, waiting for a worker, for the `scheduledAt` of a scheduled message, or, as an email, for the provider’s sending rate. The first status of sms and whatsapp.',
  sending: 'Being handed to the provider, or handed over without a known result.',
  sent: 'Accepted by the provider. The first status of an email that is not scheduled, unless the provider refused it (`failed`), its response was lost (`sending`) or its sending rate is exceeded (`queued`).',
  delivered: 'The recipient’s server or handset confirmed the delivery.',
  opened: 'The recipient opened the email.',
  clicked: 'The recipient clicked a tracked link in the email.',
  bounced: 'The recipient’s address rejected the email.',
  failed: 'Not sent or not delivered, and not retried: see `failureReason` and `failureCode`.',
  read: 'The recipient read the whatsapp message.',
  rejected: 'The provider or carrier rejected the message after accepting it. Analytics count it as failed.',
  unsubscribed: 'The recipient opted out.',
  complained: 'The recipient reported the email as spam.',
} satisfies Record<Status, string>);

/** What moves a message, for the table of moves. */
export const triggers: Readonly<Record<Trigger, string>> = {
  pickedUp: 'A worker takes the message, or the scheduled time of an email has come.',
  putOff: 'The provider takes no email now: a worker tries again for up to a day.',
  providerAccepted: 'The provider accepts the message. Event `message.sent`.',
  providerRefused: 'The provider refuses the message. Event `message.failed`.',
  sendInterrupted:
    'The send ended before a provider accepted the message (`send_interrupted`, `expired`, `provider_unavailable`). Its credits are returned. Event `message.failed`.',
  fateUnknown:
    'The provider’s response was lost and no report has arrived (`send_unconfirmed`). The message may have been delivered.',
  sendFailed: 'The send fails for good before a provider accepts the message. Event `message.failed`.',
  deliveryFailed: 'The provider accepted the text and reports that it could not deliver it. Event `message.failed`.',
  mailUndelivered:
    'The email could not be delivered, also after the recipient’s server accepted it: its mailbox was full, for example. Event `message.failed`.',
  contentRejected: 'The provider or the carrier rejects the message after it accepted it. Event `message.failed`.',
  deliveryConfirmed: 'The recipient’s server or handset confirms the delivery. Event `message.delivered`.',
  addressRejected: 'The recipient’s address rejects the email. Event `message.bounced`.',
  opened: 'The recipient opens the email.',
  clicked: 'The recipient clicks a tracked link.',
  read: 'The recipient reads the whatsapp message.',
  optedOut: 'The recipient unsubscribes by a link of the email, or answers the text with STOP.',
  complained: 'The recipient reports the email as spam.',
};

const returned = 'Returned';
const kept = 'Kept';

const failureTexts: Readonly<Record<OwnFailureCode, readonly [meaning: string, credits: string]>> = {
  send_blocked: [
    'A rule blocked a scheduled message at its time, or the recipient opted out while a text waited',
    returned,
  ],
  expired: [
    'The text was not sent within `expiresInSeconds`; or a scheduled email could not be sent for so long that its content was deleted',
    returned,
  ],
  no_provider: ['The account has no provider for this channel', returned],
  provider_misconfigured: [
    'The provider’s settings do not allow a request, for example because its URL leads to a private address',
    returned,
  ],
  provider_unavailable: [
    'The provider did not accept the message in several attempts, or did not respond for a day',
    returned,
  ],
  send_interrupted: ['The send was interrupted before the provider responded', returned],
  restored: ['It was due while the service was restored to an earlier time, and an operator ended it', returned],
  send_unconfirmed: ['The provider’s response was lost, or it was 500; the message may have been delivered', kept],
  report_timeout: ['No report arrived within 72 hours; the message may have been delivered', kept],
  address_suppressed: ['SES does not send to this address any more, because it rejected an earlier email', kept],
  rejected: ['SES accepted the email and then did not send it, because it found a virus in it', kept],
  rendering_failed: ['SES accepted the email and could not render it', kept],
  undelivered: ['The gateway of texts reported that the text was not delivered, and gave no code', kept],
  failed: ['Meta reported that the message was not delivered, and gave no code', kept],
};

/** Code, meaning, and what becomes of the credits. */
export const failureCodes = Object.entries(failureTexts).map(([code, texts]) => [`\`${code}\``, ...texts]);

export const statusRules = [
  'A send that a rule blocks, or that the credits do not cover, creates no message. A late or repeated report from a provider never moves a message back to an earlier status.',
];

export const contactStatuses = entriesOf({
  active: 'The status of every new contact.',
  unsubscribed: 'The contact opted out.',
  bounced: 'The contact’s address rejected an email permanently.',
  complained: 'The contact reported an email as spam.',
  quarantined: 'Held by abuse prevention, because the spam scan rejected three sends to the contact within 24 hours.',
} satisfies Record<ContactStatus, string>);

export const events = entriesOf({
  'message.sent': 'A provider accepted the message.',
  'message.delivered': 'The recipient’s server or handset confirmed the delivery.',
  'message.failed': 'The message failed, or was rejected, and is not retried.',
  'message.bounced': 'The recipient’s address rejected the email.',
} satisfies Record<EventName, string>);

export const eventRules = [
  'Only messages sent through the API have events; campaigns and automations have none. No event is sent for `opened`, `clicked`, `read`, `unsubscribed` and `complained`: `GET /suppressions` lists who has opted out or complained.',
  'The body of a delivery is `{ id, event, createdAt, data: { message } }`. `id` is `evt_` followed by a UUID, and is unique for each event; `message` is the Message object, including its `metadata`. The event name is also in the headers `X-Service-Event` and `X-Webhook-Event`.',
  'A test sends the event `webhook.test` with the body `{ event, tenantId, timestamp, data: { webhookId, webhookName } }`.',
];
