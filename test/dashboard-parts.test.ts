import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contactStatuses, startStatus } from '../shared/contacts/contact.ts';
import { type Draft, filledDraft } from '../shared/dashboard/parts/content.ts';
import { csvRows, csvText } from '../shared/dashboard/parts/csv.ts';
import { addressIn } from '../shared/dashboard/parts/typed-address.ts';
import { contactOf, refusedFile } from '../shared/dashboard/screens/contact-rows.ts';
import { JsonText } from '../shared/kit/json-text.ts';
import { contentOf } from '../shared/messages/content.ts';
import { headerOf } from '../shared/transfers/contact-header.ts';
import { contactColumnsOfExport } from '../shared/transfers/export-columns.ts';
import { guardedCell } from '../shared/transfers/guarded-cell.ts';

it.each([
  ['01700-000000', '+8801700000000'],
  ['1700000000', '+8801700000000'],
  ['8801700000000', '+8801700000000'],
  ['+880 (17) 00.00 00 00', '+8801700000000'],
  ['০১৭০০ ০০০০০০', '+8801700000000'],
  ['0044 20 7946 0000', '+442079460000'],
  ['02079460000', '02079460000'],
  ['4 Seasons', '4 Seasons'],
  ['ada@example.com', 'ada@example.com'],
])('addressIn(%j) is %j', (typed, address) => {
  expect(addressIn(typed)).toBe(address);
});

describe('csvRows', () => {
  it('reads every file that csvText writes', () => {
    const cells = fc.array(fc.string({ unit: fc.constantFrom('a', 'ß', '"', ',', '\n', '\r\n', ' ') }), {
      minLength: 2,
    });
    fc.assert(
      fc.property(fc.array(cells), (rows) => {
        expect(csvRows(csvText(rows)).map((row) => row.cells)).toEqual(rows);
      }),
    );
  });

  it('gives the line that each row begins on, and leaves out blank lines and a byte order mark', () => {
    expect(csvRows('\uFEFFa,b\r\n\r\n"1\n2",3\n4,5')).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 3, cells: ['1\n2', '3'] },
      { line: 5, cells: ['4', '5'] },
    ]);
  });

  it('keeps an empty last cell', () => {
    expect(csvRows('a,b\n1,\n').map((row) => row.cells)).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
    expect(csvRows('a,b\n1,').map((row) => row.cells)).toEqual([
      ['a', 'b'],
      ['1', ''],
    ]);
  });

  it('names the line of a quote that is not closed or stands in a cell', () => {
    expect(() => csvRows('a\nb\n"c')).toThrow(/^Line 3: /);
    expect(() => csvRows('a\nb"c\n')).toThrow(/^Line 2: /);
    expect(() => csvRows(`a\n"b\n${'c,d\n'.repeat(2_400_000)}`)).toThrow(/^Line 2: /);
  });
});

describe('contactOf', () => {
  const read = (names: readonly string[], cells: readonly string[]) => {
    const found = headerOf(names);
    return 'fault' in found ? found : contactOf(found.header, cells);
  };

  it('reads tags and custom fields, and omits empty cells and columns of our own files', () => {
    const names = ['id', 'Email', 'PHONE ', 'Tags', 'customFields'];
    expect(read(names, ['1', 'ada@example.com', '', 'vip; new', '{"plan":1}'])).toEqual({
      contact: { email: 'ada@example.com', tags: ['vip', 'new'], customFields: { plan: 1 } },
    });
  });

  it('reads a row of an export as the contact that it was', () => {
    const sent = {
      email: '+ada@example.com',
      firstName: '=1+1',
      lastName: "'-",
      tags: ['a;b', 'c '],
      source: '@shop',
      customFields: { plan: 1 },
    };
    const [id, at] = ['1', '2026-11-20T12:00:00.000Z'];
    const kept = { ...sent, id, phone: null, customFields: JsonText.of(sent.customFields) };
    const exported = { ...kept, status: 'active', createdAt: at, updatedAt: at } as const;
    const cells = Object.values(contactColumnsOfExport).map((cellOf) => guardedCell(cellOf(exported) ?? ''));
    expect(read(Object.keys(contactColumnsOfExport), cells)).toEqual({ contact: sent });
  });

  it('refuses a row of a contact that is not active', () => {
    const readWith = (status: string) => read(['email', ' status'], ['ada@example.com', status]);
    for (const status of contactStatuses.filter((each) => each !== startStatus))
      expect(readWith(status)).toEqual({ fault: expect.stringMatching(/^status: must be active; /) });
    for (const status of ['', ' Active']) expect(readWith(status)).toEqual({ contact: { email: 'ada@example.com' } });
  });

  it('refuses numbers that a browser would change, and no others', () => {
    const faultOf = (customFields: string) => contactOf(['customFields'], [customFields]).fault;
    for (const changed of ['{"nid":19876543210987654}', '{"a":[1e400]}', '{"a":0.12345678901234567}', '{"a":1e-400}'])
      expect([changed, faultOf(changed)]).toEqual([changed, expect.stringContaining('would change')]);
    for (const kept of [
      '{"nid":"19876543210987654"}',
      '{"a\\"1":-1.5e3}',
      '{"a":100000000000000000,"b":0.0001,"c":12.500,"d":9007199254740991,"e":0e5}',
    ])
      expect([kept, faultOf(kept)]).toEqual([kept, undefined]);
  });

  it('reads refused rows that were corrected, also those that were refused again', () => {
    const refused = [{ line: 2, reason: 'email: is wrong', cells: ['=Ada', 'ada@'] }];
    const [header = [], row = []] = refusedFile(['firstName', 'email'], refused);
    expect([header, row]).toEqual([
      ['line', 'reason', 'firstName', 'email'],
      ['2', 'email: is wrong', "'=Ada", 'ada@'],
    ]);
    const again = refusedFile(header, [{ line: 7, reason: 'email: is known', cells: row }]);
    expect(again).toEqual([header, ['7', 'email: is known', "'=Ada", 'ada@']]);
    expect(headerOf(again[0] ?? [])).toEqual({ header: [undefined, undefined, 'firstName', 'email'] });
  });

  it('says why a row cannot be used', () => {
    expect(contactOf(['email', 'phone'], ['a'])).toEqual({ fault: 'the row has 1 fields, the header row 2' });
    expect(contactOf(['customFields'], ['{'])).toEqual({ fault: 'customFields: must be a JSON object' });
  });
});

describe('the preview of a template', () => {
  it('says what a send would say', () => {
    const part = fc.array(fc.constantFrom('{{name}}', '{{ shop }}', '{{none}}', 'Dear ', '{', '}}'), { minLength: 1 });
    const words = part.map((parts) => `x${parts.join('')}`);
    const value = fc.constantFrom('Ada', '<b>&</b>', '{{name}}', 'two\nlines', '');
    fc.assert(
      fc.property(words, words, words, value, value, (subject, html, text, name, shop) => {
        const draft: Draft = { subject, html, text };
        expect(filledDraft(draft, { name, shop })).toEqual(contentOf('email', {}, draft, { name, shop }));
      }),
    );
  });
});
