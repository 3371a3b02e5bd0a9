import { workers } from '../../infra/workers.ts';
import { openAuthors } from './authors.ts';
import { bundleFunctions, type Code, type Mutation } from './bundle-functions.ts';
import { openCheckout } from './checkout.ts';
import { openClerks } from './clerks.ts';
import { openCoverage } from './coverage.ts';
import { actions } from './desk.ts';
import { openDevelopers } from './developers.ts';
import { openExporters } from './exporters.ts';
import { factsOf } from './facts.ts';
import { openImporters } from './importers.ts';
import { invariants } from './invariants.ts';
import { openKeyHolders } from './key-holders.ts';
import { openMessaging } from './messaging.ts';
import { openOperators } from './operators.ts';
import { peopleFactsOf } from './people-facts.ts';
import { openRecipients } from './recipients.ts';
import { openReviewers } from './reviewers.ts';
import { isOfPeople } from './sign-ins.ts';
import { smallSizes } from './sizes.ts';
import { openStaff } from './staff.ts';
import { type Current, surroundingsOf } from './surroundings.ts';
import { openUploaders } from './uploaders.ts';
import { openWatchers } from './watchers.ts';
import { openWorld, type World } from './world.ts';

const folders = [
  'messages/send-message',
  'messages/send-messages',
  'messages/cancel-message',
  'messages/reschedule-message',
  'callbacks/receive-sms-report',
  'callbacks/receive-inbound-sms',
  'contacts/set-consent',
  'contacts/create-contact',
  'contacts/create-contacts',
  'contacts/update-contact',
  'contacts/retire-contact',
  'contacts/set-contact-status',
  ...['adjust-credits', 'create-api-key', 'revoke-api-key', 'raise-spread', 'update-account'].map(
    (does) => `admin/${does}`,
  ),
  'webhooks/resend-delivery',
  ...['update-webhook', 'delete-webhook', 'rotate-secret', 'regenerate-secret', 'replay-events'].map(
    (does) => `webhooks/${does}`,
  ),
  ...['start-import', 'get-import', 'list-contacts', 'start-contact-export', 'get-contact-export'].map(
    (does) => `contacts/${does}`,
  ),
  'attachments/create-attachment',
  ...['start-message-export', 'get-message-export'].map((does) => `messages/${does}`),
  ...['create-template', 'update-template', 'archive-template'].map((does) => `templates/${does}`),
  'suppressions/create-suppression',
  'suppressions/delete-suppression',
  'account/get-account',
  'people/ask-to-sign-in',
  'people/sign-in',
  ...Object.values(actions).map(({ does }) => does),
  'checkout/create-session',
  'checkout/begin-payment',
  'checkout/show-payment',
  'checkout/cancel-payment',
  'checkout/return-from-gateway',
  'merchants/expire-session',
  'merchants/refund-payment',
  ...['review-payment', 'review-refund', 'create-refund', 'list-payments', 'set-chaos', 'delete-checkout-webhook'].map(
    (does) => `checkout/${does}`,
  ),
  ...['get-session', 'get-session-status', 'begin-payment-by-form', 'show-result'].map((does) => `checkout/${does}`),
  ...['retrieve-session', 'get-payment', 'get-refund', 'list-sessions', 'list-payments', 'list-refunds'].map(
    (does) => `merchants/${does}`,
  ),
  'callbacks/receive-payment-notification',
  ...workers.map(({ does }) => does).filter((does) => !/sms-event|traffic/.test(does)),
];

/** Virtual time until everything must have come to its end. A refund that was interrupted is asked about after an hour, and after six; one that follows from it, too. */
const longestMs = { messages: 3 * 3_600_000, money: 7 * 3_600_000, reviews: 16 * 3_600_000 } as const;
const sweepMs = 60_000;
/** Of so many worlds one takes payments too, another has clerks, a third developers, and the fourth recipients who answer. */
const worldsPerKind = 4;
/** In half of the worlds with payments, gateways do not always report what was asked, and operators settle what is held then. */
const worldsPerReviews = 2 * worldsPerKind;
/** Of so many worlds one has authors of templates too, and the next one keys that are revoked. */
const worldsPerAuthors = 9;
/** Of so many worlds one has people who are at work in the dashboard, and another one operators who change its accounts. */
const worldsPerStaff = 7;
/** Of so many worlds one has imports and exports too, and the next one exports and uploaded files. */
const worldsPerFiles = 13;

export interface Result {
  readonly seed: number;
  /** What does not hold, each with the name of its invariant. */
  readonly broken: readonly { readonly invariant: string; readonly what: string }[];
  readonly operations: readonly string[];
  readonly faults: readonly string[];
  readonly events: number;
}

export interface Wishes {
  readonly without?: ReadonlySet<string>;
  readonly trace?: (line: string) => void;
}

/** Everybody who is at work in a world. */
const openActors = async (world: World, code: Code) => {
  const messaging = await openMessaging(world, code);
  const kind = world.seed % worldsPerKind;
  const hasReviews = world.seed % worldsPerReviews === worldsPerKind;
  const checkout = kind === 0 ? await openCheckout(world, code, messaging.accounts, hasReviews) : undefined;
  const reviewers = checkout && hasReviews ? await openReviewers(world, code, checkout) : undefined;
  const watchers = checkout && hasReviews ? openWatchers(world, checkout) : undefined;
  const clerks = kind === 2 ? await openClerks(world, code, messaging) : undefined;
  const recipients = kind === 1 ? await openRecipients(world, code, messaging) : undefined;
  const developers = kind === 3 ? openDevelopers(world, messaging) : undefined;
  const authors = world.seed % worldsPerAuthors === 0 ? openAuthors(world, messaging) : undefined;
  const hasKeys = world.seed % worldsPerAuthors === 1;
  if (world.seed % worldsPerStaff === 3) await openOperators(world, code, messaging);
  const keyHolders = hasKeys ? await openKeyHolders(world, code, messaging) : undefined;
  const staff = world.seed % worldsPerStaff === 0 ? await openStaff(world, code, messaging) : undefined;
  const files = world.seed % worldsPerFiles;
  const importers = files === 3 ? openImporters(world, messaging) : undefined;
  const exporters = files === 3 || files === 4 ? openExporters(world, messaging) : undefined;
  const uploaders = files === 4 ? openUploaders(world, messaging) : undefined;
  world.connect({
    mail: (mail, chance) =>
      staff && isOfPeople(mail) ? staff.mail(mail, chance) : messaging.outside.mail(mail, chance),
    http: (call, chance) => checkout?.gateways.answer(call) ?? messaging.outside.http(call, chance),
  });
  return {
    ...{ messaging, checkout, clerks, developers, recipients, authors, keyHolders, reviewers, watchers, staff },
    ...{ importers, exporters, uploaders },
  };
};

type Actors = Awaited<ReturnType<typeof openActors>>;

/** Lets time pass while anything is under way, with what schedules send; gives how much has happened. */
const untilQuiet = async (
  { timeline, queues, startMs }: World,
  { messaging, checkout, reviewers }: Actors,
): Promise<number> => {
  const endMs = startMs + longestMs[reviewers ? 'reviews' : checkout ? 'money' : 'messages'];
  const isScheduling = () =>
    messaging.isScheduling() || checkout?.isScheduling() === true || reviewers?.isScheduling() === true;
  let events = 0;
  while (timeline.nowMs() < endMs && (!timeline.isEmpty() || isScheduling())) {
    if (messaging.isScheduling()) queues.add('scheduled', '{"kind":"sweep"}', 0);
    for (const job of checkout?.sweeps() ?? []) queues.add('payments', job, 0);
    events += await timeline.runUntil(timeline.nowMs() + sweepMs);
  }
  return events;
};

/** Bundles the product, with its mistakes if it is to have some. Returns what runs seeds on it. */
export const openSimulation = async (mutations: readonly Mutation[] = []) => {
  const load = await bundleFunctions([...new Set(folders)], [...smallSizes, ...mutations]);
  const current: Partial<Current> = {};
  const code: Code = load(surroundingsOf(current as Current));
  const coverage = openCoverage();

  return {
    coverage,

    /** Lets a world run until it is quiet, and judges it. */
    run: async (seed: number, { without = new Set(), trace = () => undefined }: Wishes = {}): Promise<Result> => {
      const world = openWorld({ seed, without, code, current: current as Current, coverage, trace });
      const actors = await openActors(world, code);
      const events = await untilQuiet(world, actors);
      if (actors.watchers) await world.until(actors.watchers.readAll());
      const facts = await factsOf(world, code, actors);
      const people = actors.staff && (await peopleFactsOf(world, code, actors.staff, actors.messaging));
      const judged = { world, ...actors, facts, people };
      const broken = invariants.flatMap(({ name, violations }) =>
        violations(judged).map((what) => ({ invariant: name, what })),
      );
      return { seed, broken, operations: world.operations, faults: world.machine.faultsMet, events };
    },
  };
};
