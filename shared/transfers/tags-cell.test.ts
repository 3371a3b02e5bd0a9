import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { tagsCell, tagsIn } from './tags-cell.ts';

it('tags are separated by semicolons where that can be read again, and a JSON array elsewhere', () => {
  expect([tagsCell(['vip', 'early']), tagsCell([]), tagsCell(['a;b'])]).toEqual(['vip;early', '', '["a;b"]']);
  expect([tagsIn(' vip ; early;'), tagsIn('[vip]'), tagsIn('[1]')]).toEqual([['vip', 'early'], ['[vip]'], ['[1]']]);
});

it('a cell is read as the tags that it was made of', () => {
  const tag = fc.oneof(fc.string(), fc.constantFrom('a;b', ' a', '[]', '["a"]', '"', 'ü'));
  const cells = fc.property(fc.array(tag, { maxLength: 4 }), (tags) => {
    expect(tagsIn(tagsCell(tags))).toEqual(tags);
    expect(tagsIn(tagsCell(tags, ', '), ',')).toEqual(tags);
  });
  fc.assert(cells);
});
