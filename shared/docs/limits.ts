import { usualSubscriptions } from '../accounts/account.ts';
import { mostLineItems } from '../checkout/line-items.ts';
import { longest, mostAmountMinor, mostMetadata } from '../checkout/new-session.ts';
import { longestReturnUrl } from '../checkout/return-url.ts';
import {
  longestFirstOrLastName,
  longestSource,
  longestTag,
  mostContacts,
  mostCustomFieldsBytes,
  mostTags,
} from '../contacts/contact-fields.ts';
import { mostFilterTags } from '../contacts/contact-filter.ts';
import { mostWords } from '../contacts/search.ts';
import { largestInteger } from '../http/fields.ts';
import { grouped } from '../kit/grouped.ts';
import { maximumDepth, mostValues } from '../kit/json-limits.ts';
import { longestFilename, longestHeader, mostAttachments } from '../messages/attachment.ts';
import { longestFromName, longestSubject, longestWhatsapp, mostFilledIn } from '../messages/content.ts';
import { longestRecipient } from '../messages/email-address.ts';
import { mostMessages, mostMetadataBytes, mostTagBytes } from '../messages/message.ts';
import { mostSegments } from '../messages/segments.ts';
import { mostAheadDays } from '../messages/send-time.ts';
import { mostVersions } from '../templates/template.ts';
import { mostOfTemplate } from '../templates/template-fields.ts';
import { mostImportBytes } from '../transfers/contact-import.ts';
import { longestEvent, longestName, longestUrl, mostEvents } from '../webhooks/webhook.ts';

/** The most that the service accepts of something. */
export interface Limit {
  /** The limited quantity. CommonMark. */
  readonly on: string;
  readonly most: number;
  readonly unit: string;
}

const subscriptions = [
  { on: 'Webhook subscriptions of an account', most: usualSubscriptions, unit: 'subscriptions' },
  { on: 'Name of a webhook subscription', most: longestName, unit: 'characters' },
  { on: 'URL of a webhook subscription', most: longestUrl, unit: 'characters' },
  { on: 'Events of a webhook subscription', most: mostEvents, unit: 'names' },
] as const satisfies Limit[];

/** Limits of the specification, which the references give with each field. */
export const specifiedLimits = [
  { on: '`to` of a message', most: longestRecipient, unit: 'characters' },
  { on: '`subject` of an email', most: longestSubject, unit: 'characters' },
  { on: '`fromName` of an email', most: longestFromName, unit: 'characters' },
  { on: '`attachments` of an email', most: mostAttachments, unit: 'files' },
  { on: '`filename` of an attachment', most: longestFilename, unit: 'characters' },
  { on: '`sendAt`', most: mostAheadDays, unit: 'days ahead' },
  { on: 'Messages of a batch', most: mostMessages, unit: 'messages' },
  { on: 'Contacts that are created in bulk', most: mostContacts, unit: 'contacts' },
  { on: 'File of an import', most: mostImportBytes, unit: 'bytes' },
  { on: 'First and last name of a contact', most: longestFirstOrLastName, unit: 'characters each' },
  {
    on: '`customFields` of a contact',
    most: mostCustomFieldsBytes,
    unit: 'bytes of JSON; a larger object is dropped',
  },
  { on: '`name` of a template', most: mostOfTemplate.name, unit: 'characters' },
  { on: '`description` of a template', most: mostOfTemplate.description, unit: 'characters' },
  { on: '`subject` of a template', most: mostOfTemplate.subject, unit: 'characters' },
  { on: '`htmlContent` of a template', most: mostOfTemplate.htmlContent, unit: 'characters' },
  { on: '`textContent` of a template', most: mostOfTemplate.textContent, unit: 'characters' },
  { on: '`variables` of a template', most: mostOfTemplate.variables, unit: 'names' },
  { on: 'Each of the `variables` of a template', most: mostOfTemplate.variableName, unit: 'characters' },
  { on: 'Versions of a template in its list', most: mostVersions, unit: 'versions' },
] as const satisfies Limit[];

/** Limits beyond those of the specification, printed on `/docs`. A test checks each by its name. */
export const messagingLimits = [
  { on: 'JSON body', most: maximumDepth, unit: 'levels of nesting' },
  { on: 'Values of a JSON body', most: mostValues, unit: 'values, in all its lists and objects' },
  { on: '`tags` of a message', most: mostTagBytes, unit: 'bytes of JSON in total' },
  { on: '`metadata` of a message', most: mostMetadataBytes, unit: 'bytes of JSON, as sent' },
  { on: 'Content with its variables expanded', most: mostFilledIn, unit: 'characters of expanded placeholders' },
  { on: '`text` of an sms', most: mostSegments, unit: 'segments, variables expanded' },
  { on: '`text` of a whatsapp message', most: longestWhatsapp, unit: 'characters, variables expanded' },
  { on: '`contentType` of an attachment', most: longestHeader, unit: 'characters' },
  { on: '`cid` of an attachment', most: longestHeader, unit: 'characters' },
  { on: '`tags` of a contact', most: mostTags, unit: 'tags' },
  { on: 'Each tag of a contact', most: longestTag, unit: 'characters' },
  { on: '`source` of a contact', most: longestSource, unit: 'characters' },
  {
    on: 'Words of a name that `search` matches',
    most: mostWords,
    unit: 'different words of first and last name together',
  },
  { on: '`tags` filter of GET /contacts', most: mostFilterTags, unit: 'tags' },
  { on: '`page` of a list', most: largestInteger, unit: '' },
  ...subscriptions,
  { on: 'Name of an event in a webhook subscription', most: longestEvent, unit: 'characters' },
] as const satisfies Limit[];

/** Printed on `/docs/checkout`. A test checks each by its name. */
export const checkoutLimits = [
  { on: '`amountMinor`', most: mostAmountMinor, unit: 'minor units' },
  { on: '`description`', most: longest.description, unit: 'characters' },
  { on: '`customer.name`', most: longest.name, unit: 'characters' },
  { on: '`customer.email`', most: longest.email, unit: 'characters' },
  { on: '`customer.phone`', most: longest.phone, unit: 'characters' },
  { on: '`invoiceId`', most: longest.invoiceId, unit: 'characters' },
  { on: '`successUrl`', most: longestReturnUrl, unit: 'characters' },
  { on: '`cancelUrl`', most: longestReturnUrl, unit: 'characters' },
  { on: '`metadata`', most: mostMetadata.keys, unit: 'keys' },
  { on: 'Each key of `metadata`', most: mostMetadata.keyCharacters, unit: 'characters' },
  { on: 'Each value of `metadata`', most: mostMetadata.valueCharacters, unit: 'characters' },
  { on: '`lineItems`', most: mostLineItems.count, unit: 'items' },
  { on: '`lineItems` as a whole', most: mostLineItems.bytes, unit: 'bytes of JSON' },
  ...subscriptions,
] as const satisfies Limit[];

/** As text, for a definition list. */
export const limitEntries = (limits: readonly Limit[]): (readonly [name: string, text: string])[] =>
  limits.map(({ on, most, unit }) => [on, `At most ${grouped(most)} ${unit}`.trim().concat('.')]);

/** Rules without a number. CommonMark. */
export const phoneRules =
  'A phone number is in E.164 format: `+`, country code and subscriber number, 7 to 15 digits in total, without spaces. Without the `+`, a number of 8 digits or more is accepted if it is a valid international number. A contact has it with its `+`; the `to` of a message stays as it was sent.';
