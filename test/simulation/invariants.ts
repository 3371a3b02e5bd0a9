import { approvalInvariants } from './approval-invariants.ts';
import type { Approvals } from './approvals.ts';
import { auditInvariants } from './audit-invariants.ts';
import type { Authors } from './authors.ts';
import { bounceInvariants } from './bounce-invariants.ts';
import { campaignInvariants } from './campaign-invariants.ts';
import type { Campaigns } from './campaigns.ts';
import { capInvariants } from './cap-invariants.ts';
import { carrierInvariants } from './carrier-invariants.ts';
import type { Carriers } from './carriers.ts';
import type { Checkout } from './checkout.ts';
import { checkoutInvariants, foundAtOnce } from './checkout-invariants.ts';
import type { Clerks } from './clerks.ts';
import { contactInvariants } from './contact-invariants.ts';
import type { Days } from './days.ts';
import { developerInvariants } from './developer-invariants.ts';
import type { Developers } from './developers.ts';
import { erasureInvariants } from './erasure-invariants.ts';
import { expiryInvariants } from './expiry-invariants.ts';
import { exportInvariants } from './export-invariants.ts';
import type { Exporters } from './exporters.ts';
import type { AccountFacts } from './facts.ts';
import { failingHookInvariants } from './failing-hook-invariants.ts';
import { founderInvariants } from './founder-invariants.ts';
import type { Founders } from './founders.ts';
import { importInvariants } from './import-invariants.ts';
import type { Importers } from './importers.ts';
import type { KeyHolders } from './key-holders.ts';
import { keyInvariants } from './key-invariants.ts';
import { lastingKeyInvariants } from './lasting-key-invariants.ts';
import { lateMoneyInvariants } from './late-money-invariants.ts';
import type { Leavers } from './leavers.ts';
import { listInvariants } from './list-invariants.ts';
import { messageInvariants } from './message-invariants.ts';
import type { Messaging } from './messaging.ts';
import { newsInvariants } from './news-invariants.ts';
import { lastingMessageInvariants, pausedSendingInvariants } from './paused-sending-invariants.ts';
import type { PeopleFacts } from './people-facts.ts';
import { peopleInvariants } from './people-invariants.ts';
import { previewInvariants } from './preview-invariants.ts';
import type { Previewers } from './previewers.ts';
import { quietInvariants } from './quiet-invariants.ts';
import { readerInvariants } from './reader-invariants.ts';
import type { Readers } from './readers.ts';
import { receiptInvariants } from './receipt-invariants.ts';
import type { Receipts } from './receipts.ts';
import { recipientInvariants } from './recipient-invariants.ts';
import type { Recipients } from './recipients.ts';
import { reviewInvariants } from './review-invariants.ts';
import { reviewLogInvariants } from './review-log-invariants.ts';
import type { Reviewers } from './reviewers.ts';
import { shopkeeperInvariants } from './shopkeeper-invariants.ts';
import type { Shopkeepers } from './shopkeepers.ts';
import { signInInvariants } from './sign-in-invariants.ts';
import { silentTextInvariants } from './silent-text-invariants.ts';
import { subscriberInvariants } from './subscriber-invariants.ts';
import type { Subscribers } from './subscribers.ts';
import { takingInvariants } from './taking-invariants.ts';
import { templateInvariants } from './template-invariants.ts';
import { unsubscribeInvariants } from './unsubscribe-invariants.ts';
import { uploadInvariants } from './upload-invariants.ts';
import type { Uploaders } from './uploaders.ts';
import { viewInvariants } from './view-invariants.ts';
import { visitorInvariants } from './visitor-invariants.ts';
import type { Visitors } from './visitors.ts';
import { watcherInvariants } from './watcher-invariants.ts';
import type { Watchers } from './watchers.ts';
import { webhookInvariants } from './webhook-invariants.ts';
import type { Whatsapp } from './whatsapp.ts';
import { whatsappInvariants } from './whatsapp-invariants.ts';
import type { World } from './world.ts';

export interface Judged {
  readonly world: World;
  readonly messaging: Messaging;
  /** Undefined in worlds without payments. */
  readonly checkout: Checkout | undefined;
  /** Undefined in worlds whose payers get no receipts. */
  readonly receipts: Receipts | undefined;
  /** Undefined in worlds whose contacts come from messages only. */
  readonly clerks: Clerks | undefined;
  /** Undefined in worlds whose subscriptions stay as they are. */
  readonly developers: Developers | undefined;
  /** Undefined in worlds whose consents stay as they are. */
  readonly recipients: Recipients | undefined;
  /** Undefined in worlds without templates. */
  readonly authors: Authors | undefined;
  /** Undefined in worlds whose keys stay as they are. */
  readonly keyHolders: KeyHolders | undefined;
  /** Undefined in worlds whose gateways report what was asked. */
  readonly reviewers: Reviewers | undefined;
  /** Undefined in the same worlds. */
  readonly watchers: Watchers | undefined;
  /** Undefined in worlds without payments. */
  readonly visitors: Visitors | undefined;
  /** Undefined in worlds without files of contacts. */
  readonly importers: Importers | undefined;
  /** Undefined in worlds without exports. */
  readonly exporters: Exporters | undefined;
  /** Undefined in worlds without uploaded files. */
  readonly uploaders: Uploaders | undefined;
  /** Undefined in worlds whose accounts were there before. */
  readonly founders: Founders | undefined;
  /** Undefined in worlds whose merchants stay as they are. */
  readonly shopkeepers: Shopkeepers | undefined;
  /** Undefined in worlds with neither. */
  readonly subscribers: Subscribers | undefined;
  /** Undefined in worlds where nobody unsubscribes from mails. */
  readonly leavers: Leavers | undefined;
  /** Undefined in worlds without whatsapp. */
  readonly whatsapp: Whatsapp | undefined;
  /** Undefined in the same worlds. */
  readonly approvals: Approvals | undefined;
  /** Undefined in worlds whose texts do not go by AWS. */
  readonly carriers: Carriers | undefined;
  /** Undefined in worlds without previews. */
  readonly previewers: Previewers | undefined;
  /** Undefined in worlds where accounts send through the API only. */
  readonly campaigns: Campaigns | undefined;
  /** Undefined in worlds where nobody reads before all is quiet. */
  readonly readers: Readers | undefined;
  /** Undefined until a world that goes on for days has done so. */
  readonly days: Days | undefined;
  readonly facts: readonly AccountFacts[];
  /** Undefined in worlds where nobody is at work in the dashboard. */
  readonly people: PeopleFacts | undefined;
}

/** What must hold of every world that has become quiet. */
export interface Invariant {
  readonly name: string;
  /** What does not hold, in words. */
  readonly violations: (judged: Judged) => readonly string[];
}

const worldInvariants: readonly Invariant[] = [
  {
    name: 'no work is given up or left hanging',
    violations: ({ world: { queues, readers, machine } }) => [
      ...queues.parked.map(({ queue, body }) => `a job of ${queue} was parked: ${body}`),
      ...readers.flatMap(({ discarded }) => discarded.map(({ sequence }) => `change ${sequence} was discarded`)),
      ...machine.hanging().map((run) => `${run} hangs`),
    ],
  },
  {
    name: 'all is over in bounded time',
    violations: ({ world: { timeline } }) => (timeline.isEmpty() ? [] : ['something is still under way']),
  },
  {
    name: 'a request changes nothing of another account',
    violations: ({ world: { trespasses } }) => trespasses,
  },
];

const daysInvariants: readonly Invariant[] = [
  ...failingHookInvariants,
  ...silentTextInvariants,
  ...lastingKeyInvariants,
  ...lateMoneyInvariants,
  ...erasureInvariants,
  ...pausedSendingInvariants,
];

/** What must hold of a world that has gone on for days. */
export const invariantsOfDays: readonly Invariant[] = [
  ...worldInvariants,
  ...daysInvariants,
  ...lastingMessageInvariants,
  ...checkoutInvariants.filter(({ name }) => name !== foundAtOnce),
  ...takingInvariants,
];

export const invariants: readonly Invariant[] = [
  ...worldInvariants,
  ...messageInvariants,
  ...newsInvariants,
  ...listInvariants,
  ...expiryInvariants,
  ...capInvariants,
  ...quietInvariants,
  ...webhookInvariants,
  ...checkoutInvariants,
  ...takingInvariants,
  ...receiptInvariants,
  ...contactInvariants,
  ...developerInvariants,
  ...recipientInvariants,
  ...templateInvariants,
  ...keyInvariants,
  ...reviewLogInvariants,
  ...reviewInvariants,
  ...watcherInvariants,
  ...visitorInvariants,
  ...peopleInvariants,
  ...viewInvariants,
  ...signInInvariants,
  ...auditInvariants,
  ...importInvariants,
  ...exportInvariants,
  ...uploadInvariants,
  ...founderInvariants,
  ...subscriberInvariants,
  ...shopkeeperInvariants,
  ...unsubscribeInvariants,
  ...bounceInvariants,
  ...whatsappInvariants,
  ...approvalInvariants,
  ...carrierInvariants,
  ...previewInvariants,
  ...campaignInvariants,
  ...readerInvariants,
  ...daysInvariants,
];
