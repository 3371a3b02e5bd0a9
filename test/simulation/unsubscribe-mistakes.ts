import type { Mistake } from './mistake.ts';

const notWritten = 'nothing that was asked for later goes to a recipient who has unsubscribed, until it may again';
const recorded = 'who has unsubscribed is recorded as unsubscribed, and nobody else';
const ownMessage = 'a link unsubscribes from its own message, and no other link does';
const stays = 'an email that bounced before its owner unsubscribed, or after, stays on the list';
const works = 'every link of a mail works, and no other does';

/** Mistakes with unsubscribing that the simulation must find. */
export const unsubscribeMistakes: readonly Mistake[] = [
  {
    name: 'a link with a broken seal works',
    file: 'shared/messages/message-link.ts',
    find: 'return isSameText(token, genuine) ? messageId : undefined;',
    replace: 'return isSameText(token.slice(0, 40), genuine.slice(0, 40)) ? messageId : undefined;',
    breaks: [works, ownMessage, recorded],
  },
  {
    name: 'a message that was opened or clicked cannot be unsubscribed from',
    file: 'shared/messages/moves.ts',
    find: "from: [...underWay, 'delivered', 'opened', 'clicked', 'read'],",
    replace: "from: [...underWay, 'delivered', 'read'],",
    breaks: [ownMessage],
  },
  {
    name: 'an operator who activates a contact gives back the consent that its owner withdrew',
    file: 'shared/contacts/reaction.ts',
    find: "if (status === 'unsubscribed') return left(after, nowMs);",
    replace: "if (status === 'unsubscribed') return after;",
    breaks: [recorded, notWritten],
  },
  {
    name: 'an address that no contact has any more is not kept as unsubscribed',
    file: 'shared/contacts/outcome-recorder.ts',
    find: 'if (address && reason) await',
    replace: "if (address && reason && reason !== 'unsubscribed') await",
    breaks: [recorded, notWritten],
  },
  {
    name: 'who has unsubscribed gets texts',
    file: 'shared/compliance/recipient-rules.ts',
    find: 'reason: ({ channel, isUnsubscribed }) =>\n    isUnsubscribed ?',
    replace: "reason: ({ channel, isUnsubscribed, consent }) =>\n    isUnsubscribed && consent !== 'active' ?",
    breaks: [notWritten],
  },
  {
    name: 'an email that has bounced leaves the list with the unsubscription of its owner',
    file: 'shared/contacts/suppression.ts',
    find: "(!isHolder(after, address) || (reason === 'bounced' && hasUnsubscribed)),",
    replace: "(!isHolder(after, address) || (reason === 'complained' && hasUnsubscribed)),",
    breaks: [stays],
  },
  {
    name: 'an email that bounces while its owner is unsubscribed is on no list of its own',
    file: 'shared/contacts/outcome-recorder.ts',
    find: "if (contact?.after.status === 'unsubscribed') await keepBounce",
    replace: "if (contact?.after.status === 'bounced') await keepBounce",
    breaks: [stays],
  },
];
