import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupsOf } from './spelled.ts';

it.each([
  ['B1F90A2C3D', 'B1F9 0A2 C3D'],
  ['019a9c1e-5b7a-7c31-9f04-2d6f0c1e8a66', '019a 9c1e- 5b7a- 7c31- 9f04- 2d6f 0c1e 8a66'],
  ['INV-2026/10427', 'INV- 2026/ 104 27'],
  ['1042', '1042'],
  ['ক্রম #7', 'ক্রম # 7'],
  ['', ''],
])('splits the id %j into the groups %j', (id, groups) => {
  expect(groupsOf(id).join(' ')).toBe(groups);
});

it('loses no character of an id, and leaves no group of more than four letters and digits', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (id) => {
      const groups = groupsOf(id);
      expect(groups.join('')).toBe(id);
      for (const group of groups) expect(group).not.toMatch(/[a-z\d]{5}/i);
    }),
  );
});
