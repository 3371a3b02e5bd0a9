import type { Mistake } from './mistake.ts';

const once = 'a subscription that was wanted is there once, unless it was refused or deleted';
const limit = 'an account has as many subscriptions as it may, and is refused another one only then';
const gone = 'of a subscription that its owner deleted nothing is left, and it is not called';
const found = 'a subscription that is there is found';
const asked = 'what is sent to a subscription is what it asked for, signed with the secret that was shown';
const tests = 'a test is one call, and one row of the log';
const again = 'what has failed is sent again once when it is asked for, and nothing else';
const logs = 'logs and lists of subscriptions say what was delivered';
const each = 'every active subscription gets each event that it wants, as one delivery';
const notCalled = 'a subscription that is paused or deleted is not called';
const nothingLeft = 'of a deleted subscription nothing is left';
const store = 'shared/table/webhooks/webhook-store.ts';

/** Mistakes with the making of subscriptions, and with their logs, that the simulation must find. */
export const subscriberMistakes: readonly Mistake[] = [
  {
    name: 'a subscription that was deleted stays',
    file: 'shared/webhooks/deletion.ts',
    find: '  await webhooks.remove(account, webhook);\n',
    replace: '',
    breaks: [once, notCalled, nothingLeft, gone],
  },
  {
    name: 'two subscriptions that are made at once are both the last',
    file: store,
    find: "before === 0 ? 'attribute_not_exists(creations)' : 'creations = :before',",
    replace: "before === 0 ? 'attribute_not_exists(PK) OR attribute_exists(PK)' : 'creations >= :before',",
    breaks: [limit],
  },
  {
    name: 'the log of a deleted subscription stays',
    file: 'functions/chores/do-chore/delete-logs.ts',
    find: 'if (await deliveries.removeBatch(job.webhook)) await',
    replace: 'if (job.webhook === job.account) await',
    breaks: [gone, nothingLeft],
  },
  {
    name: 'a subscription that begins paused is not found',
    file: store,
    find: 'return item && isOurs(item)\n',
    replace: 'return item && isOurs(item) && isActiveIn(item)\n',
    breaks: [found, logs],
  },
  {
    name: 'the log of a subscription is deleted for anyone who has its id',
    file: 'functions/webhooks/delete-webhook/handler.ts',
    find: "    existing('webhook_not_found', await webhooks.find(account, path.id));\n",
    replace: '',
    breaks: ['nobody but its account has a subscription', each, 'totals equal finished deliveries'],
  },
  {
    name: 'the secret that is shown is not the one that signs',
    file: 'functions/webhooks/create-webhook/handler.ts',
    find: 'body, { secret, most })',
    replace: 'body, { secret: makeSecret(), most })',
    breaks: [asked],
  },
  {
    name: 'the subscriptions of an account are remembered for as long as a function runs',
    file: store,
    find: '(await itemsOf(accountId)).map((item) => ({',
    replace:
      '(await ((Reflect.get(table, accountId) ?? (Reflect.set(table, accountId, itemsOf(accountId)) && Reflect.get(table, accountId))) as Promise<Item[]>)).map((item) => ({',
    breaks: [each, 'sequence numbers have no gap'],
  },
  {
    name: 'a test is not in the log',
    file: 'shared/table/webhooks/attempt-store.ts',
    find: '        putNew(deliveryItem(target.account.id, cipher, ended)),\n',
    replace: '',
    breaks: [tests, 'totals equal finished deliveries'],
  },
  {
    name: 'a test that fails is made again',
    file: 'functions/webhooks/test-webhook/handler.ts',
    find: 'const answer = await webhookTarget.post({ url, body, headers });',
    replace:
      'const first = await webhookTarget.post({ url, body, headers });\n    const answer = isSuccess(first) ? first : await webhookTarget.post({ url, body, headers });',
    breaks: [tests],
  },
  {
    name: 'what was delivered is sent again with what has failed',
    file: 'shared/webhooks/resend.ts',
    find: 'meant.filter(({ state }) => states.includes(state))',
    replace: "meant.filter(({ state }) => states.includes(state) || state === 'succeeded')",
    breaks: [again],
  },
  {
    name: 'the newest failed delivery is not sent again',
    file: 'shared/webhooks/resend.ts',
    find: '[...ended.slice(0, mostResent), ...before.slice(0, mostResent)]',
    replace: '[...ended.slice(0, Math.max(1, ended.length - 1)), ...before.slice(0, mostResent)]',
    breaks: [again, 'what a failing subscription has missed is delivered by a replay of all since it says so'],
  },
  {
    name: 'a page of a log leaves out a delivery',
    file: 'functions/webhooks/list-logs/handler.ts',
    find: '{ offset: (page - 1) * limit, limit }',
    replace: '{ offset: (page - 1) * (limit + 1), limit }',
    breaks: [logs],
  },
];
