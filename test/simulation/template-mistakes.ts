import type { Mistake } from './mistake.ts';

const says = 'a message says what its template said when it was asked for';
const archived = 'a template can be sent until it is archived';
const lastAsked = 'a template is as it was last asked to be';
const versions = 'every change of a template is a version, once';

/** Mistakes with templates that the simulation must find. */
export const templateMistakes: readonly Mistake[] = [
  {
    name: 'an archived template can be sent',
    file: 'shared/table/messages/send-context-store.ts',
    find: 'template: row && !isArchived(row) ?',
    replace: 'template: row ?',
    breaks: [archived],
  },
  {
    name: 'a change of a template keeps what its body said before',
    file: 'shared/table/templates/template-store.ts',
    find: '...[...parts, ...itemsOf(past(account.id, id, version), cipher, found.whole, version)].map(put),',
    replace:
      '...[...itemsOf(current(account.id, id), cipher, { ...after, content: found.whole.content }, version + 1).slice(1), ...(parts.length > 9 ? parts : []), ...itemsOf(past(account.id, id, version), cipher, found.whole, version)].map(put),',
    breaks: [says, lastAsked, versions],
  },
  {
    name: 'of two changes of a template at once, one is lost',
    file: 'shared/table/templates/template-store.ts',
    find: 'ConditionExpression: `(version = :version${',
    replace: 'ConditionExpression: `(attribute_exists(PK) OR version = :version${',
    breaks: [lastAsked, versions],
  },
  {
    name: 'a template that changes while it is read is taken in parts',
    file: 'shared/table/templates/template-store.ts',
    find: 'one !== undefined && versionOf(one) === versionOf(other);',
    replace: 'one !== undefined && versionOf(one) > 0;',
    breaks: [says, lastAsked, versions],
  },
];
