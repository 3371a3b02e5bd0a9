import type { Mistake } from './mistake.ts';

const nothing = 'a preview changes nothing';
const verdict = 'a send answers as its preview says, unless something has changed since';
const says = 'a message says what its preview said, for the price that it named';
const template = 'a preview of a template says what the template says';

/** Mistakes with previews that the simulation must find. */
export const previewMistakes: readonly Mistake[] = [
  {
    name: 'a preview notes when its account was last used',
    file: 'shared/table/messages/send-context-store.ts',
    find: '    read: async (account: AccountRef, wanted: Wanted): Promise<PreparedSend> => {\n',
    replace:
      "    read: async (account: AccountRef, wanted: Wanted): Promise<PreparedSend> => {\n      await table.update({ Key: itemKeys.account(account.id), UpdateExpression: 'SET usedAt = :now', ExpressionAttributeValues: { ':now': Date.now() } });\n",
    breaks: [nothing],
  },
  {
    name: 'a preview does not look at the credits',
    file: 'functions/messages/preview-message/handler.ts',
    find: '(credits?.[price.counter] ?? 0) < price.credits',
    replace: 'credits === undefined',
    breaks: [verdict],
  },
  {
    name: 'a preview does not ask for the window of whatsapp, or the cap',
    file: 'functions/messages/preview-message/handler.ts',
    find: "if ('blocked' in verdict) {",
    replace:
      "if ('blocked' in verdict && verdict.blocked.by !== 'whatsapp-window' && verdict.blocked.by !== 'frequency-cap') {",
    breaks: [verdict],
  },
  {
    name: 'a preview shows its text without the values of variables',
    file: 'functions/messages/preview-message/handler.ts',
    find: 'text: content.text ?? null,\n      ...(channel',
    replace: 'text: body.text ?? content.text ?? null,\n      ...(channel',
    breaks: [says],
  },
  {
    name: 'a preview of a version shows the template as it is',
    file: 'functions/templates/preview-template/handler.ts',
    find: 'await templates.findWhole(account, path.id, version);',
    replace: 'await templates.findWhole(account, path.id);',
    breaks: [template],
  },
];
