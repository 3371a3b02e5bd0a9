import type { Mistake } from './mistake.ts';

const done = 'nobody does what their role and their session do not allow';
const refused = 'nobody is refused what their role and their session allow';
const keyEnds = 'a lent key ends with its session, its membership, or its time';
const keyWorks = 'a lent key works until then';
const heads = 'an account keeps an owner, and the platform an operator';
const asked = 'members, sessions and tokens are as they were last asked to be';
const found = 'who is a member is found, and is removed unless they are the last owner or operator';
const invited = 'an account invites as many people a day as it may';
const seen = 'people see themselves and their accounts as they are, and nothing of others';
const link = 'a link signs in once, within its ten minutes';
const mailed = 'who asks to sign in is mailed a link, if they are somebody here';
const often = 'an address is mailed three links a minute at most';
const told = 'who is made a member is told so by email';
const noted = 'a change by a person or a token is in the audit log, once, with what came of it';
const notedOfKeys = 'a change with a lent key is in the audit log, with who has the key';
const ownLog = 'the log of an account has its own entries, all of them';
const unnoted = 'what is not in the audit log was not done';

/** Mistakes with people, their sessions and their keys that the simulation must find. */
export const peopleMistakes: readonly Mistake[] = [
  {
    name: 'a viewer may change members',
    file: 'shared/people/person.ts',
    find: 'roles.indexOf(given) >= roles.indexOf(wanted)',
    replace: 'roles.indexOf(given) >= Math.min(roles.indexOf(wanted), 1)',
    breaks: [done],
  },
  {
    name: 'a role is not enough for what it is named for',
    file: 'shared/people/person.ts',
    find: 'roles.indexOf(given) >= roles.indexOf(wanted)',
    replace: 'roles.indexOf(given) > roles.indexOf(wanted)',
    breaks: [refused],
  },
  {
    name: 'whoever signs out stays signed in with the cookie',
    file: 'shared/people/end-session.ts',
    find: '  await signIns.signOut(hash);\n',
    replace: '',
    breaks: [done, asked],
  },
  {
    name: 'who is a member of two accounts may use one of them',
    file: 'shared/table/people/member-store.ts',
    find: '{ from, to, newestFirst: false }',
    replace: '{ from, to, newestFirst: false, limit: 1 }',
    breaks: [refused, seen],
  },
  {
    name: 'keys outlive the role that they were lent for',
    file: 'functions/people/change-member/handler.ts',
    find: 'accessKeys.end(person, { account }, nowMs)',
    replace: 'Promise.resolve()',
    breaks: [keyEnds],
  },
  {
    name: 'a key is lent for the role that its holder had before',
    file: 'shared/table/people/access-key-store.ts',
    find: "ConditionExpression: '#role = :role',",
    replace: "ConditionExpression: '#role = :role OR attribute_exists(PK)',",
    breaks: [keyEnds],
  },
  {
    name: 'a key that is lent while its holder is removed stays',
    file: 'shared/table/people/member-store.ts',
    find: 'attribute_not_exists(keysLent) OR keysLent = :keysLent',
    replace: 'attribute_not_exists(keysLent) OR keysLent >= :keysLent',
    breaks: [keyEnds],
  },
  {
    name: 'a session that ends lends a key',
    file: 'shared/people/end-session.ts',
    find: '  await signIns.lendNoMore(hash);\n',
    replace: '',
    breaks: [keyEnds],
  },
  {
    name: 'the end of a session ends the keys of the person’s other sessions',
    file: 'shared/table/people/access-key-store.ts',
    find: 'value === undefined || item[name] === value',
    replace: "value === undefined || item[name] === value || name === 'session'",
    breaks: [keyWorks],
  },
  {
    name: 'of two owners who remove each other, none stays',
    file: 'shared/table/people/member-store.ts',
    find: "{ ConditionExpression: 'heads > :least' }",
    replace: "{ ConditionExpression: 'heads >= :least' }",
    breaks: [heads],
  },
  {
    name: 'an owner who is removed is still counted',
    file: 'shared/table/people/member-store.ts',
    find: '        ...countHeads(scope, found.role, undefined),\n',
    replace: '',
    breaks: [heads],
  },
  {
    name: 'a member who is given a role while they are removed has it',
    file: 'shared/table/people/member-store.ts',
    find: "ExpressionAttributeValues: { ...values, ':after': after },",
    replace: `ExpressionAttributeValues: { ...values, ':after': after },
            ConditionExpression: \`(\${names.ConditionExpression}) OR attribute_not_exists(PK)\`,`,
    breaks: [done, seen, asked, heads, found],
  },
  {
    name: 'a member who is changed by two at once counts as the last one',
    file: 'shared/table/people/member-store.ts',
    find: "position === 0) ? 'changed' : 'last'",
    replace: "position === 0) && writes.length === 1 ? 'changed' : 'last'",
    breaks: [found],
  },
  {
    name: 'invitations are counted by the minute',
    file: 'functions/people/add-member/handler.ts',
    find: '{ windowMinutes: dayMinutes }',
    replace: '{ windowMinutes: 1 }',
    breaks: [invited],
  },
  {
    name: 'a session is listed for everybody',
    file: 'shared/table/people/sign-in-store.ts',
    find: '          ...indexKeys.signInSession(person, id),\n',
    replace: "          ...indexKeys.signInSession(person.replace(/.*/, ''), id),\n",
    breaks: [seen, asked],
  },
  {
    name: 'a link signs in whoever follows it at once',
    file: 'shared/table/people/sign-in-store.ts',
    find: '(attribute_not_exists(usedAt) AND expiresAt > :now)',
    replace: '((attribute_not_exists(usedAt) OR usedAt = :nowText OR attribute_exists(PK)) AND expiresAt > :now)',
    breaks: [link],
  },
  {
    name: 'a link signs in for ever',
    file: 'shared/table/people/sign-in-store.ts',
    find: '(attribute_not_exists(usedAt) AND expiresAt > :now)',
    replace: '(attribute_not_exists(usedAt) AND (expiresAt > :now OR attribute_exists(expiresAt)))',
    breaks: [link],
  },
  {
    name: 'a link is mailed to whoever asks',
    file: 'functions/notices/give-notice/mail-sign-in.ts',
    find: '    if (!isOperator && Object.keys(roles).length === 0) return;\n',
    replace: '',
    breaks: [mailed],
  },
  {
    name: 'operators are mailed no link',
    file: 'functions/notices/give-notice/mail-sign-in.ts',
    find: 'if (!isOperator && Object.keys(roles).length === 0) return;',
    replace: 'if (Object.keys(roles).length === 0) return;',
    breaks: [mailed],
  },
  {
    name: 'each request to sign in has a limit of its own',
    file: 'shared/http/ask-to-sign-in.ts',
    find: `rates.count(\`sign-in \${email}\`, nowMs)`,
    replace: `rates.count(\`sign-in \${email} \${nowMs}\`, nowMs)`,
    breaks: [often],
  },
  {
    name: 'viewers are not told that they were invited',
    file: 'shared/table/people/member-store.ts',
    find: "isSilent: isSilent || role === 'operator' || undefined,",
    replace: "isSilent: isSilent || role === 'operator' || role === 'viewer' || undefined,",
    breaks: [told],
  },
  {
    name: 'what came of a refused change is not noted',
    file: 'shared/http/endpoint.ts',
    find: "    event.noteStatus = identity.noteStatus;\n    if ('refusal' in identity) throw identity.refusal;\n",
    replace: "    if ('refusal' in identity) throw identity.refusal;\n    event.noteStatus = identity.noteStatus;\n",
    breaks: [noted],
  },
  {
    name: 'an account’s log names strangers who tried to change it',
    file: 'shared/http/people-surface.ts',
    find: 'id !== undefined && (caller.isOperator || roleOn(caller, id)) ? { id } : undefined;',
    replace: 'id !== undefined && (caller.isOperator || caller.person) ? { id } : undefined;',
    breaks: [noted],
  },
  {
    name: 'what is changed with a lent key is not noted',
    file: 'shared/table/accounts/caller-keys.ts',
    find: "lent: item['lent'] as Lent | undefined,",
    replace: 'lent: undefined,',
    breaks: [notedOfKeys],
  },
  {
    name: 'an entry is in the log of its account under another id',
    file: 'shared/table/people/audit-store.ts',
    find: 'indexKeys.auditEntry(entry.account, id);',
    replace: 'indexKeys.auditEntry(entry.account, newId(nowMs));',
    breaks: [ownLog],
  },
  {
    name: 'a change that is of no account is not noted',
    file: 'shared/http/lent-key.ts',
    find: 'if (!lent || noting',
    replace: 'if (!lent || !account || noting',
    breaks: [noted, unnoted],
  },
];
