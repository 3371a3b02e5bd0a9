import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvLine, csvRecords, longestRecordBytes } from './csv.ts';
import { guardedCell, unguardedCell } from './guarded-cell.ts';

const all = (text: string | Buffer) => [...csvRecords(Buffer.from(text), { line: 1, isLast: true })];

/** Reads a file in parts of this size, each from the end of the last whole row of the one before. */
const inParts = (bytes: Buffer, partBytes: number) => {
  const rows: (readonly string[])[] = [];
  let [offset, line, size] = [0, 1, partBytes];
  while (offset < bytes.length) {
    const part = bytes.subarray(offset, offset + size);
    const isLast = offset + part.length === bytes.length;
    const records = [...csvRecords(part, { line, isLast })];
    rows.push(...records.map(({ cells }) => cells));
    const end = isLast ? part.length : (records.at(-1)?.end ?? 0);
    line += part.subarray(0, end).toString().split('\n').length - 1;
    offset += end;
    size = end === 0 ? size * 2 : partBytes;
  }
  return rows;
};

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', 'a', ' ', "'", '=', '+', '＝'), maxLength: 8 }),
);
const table = fc
  .integer({ min: 1, max: 4 })
  .chain((columns) => fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { maxLength: 8 }));

describe('CSV', () => {
  it('gives every cell back that was written, regardless of the size of the parts that it is read in', () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 1, max: 50 }), (rows, partBytes) => {
        const file = Buffer.from(rows.map(csvLine).join(''));
        expect(all(file).map(({ cells }) => cells)).toEqual(rows);
        expect(inParts(file, partBytes)).toEqual(rows);
      }),
    );
  });

  it('gives a guarded cell back, and lets none begin like a formula', () => {
    fc.assert(
      fc.property(cell, (text) => {
        expect(guardedCell(text)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠](?!\d+$)/);
        expect(guardedCell(text)).not.toMatch(/[;\t\r\n][=+\-@＝＋－＠]/);
        expect(unguardedCell(guardedCell(text))).toBe(text);
      }),
    );
  });

  it('guards what a program that separates cells by semicolons would take for a formula', () => {
    expect(guardedCell("Ada;=1+1;'=2;x-y; -z")).toBe("Ada;'=1+1;''=2;x-y; -z");
    expect(csvLine([guardedCell('Ada;=1+1'), 'a\tb', 'plain'])).toBe(`"Ada;'=1+1","a\tb",plain\r\n`);
  });

  it('counts the lines of the file, also within quotes, and leaves blank lines out', () => {
    const records = all('\ufeffa,b\r\n\r\n"1\n2",3\n4,5');
    expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [1, 'a', 'b'],
      [3, '1\n2', '3'],
      [5, '4', '5'],
    ]);
  });

  it.each([
    ['a "b",c', 'a cell with a quote must be quoted as a whole'],
    ['"a" b,c', 'text follows a closing quote'],
    ['"a,b', 'a quote is not closed'],
    [Buffer.from([0xff, 0x61]), 'the row is not valid UTF-8'],
    [`"${'x'.repeat(longestRecordBytes)}`, 'the row has more than 64 KB'],
  ])('reports a row that cannot be read, and goes on with the next one (%#)', (bad, fault) => {
    const file = Buffer.concat([Buffer.from('1,2\n'), Buffer.from(bad), Buffer.from('\n3,4\n')]);
    expect(all(file).map(({ line, cells, fault: why }) => [line, why ?? cells])).toEqual([
      [1, ['1', '2']],
      [2, fault],
      [3, ['3', '4']],
    ]);
  });

  it('reports an unclosed quote also where much follows it, and goes on with the next line', () => {
    const rest = 'a@example.com,2\n'.repeat(5_000);
    expect(rest.length).toBeGreaterThan(longestRecordBytes);
    const [first, bad, ...others] = all(`1,2\n"Ada,b\n${rest}`);
    expect([first?.cells, bad?.line, bad?.fault]).toEqual([['1', '2'], 2, 'a quote is not closed']);
    expect(others.map(({ cells }) => cells)).toEqual(Array.from({ length: 5_000 }, () => ['a@example.com', '2']));
  });

  it('takes no line within a cell of a row that is not UTF-8 for a row', () => {
    const bad = 'j@example.com,Jos\xe9,"contacts of hers:\nvictim@example.com,Vic,not a contact\nend"\n';
    const file = Buffer.concat([Buffer.from('1,2\n'), Buffer.from(bad, 'latin1'), Buffer.from('3,4\n')]);
    expect(all(file).map(({ line, cells, fault }) => [line, fault ?? cells])).toEqual([
      [1, ['1', '2']],
      [2, 'the row is not valid UTF-8'],
      [5, ['3', '4']],
    ]);
  });

  it('takes no line within a cell of a row that is too long for a row', () => {
    const note = `"${'x'.repeat(longestRecordBytes)}\nada@example.com,from a note\nbob@example.com,""too""\n",1`;
    const file = Buffer.from(`1,2\n${note}\n3,4\n`);
    expect(all(file).map(({ line, cells, fault }) => [line, fault ?? cells])).toEqual([
      [1, ['1', '2']],
      [2, 'the row has more than 64 KB'],
      [6, ['3', '4']],
    ]);
    expect(inParts(file, longestRecordBytes + 200)).toEqual([['1', '2'], [], ['3', '4']]);
  });

  it('makes one row of a row that is too long, also where a part of the file ends within it', () => {
    const rows = 20_000;
    const file = `${'1,2\n'.repeat(rows)}${'x'.repeat(longestRecordBytes + 300)},a@example.com\n3,4\n`;
    const found = inParts(Buffer.from(file), 4 * rows + longestRecordBytes + 200);
    expect(found.slice(rows)).toEqual([[], ['3', '4']]);
  });

  it('reads a row of many cells in linear time', { timeout: 40_000 }, () => {
    // Quadratic time would exceed the time limit of the test.
    expect(all(Buffer.alloc(800_000, ','))).toHaveLength(1);
  });
});
