import type { Mistake } from './mistake.ts';

const notCalled = 'a subscription that is paused or deleted is not called';
const signed = 'a call is signed with the secrets of its time';
const nothingLeft = 'of a deleted subscription nothing is left';
const nothingLeftOfOwn = 'of a subscription that its owner deleted nothing is left, and it is not called';
const replayed = 'what a replay promises is delivered';

/** Mistakes with subscriptions that change that the simulation must find. */
export const developerMistakes: readonly Mistake[] = [
  {
    name: 'a paused subscription gets what was under way',
    file: 'shared/webhooks/delivery.ts',
    find: 'const wasPaused = !isActive || stored.pauses !== pauses;',
    replace: 'const wasPaused = stored.pauses !== pauses && !isActive && stored.pauses > pauses;',
    breaks: [notCalled],
  },
  {
    name: 'the lines of a deleted subscription stay',
    file: 'functions/chores/do-chore/delete-logs.ts',
    find: '      paces.forget(job.webhook),\n',
    replace: '',
    breaks: [nothingLeft, nothingLeftOfOwn],
  },
  {
    name: 'the log of a deleted subscription is deleted while it is still written',
    file: 'shared/webhooks/deletion.ts',
    find: 'const delaySeconds = 60;',
    replace: 'const delaySeconds = 0;',
    breaks: [nothingLeft, nothingLeftOfOwn],
  },
  {
    name: 'a rotated secret ends at once',
    file: 'functions/webhooks/attempt-delivery/make-attempt.ts',
    find: 'startedMs < validUntilMs',
    replace: 'startedMs > validUntilMs',
    breaks: [signed],
  },
  {
    name: 'a regenerated secret leaves the one before valid',
    file: 'shared/table/webhooks/webhook-items.ts',
    find: "secret === undefined ? [] : ['previousSecret', 'previousValidUntilMs', ...olderFields]",
    replace: "secret === undefined ? [] : ['previousName']",
    breaks: [signed],
  },
  {
    name: 'a replay leaves out what was never delivered',
    file: 'functions/chores/do-chore/replay-part.ts',
    find: 'if (known) return known;',
    replace: 'return known;',
    breaks: [replayed, 'what a failing subscription has missed is delivered by a replay of all since it says so'],
  },
];
