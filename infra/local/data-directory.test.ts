import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orFullDisk } from './data-directory.ts';

/** A file system without a free byte. */
const full = '/proc';

it.runIf(existsSync(full))('a start that failed on a full disk says so, whatever failed', () => {
  expect(orFullDisk(new Error('disk I/O error'), full)).toMatchObject({
    name: 'StartFailure',
    message: expect.stringContaining('The disk of /proc is full.'),
  });
});

it('another start that failed reports its own reason', () => {
  const thrown = new Error('x');
  expect(orFullDisk(thrown, tmpdir())).toBe(thrown);
  expect(orFullDisk(thrown, join(tmpdir(), 'not', 'made'))).toBe(thrown);
});
