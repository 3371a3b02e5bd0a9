import { openApprovals } from './approvals.ts';
import { openAuthors } from './authors.ts';
import type { Code } from './bundle-functions.ts';
import { openCampaigns } from './campaigns.ts';
import { openCarriers } from './carriers.ts';
import { openCheckout } from './checkout.ts';
import { openClerks } from './clerks.ts';
import { openDevelopers } from './developers.ts';
import { openExporters } from './exporters.ts';
import { openFounders } from './founders.ts';
import { openImporters } from './importers.ts';
import { openKeyHolders } from './key-holders.ts';
import { openLeavers } from './leavers.ts';
import { openMessaging } from './messaging.ts';
import { openOperators } from './operators.ts';
import { openPreviewers } from './previewers.ts';
import { openReaders } from './readers.ts';
import { openReceipts } from './receipts.ts';
import { openRecipients } from './recipients.ts';
import { openReviewers } from './reviewers.ts';
import type { Outside } from './services.ts';
import { openShopkeepers } from './shopkeepers.ts';
import { isOfPeople } from './sign-ins.ts';
import { openStaff } from './staff.ts';
import { openSubscribers } from './subscribers.ts';
import { openUploaders } from './uploaders.ts';
import { openVisitors } from './visitors.ts';
import { openWatchers } from './watchers.ts';
import { openWhatsapp } from './whatsapp.ts';
import type { World } from './world.ts';

/** Of so many worlds one takes payments too, another has clerks, a third developers, and the fourth recipients who answer. */
const worldsPerKind = 4;
/** In half of the worlds with payments, gateways do not always report what was asked, and operators settle what is held then. */
const worldsPerReviews = 2 * worldsPerKind;
/** Of so many worlds one has authors of templates too, and the next one keys that are revoked. */
const worldsPerAuthors = 19;
/** Of so many worlds one has people who are at work in the dashboard, and of twice as many another one operators who change its accounts. */
const worldsPerStaff = 11;
/** Of so many worlds one has operators who create accounts, the next one readers, who read while the others write, and campaigns. */
const worldsPerFounders = 9;
/** Of so many worlds that take payments one has receipts. */
const worldsPerReceipts = 5;
/** Of so many worlds one has merchants whose keys and ways to pay change. */
const worldsPerShopkeepers = 2 * worldsPerReviews;
/** Of so many worlds one has imports and exports too, and the next one exports and uploaded files. */
const worldsPerFiles = 23;
/** Of so many worlds one has recipients who unsubscribe, the next one has whatsapp, and the third sends texts by AWS, unless recipients answer a gateway there. */
const worldsPerChannels = 17;

const when = <Actor>(isThere: boolean, open: () => Actor): Actor | undefined => (isThere ? open() : undefined);

/** Everybody who is at work in a world. */
export const openActors = async (world: World, code: Code) => {
  const isOne = (of: number, place: number): boolean => world.seed % of === place;
  const messaging = await openMessaging(world, code);
  const hasReviews = isOne(worldsPerReviews, worldsPerKind);
  const hasCheckout = isOne(worldsPerKind, 0);
  const receipts = await when(hasCheckout && isOne(worldsPerReceipts, 0), () =>
    openReceipts(world, code, messaging.accounts),
  );
  const checkout = await when(hasCheckout, () =>
    openCheckout(world, code, messaging.accounts, { misreports: hasReviews, receipts }),
  );
  const reviewers = checkout && (await when(hasReviews, () => openReviewers(world, code, checkout)));
  const watchers = checkout && when(hasReviews, () => openWatchers(world, checkout));
  const visitors = checkout && openVisitors(world, checkout);
  const gatewayRecipients = await when(isOne(worldsPerKind, 1), () => openRecipients(world, code, messaging));
  const hasCarriers = isOne(worldsPerChannels, 2) && !gatewayRecipients;
  const carriers = await when(hasCarriers, () => openCarriers(world, code, messaging));
  const recipients = gatewayRecipients ?? carriers;
  const clerks = await when(isOne(worldsPerKind, 2), () => openClerks(world, code, messaging));
  const developers = when(isOne(worldsPerKind, 3), () => openDevelopers(world, messaging));
  const authors = when(isOne(worldsPerAuthors, 0), () => openAuthors(world, messaging));
  const keyHolders = await when(isOne(worldsPerAuthors, 1), () => openKeyHolders(world, code, messaging));
  const staff = await when(isOne(worldsPerStaff, 0), () => openStaff(world, code, messaging));
  await when(isOne(2 * worldsPerStaff, 3), () => openOperators(world, code, messaging));
  const founders = await when(isOne(worldsPerFounders, 2), () => openFounders(world, code, messaging));
  const accountsNow = () => [...messaging.accounts, ...(founders?.accounts ?? [])];
  const shopkeepers =
    checkout && (await when(isOne(worldsPerShopkeepers, 8), () => openShopkeepers(world, code, checkout)));
  const subscribers =
    (founders ?? shopkeepers) &&
    (await openSubscribers(world, code, { accountsNow, apis: checkout ? ['messaging', 'checkout'] : ['messaging'] }));
  const hasFiles = isOne(worldsPerFiles, 3);
  const hasUploads = isOne(worldsPerFiles, 4);
  const leavers = await when(isOne(worldsPerChannels, 0), () => openLeavers(world, code, messaging));
  const whatsapp = await when(isOne(worldsPerChannels, 1), () => openWhatsapp(world, code, messaging));
  const approvals = whatsapp && (await openApprovals(world, code, messaging, whatsapp));
  // In half of the worlds with authors, and of those with whatsapp.
  const hasPreviews =
    isOne(2 * worldsPerAuthors, worldsPerAuthors) || isOne(2 * worldsPerChannels, worldsPerChannels + 1);
  const previewers = when(hasPreviews, () => openPreviewers(world, messaging, authors, whatsapp));
  const importers = when(hasFiles, () => openImporters(world, messaging));
  const exporters = when(hasFiles || hasUploads, () => openExporters(world, messaging));
  const uploaders = when(hasUploads, () => openUploaders(world, messaging));
  const hasReaders = isOne(worldsPerFounders, 3);
  const campaigns = when(hasReaders, () => openCampaigns(world, code, messaging));
  const known = { messaging, campaigns, checkout, clerks, authors };
  const readers = await when(hasReaders, () => openReaders(world, code, known));
  const outside: Outside = {
    mail: (mail, chance) => {
      receipts?.refuse(mail);
      return staff && isOfPeople(mail) ? staff.mail(mail, chance) : messaging.outside.mail(mail, chance);
    },
    sms: carriers?.take,
    http: (call, chance) =>
      checkout?.gateways.answer(call) ?? whatsapp?.meta.answer(call, chance) ?? messaging.outside.http(call, chance),
  };
  world.connect(outside);
  return {
    ...{
      messaging,
      checkout,
      receipts,
      clerks,
      developers,
      recipients,
      authors,
      keyHolders,
      reviewers,
      watchers,
      visitors,
      staff,
    },
    ...{ importers, exporters, uploaders, founders, subscribers, shopkeepers },
    ...{ leavers, whatsapp, approvals, carriers, previewers, readers, campaigns, outside },
  };
};

export type Actors = Awaited<ReturnType<typeof openActors>>;
