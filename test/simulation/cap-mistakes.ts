import type { Mistake } from './mistake.ts';

/** Mistakes with the frequency cap that the simulation must find. */
export const capMistakes: readonly Mistake[] = [
  {
    name: 'a slot of the frequency cap is taken twice',
    file: 'shared/table/messages/send-conditions.ts',
    find: '      ...versionAsRead(version),\n',
    replace: '',
    breaks: ['no contact gets more texts than its frequency cap'],
  },
  {
    name: 'a text that its provider refused keeps its slot',
    file: 'shared/table/messages/end-unsent.ts',
    find: '[...end, ...(await slotBackWrites(table, at.accountId, message))]',
    replace: 'end',
    breaks: ['a text that was not sent keeps no slot of the frequency cap'],
  },
];
