import type { Invariant, Judged } from './invariants.ts';
import type { Removal, Try } from './reviewers.ts';
import type { Fields } from './table/value.ts';

/** As long as a function runs, and what it had sent before it ended: it may have read the subscription as it was before. */
const longestRunMs = 30_000;

/** What operators asked to be changed, by its path, with the account that it is of. */
const changesOf = ({ reviewers, facts }: Judged) => {
  const ownerOf = (payment: string) =>
    facts.find(({ sessions }) => sessions.some(({ payments }) => payments.some(({ id }) => id === payment)))?.account
      .ref.id;
  const { reviews = [], settlings = [], removals = [] } = reviewers ?? {};
  const all: readonly {
    readonly path: string;
    readonly account: string | undefined;
    readonly tries: readonly Try[];
  }[] = [
    ...reviews.map(({ payment, tries }) => ({
      path: `payments/${payment}/resolution`,
      account: ownerOf(payment),
      tries,
    })),
    ...settlings.map(({ payment, refund, tries }) => ({
      ...{ path: `payments/${payment}/refunds/${refund}/resolution`, account: ownerOf(payment), tries },
    })),
    ...removals.map(({ merchant: { account }, webhook, tries }) => ({
      ...{ path: `accounts/${account.ref.id}/checkout-webhooks/${webhook}`, account: account.ref.id, tries },
    })),
  ];
  return [...Map.groupBy(all, ({ path }) => path)].map(([path, some]) => ({
    ...{ path, account: some[0]?.account, tries: some.flatMap(({ tries }) => tries) },
  }));
};

/** Whether these can be the entries of these tries: of one without an answer there may be none, or one without an end. */
const isLogOf = (entries: readonly Fields[], tries: readonly Try[]): boolean => {
  const statuses = tries.map(({ answer }) => answer.status);
  const answered = statuses.filter((status) => status < 500);
  const isKnown = [...new Set(answered)].every((status) => {
    const [same, noted] = [answered.filter((one) => one === status), entries.filter((one) => one['status'] === status)];
    const open = entries.filter((one) => one['status'] === undefined);
    return noted.length + open.length >= same.length;
  });
  return isKnown && entries.length >= answered.length && entries.length <= tries.length;
};

/** Since when a deletion is done for every run. */
const goneMs = ({ tries }: Removal): number => {
  const done = tries.find(({ answer }) => answer.status === 204 || answer.status === 404);
  return done ? done.toMs + longestRunMs : Number.POSITIVE_INFINITY;
};

export const reviewLogInvariants: readonly Invariant[] = [
  {
    name: 'what an operator settles or deletes is in the audit log of its account, once each time',
    violations: (judged) => {
      const log = judged.world.table.all().filter(({ entity }) => entity === 'audit-entry');
      return changesOf(judged).flatMap(({ path, account, tries }) => {
        const own = log.filter(({ resource }) => resource === `/admin/v1/${path}`);
        const isRight = isLogOf(own, tries) && own.every((entry) => entry['account'] === account);
        return isRight ? [] : [`${path}: ${own.length} entries of ${tries.length} requests`];
      });
    },
  },
  {
    name: 'a checkout subscription that is deleted is not called, and nothing of it is left',
    violations: ({ reviewers, messaging, world }) =>
      (reviewers?.removals ?? []).flatMap((removal) => {
        const { merchant, webhook } = removal;
        const url = merchant.webhooks.find(({ id }) => id === webhook)?.url;
        const late = messaging.posts.filter((post) => post.url === url && post.atMs > goneMs(removal));
        const left = world.table.all().filter(({ PK, SK }) => `${PK} ${SK}`.includes(webhook));
        return [
          ...late.map(({ atMs }) => `${url} was called ${atMs - goneMs(removal)} ms after its deletion`),
          ...left.map(({ PK, SK }) => `${PK} ${SK} is left`),
        ];
      }),
  },
];
