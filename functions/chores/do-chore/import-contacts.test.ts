import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { detailsOf } from '../../../shared/contacts/contact.ts';
import { nthId } from '../../../shared/kit/id.ts';
import { dayMs } from '../../../shared/kit/time-units.ts';
import { openImportFiles } from '../../../shared/table/transfers/import-files.ts';
import { mostImportBytes } from '../../../shared/transfers/contact-import.ts';
import { csvLine } from '../../../shared/transfers/csv.ts';
import { contactCalls } from '../../../test/contacts-calls.ts';
import { exportCalls } from '../../../test/export-calls.ts';
import { modelRuns } from '../../../test/model-runs.ts';
import { type Importing, killerOf, openImporting } from '../../../test/transfer-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const importing = (options: Parameters<typeof openImporting>[1] = {}): Promise<Importing> =>
  openImporting(world, options);

const mixed = [
  'email,phone,firstName,tags,customFields,id',
  'ada@example.com,+8801700000001,"Lovelace, Ada",vip; early,"{""plan"" : ""pro"",""n"":1.0}",ignored',
  "'=1+1@example.com,,'=cmd(),,,",
  'nobody,,,,,',
  '',
  'ADA@example.com,,,,,',
  'x@example.com,,,,{,',
  ',8801700000002,,,,',
  'a,b',
].join('\r\n');

describe('an import of contacts', () => {
  const rowsOf = (name: string, count: number): string =>
    ['email', ...Array.from({ length: count }, (_, n) => `${name}${n}@example.com`)].join('\n');

  /** What becomes of an import of 200 rows whose URL is sent this file after the first rows are read. */
  const afterUploadOf = async (other: string): Promise<unknown> => {
    let nowMs = Date.now();
    const clock = () => {
      nowMs += 2_000;
      return nowMs;
    };
    const { begin, upload, run, workOff, transfersQueue, read } = await importing({ changes: { clock }, atOnce: 10 });
    const { id, uploadUrl } = await begin();
    await upload(uploadUrl, rowsOf('p', 200));
    // The first one finds the file.
    for (const n of [0, 1]) await run(transfersQueue.jobs[n] ?? expect.fail());
    await upload(uploadUrl, other);
    await workOff();
    return (await read(id)).data;
  };

  it.each([
    ['a shorter file', rowsOf('p', 1)],
    ['a file of the same size', rowsOf('q', 200)],
    ['a longer file', rowsOf('p', 300)],
  ])('fails when %s replaces its file while it is read', async (_, other) => {
    expect(await afterUploadOf(other)).toMatchObject({
      status: 'failed',
      failureReason: 'the file was replaced while it was read',
    });
  });

  it('goes on when the same file is uploaded again while it is read', async () => {
    expect(await afterUploadOf(rowsOf('p', 200))).toMatchObject({ status: 'completed', created: 200 });
  });

  it('comes to its end where the time of each run is over when it has read its part of the file', async () => {
    let nowMs = Date.now();
    const read: World['importFiles']['read'] = async (...part) => {
      nowMs += 20_000;
      return world.importFiles.read(...part);
    };
    const changes = { clock: () => nowMs, importFiles: { ...world.importFiles, read } };
    const { importFile } = await importing({ changes, atOnce: 10 });
    expect(await importFile(rowsOf('slow', 25))).toMatchObject({ status: 'completed', created: 25 });
  });

  it('creates the contact of each good row, and reports the others with their line and reason', async () => {
    const { importFile, all, refusedRows } = await importing();
    const report = await importFile(mixed);
    expect(report).toMatchObject({
      status: 'completed',
      progress: 100,
      total: 7,
      created: 3,
      duplicates: 1,
      errors: 3,
    });
    expect((await all()).data).toMatchObject([
      {
        email: 'ada@example.com',
        phone: '+8801700000001',
        firstName: 'Lovelace, Ada',
        tags: ['vip', 'early'],
        customFields: { plan: 'pro', n: 1 },
      },
      { email: '=1+1@example.com', firstName: '=cmd()' },
      { phone: '+8801700000002' },
    ]);
    expect(await refusedRows(report.refusedUrl)).toEqual([
      'line,reason,email,phone,firstName,tags,customFields',
      '4,email: must be an email address,nobody,,,,',
      '6,email: another contact already uses it,ADA@example.com,,,,',
      '7,customFields: must be a JSON object,x@example.com,,,,{',
      '9,"the row has 2 fields, the header row 6",a,b,,,',
    ]);
  });

  it.each([
    ['before the header row', ['', 'email\n', 'a@example.com\nnobody\n'], 150_003],
    ['between rows', ['email\na@example.com\n', 'nobody\n', ''], 150_003],
    ['at the end', ['email\na@example.com\nnobody\n', '', ''], 3],
  ])('passes more blank lines than it reads at once %s', async (_, [before = '', after = '', rest = ''], line) => {
    const { importFile, refusedRows } = await importing();
    const report = await importFile(`\ufeff${before}${'\r\n'.repeat(150_000)}${after}${rest}`);
    expect(report).toMatchObject({ status: 'completed', progress: 100, total: 2, created: 1, errors: 1 });
    expect((await refusedRows(report.refusedUrl))[1]).toBe(`${line},email: must be an email address,nobody`);
  });

  it('fails at a row whose end is not found, and creates no contact from within its cells', async () => {
    const { importFile, all } = await importing();
    const note = `"${'x'.repeat(300_000)}\nghost@example.com,from a note\n"`;
    const report = await importFile(`email,firstName\nada@example.com,\nbob@example.com,${note}\neve@example.com,\n`);
    expect(report).toMatchObject({
      status: 'failed',
      created: 1,
      failureReason: 'line 3: the row has more than 256 KB',
    });
    expect((await all()).data).toMatchObject([{ email: 'ada@example.com' }]);
  });

  it('refuses a row with JSON that is nested more deeply than in a request, and goes on', async () => {
    const { importFile, all, refusedRows } = await importing();
    const row = (email: string, levels: number): string =>
      `${email},"{""a"":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}"`;
    const rows = [row('a@example.com', 63), row('b@example.com', 64), row('c@example.com', 30_000), 'd@example.com,'];
    const report = await importFile(['email,customFields', ...rows].join('\n'));
    expect(report).toMatchObject({ status: 'completed', total: 4, created: 2, errors: 2 });
    expect((await all()).data).toMatchObject([{ email: 'a@example.com' }, { email: 'd@example.com' }]);
    const reasons = (await refusedRows(report.refusedUrl)).slice(1).map((line) => line.split(',', 2));
    expect(reasons).toEqual(
      ['3', '4'].map((line) => [line, 'customFields: must not be nested more than 63 levels deep']),
    );
  });

  it('refuses half of a surrogate pair in JSON, as a request does', async () => {
    const { importFile, all, refusedRows } = await importing();
    const rows = [
      '"[""\\ud800""]",',
      ',"{""a"":""\\ud800""}"',
      '"[""\\ud83d\\ude00""]","{""\\ud83d\\ude00"":1}"',
      '\\ud800,',
    ];
    const file = ['email,tags,customFields', ...rows.map((row, n) => `p${n}@example.com,${row}`)].join('\n');
    const report = await importFile(file);
    expect(report).toMatchObject({ status: 'completed', created: 2, errors: 2 });
    expect((await all()).data).toMatchObject([{ tags: ['😀'], customFields: { '😀': 1 } }, { tags: ['\\ud800'] }]);
    expect((await refusedRows(report.refusedUrl)).slice(1)).toEqual([
      expect.stringMatching(/^2,tags: must not contain half of a surrogate pair/),
      expect.stringMatching(/^3,customFields: must not contain half of a surrogate pair/),
    ]);
  });

  it('with dryRun counts the same and creates nothing', async () => {
    const { contacts, key, importFile, all } = await importing();
    await contacts.create(key, { phone: '+8801700000002' });
    expect(await importFile(mixed, { dryRun: true })).toMatchObject({
      dryRun: true,
      total: 7,
      created: 3,
      duplicates: 1,
      errors: 3,
    });
    expect((await all()).pagination.total).toBe(1);
  });

  it('creates contacts that a list of the contacts since its upload has', async () => {
    const uploadedMs = Date.now() + 30 * 60_000;
    const { begin, upload, workOff, contacts, key } = await importing({ changes: { clock: () => uploadedMs } });
    const { uploadUrl } = await begin();
    await upload(uploadUrl, 'email\na@example.com');
    await workOff();
    const { data } = (await contacts.list(key, { createdAfter: new Date(uploadedMs).toISOString() })).body;
    expect(data).toMatchObject([{ email: 'a@example.com', createdAt: data[0].updatedAt }]);
  });

  it('that a run of the release before has left in the middle counts the contacts which that run created', async () => {
    const { ref, begin, upload, workOff, read, all } = await importing();
    const { id, uploadUrl } = await begin();
    await upload(uploadUrl, rowsOf('p', 5));
    const { hold, state } = (await world.contactImports.claim(ref, id, 'former', Date.now())) ?? expect.fail();
    await world.contactImports.save(ref, hold, { ...state, savedMs: undefined });
    const created = [0, 1, 2].map((n) => ({ id: nthId(id, n), details: detailsOf({ email: `p${n}@example.com` }) }));
    await world.contacts.createAll(ref, created, Date.now());
    await workOff();
    expect((await read(id)).data).toMatchObject({ status: 'completed', total: 5, created: 5, duplicates: 0 });
    const ids = (await all()).data.map((contact: { id: string }) => contact.id);
    expect(ids).toEqual(expect.arrayContaining(created.map((contact) => contact.id)));
  });

  it('counts the contacts that a killed run created, also those that the next run does not reach', async () => {
    const looks = { stepMs: 0 };
    let nowMs = Date.now();
    const clock = () => {
      nowMs += looks.stepMs;
      return nowMs;
    };
    const save: World['contactImports']['save'] = async (account, hold, state) => {
      if (state.total === 40) throw new Error('killed');
      return world.contactImports.save(account, hold, state);
    };
    const contactImports = { ...world.contactImports, save };
    const { begin, upload, run, workOff, transfersQueue, read } = await importing({
      changes: { clock, contactImports },
      atOnce: 10,
    });
    const { id, uploadUrl } = await begin();
    await upload(uploadUrl, rowsOf('p', 40));
    await run(transfersQueue.jobs[0] ?? expect.fail());
    await expect(run(transfersQueue.jobs[1] ?? expect.fail())).rejects.toThrow('killed');
    contactImports.save = world.contactImports.save;
    // The next runs do a few batches at most.
    looks.stepMs = 2_000;
    await workOff();
    expect((await read(id)).data).toMatchObject({ status: 'completed', created: 40, duplicates: 0 });
  });

  it('creates no active contact from an exported one that opted out, also not from its refused row', async () => {
    const { key, ref } = await world.newAccount();
    const { create } = contactCalls(world);
    await create(key, { email: 'ada@example.com' });
    const left = (await create(key, { email: 'bob@example.com' })).body.data;
    await world.contacts.setStatus(ref, left.id, 'unsubscribed', Date.now());
    const rows = await exportCalls(world, key)('contacts').rows();
    const { importFile, all, refusedRows } = await importing();
    const report = await importFile(rows.map((cells) => csvLine(cells)).join(''));
    expect(report).toMatchObject({ total: 2, created: 1, duplicates: 0, errors: 1 });
    const refused = await refusedRows(report.refusedUrl);
    expect(refused).toEqual([
      'line,reason,email,phone,firstName,lastName,tags,source,customFields,status',
      '3,"status: must be active; add the addresses of other contacts to the suppressions",bob@example.com,,,,,,,unsubscribed',
    ]);
    expect(await importFile(refused.join('\n'))).toMatchObject({ total: 1, created: 0, errors: 1 });
    expect((await all()).data).toMatchObject([{ email: 'ada@example.com' }]);
  });

  it.each(['', 'active', ' ACTIVE '])('creates the contact of a row whose status is %j', async (status) => {
    const { importFile } = await importing();
    expect(await importFile(`email,status\nada@example.com,${status}`)).toMatchObject({ created: 1, errors: 0 });
  });

  it('takes the names of columns in any case, with blanks around them', async () => {
    const { importFile, all } = await importing();
    const report = await importFile('ID,Email, firstName ,TAGS\n1,ada@example.com,Ada,new\n');
    expect(report).toMatchObject({ status: 'completed', created: 1 });
    expect((await all()).data).toMatchObject([{ email: 'ada@example.com', firstName: 'Ada', tags: ['new'] }]);
  });

  it('takes its refused rows again after their correction', async () => {
    const { importFile, refusedRows } = await importing();
    const { refusedUrl } = await importFile(mixed);
    const corrected = (await refusedRows(refusedUrl)).slice(0, 2).join('\n').replace('nobody', 'somebody@example.com');
    expect(await importFile(corrected)).toMatchObject({ total: 1, created: 1, refusedUrl: null });
  });

  it.each([
    ['', 'the file is empty'],
    ['email,name\na@example.com,A', /^column 2 of the header row must be one of email, phone, /],
    ['email,Email\n', 'the header row must name each column once'],
    ['firstName\nAda', 'the header row must name email or phone'],
    ['"email\n', 'a quote is not closed'],
  ])('fails as a whole when its file cannot be used (%#)', async (csv, reason) => {
    const { importFile, all } = await importing();
    const report = await importFile(csv);
    expect(report).toMatchObject({ status: 'failed', total: 0, failureReason: expect.stringMatching(reason) });
    expect((await all()).pagination.total).toBe(0);
  });

  it.each([
    [{ bytes: mostImportBytes + 1, isCompressed: false }, 'the file has more than 50 MB'],
    [{ bytes: 1, isCompressed: true }, 'the file has a Content-Encoding; upload it uncompressed'],
  ])('fails as a whole when its file is %j', async (file, failureReason) => {
    const importFiles = { ...world.importFiles, find: async () => ({ ...file, tag: '' }) };
    const { importFile } = await importing({ changes: { importFiles } });
    expect(await importFile('email\n')).toMatchObject({ status: 'failed', failureReason });
  });

  it('leaves no file behind when the run that ended it died before it removed the file', async () => {
    const removed: string[] = [];
    const remove: World['importFiles']['remove'] = async (account, id) => {
      removed.push(id);
      if (removed.length === 1) throw new Error('killed');
      await world.importFiles.remove(account, id);
    };
    const { importFile } = await importing({
      changes: { importFiles: { ...world.importFiles, remove } },
    });
    const { id } = await importFile('email\na@example.com');
    expect(removed).toEqual([id, id]);
  });

  it('is failed when no run has gone on with it for a day, and its job changes nothing any more', async () => {
    let [nowMs, isBroken] = [Date.now() - dayMs, true];
    const createAll: World['contacts']['createAll'] = (...given) =>
      isBroken ? Promise.reject(new Error('broken')) : world.contacts.createAll(...given);
    const changes = { clock: () => nowMs, contacts: { ...world.contacts, createAll } };
    const { begin, upload, run, transfersQueue, read, all } = await importing({ changes });
    const { id, uploadUrl } = await begin();
    await upload(uploadUrl, 'email\na@example.com');
    await run(transfersQueue.jobs[0] ?? expect.fail());
    const job = transfersQueue.jobs[1] ?? expect.fail();
    await expect(run(job)).rejects.toThrow('broken');
    const failed = (await read(id)).data;
    const failureReason = expect.stringMatching(/^it was interrupted; import the file again/);
    expect(failed).toMatchObject({ status: 'failed', failureReason, completedAt: expect.any(String) });
    [nowMs, isBroken] = [Date.now(), false];
    await run(job);
    expect((await read(id)).data).toEqual(failed);
    expect((await all()).data).toEqual([]);
  });

  it('counts and creates each row once, whichever calls kill its runs', async () => {
    const rows = Array.from({ length: 60 }, (_, n) => (n % 9 === 0 ? `bad${n}` : `p${n % 50}@example.com`));
    const good = new Set(rows.filter((row) => row.includes('@'))).size;
    const bad = rows.filter((row) => !row.includes('@')).length;
    const fatalCalls = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fatalCalls, async (fatal) => {
        // Each look at the clock takes two seconds, so a run does a few batches at most.
        let nowMs = Date.now();
        const clock = () => {
          nowMs += 2_000;
          return nowMs;
        };
        const { files, during } = killerOf(world, fatal);
        const changes = { clock, importFiles: openImportFiles(files) };
        const { begin, upload, workOff, read, all, refusedRows } = await importing({ changes, atOnce: 24 });
        const { id, uploadUrl } = await begin();
        await upload(uploadUrl, `email\n${rows.join('\n')}`);
        await during(workOff);
        const report = (await read(id)).data;
        const counts = { total: 60, created: good, duplicates: 60 - good - bad, errors: bad };
        expect(report).toMatchObject({ status: 'completed', ...counts });
        const { data, pagination } = await all();
        expect([pagination.total, new Set(data.map(({ email }: { email: string }) => email)).size]).toEqual([
          good,
          good,
        ]);
        const lines = (await refusedRows(report.refusedUrl)).slice(1).map((line) => Number(line.split(',')[0]));
        expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
        expect(lines).toHaveLength(60 - good);
      }),
      { numRuns: modelRuns(4) },
    );
  });
});
