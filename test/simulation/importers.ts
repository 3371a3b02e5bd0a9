import type { Account } from './accounts.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import { type ContactFile, contactFileFrom, usualSource } from './contact-file.ts';
import type { Messaging } from './messaging.ts';
import { type Random, randomIn } from './random.ts';
import type { World } from './world.ts';

/** What an importer was answered of an import. */
export interface Report {
  readonly status: string;
  readonly progress: number;
  readonly total: number;
  readonly created: number;
  readonly duplicates: number;
  readonly errors: number;
  readonly failureReason: string | null;
  readonly refusedUrl: string | null;
}

/** A file that was sent to the URL of an import: again, if its sender had no answer. */
export interface Upload {
  readonly file: ContactFile;
  readonly fromMs: number;
  end?: { readonly atMs: number; readonly status: number };
}

/** An import that was asked for with a key, by one client or two. */
export interface Import {
  readonly id: string;
  readonly account: Account;
  readonly isTrial: boolean;
  readonly atMs: number;
  readonly answers: Answer[];
  readonly uploads: Upload[];
  readonly reports: Report[];
  /** What the link to the refused rows gave when it was first there. */
  refused?: Buffer | undefined;
  /** How many changes of the table came before the first upload, and before the end was known. */
  readonly changes: { from: number; to: number };
}

/** What was asked of a contact that came from a file. */
export interface Revision {
  readonly account: Account;
  readonly contact: string;
  /** Another first name, or none any more of it all. */
  readonly to: { readonly firstName: string } | 'retired';
  status?: number;
}

const busyMs = 120_000;
const mostLooks = 14;
const longestPauseMs = 300_000;

/** Importers bring contacts from files, and change and retire some while others are still brought. */
export const openImporters = (world: World, { accounts }: Pick<Messaging, 'accounts'>) => {
  const { timeline, startMs, changes } = world;
  const client = clientIn(world);
  const random = randomIn(world.seed, 'importers');
  const imports: Import[] = [];
  const revisions: Revision[] = [];
  const busy = new Set<string>();

  const call = ({ ref, key }: Account, does: string, route: string, more: Partial<Request>): Request => ({
    does: `contacts/${does}`,
    routeKey: route.replace(' ', ' /api/v1/contacts'),
    headers: { 'x-api-key': key },
    account: ref.id,
    ...more,
  });

  const send = async (made: Import, url: string, file: ContactFile, chance: Random): Promise<void> => {
    const upload: Upload = { file, fromMs: timeline.nowMs() };
    made.uploads.push(upload);
    const status = await client.upload(url, Buffer.from(file.text), chance);
    upload.end = { atMs: timeline.nowMs(), status };
  };

  /** Looks how far an import is, until it has ended. */
  const follow = async (made: Import, importId: string): Promise<void> => {
    for (let n = 0; n < mostLooks; n += 1) {
      await client.wait(Math.min(1_000 * 2 ** n, longestPauseMs));
      const { status, body } = await client.ask(
        call(made.account, 'get-import', 'GET /imports/{id}', { path: { id: importId } }),
      );
      if (status !== 200) continue;
      const report: Report = body.data;
      made.reports.push(report);
      if (report.status !== 'completed' && report.status !== 'failed') continue;
      made.refused = report.refusedUrl === null ? undefined : client.download(report.refusedUrl);
      made.changes.to = changes.length;
      return;
    }
  };

  /** Most send one file at once; some send none, some send it late, more often after they had to ask twice, and some send another one after it. */
  const goOn = async (made: Import, { id, uploadUrl, expiresAt }: Answer['body'], chance: Random): Promise<void> => {
    const way = chance.below(60);
    if (way === 0) return;
    const isLate = way === 1 || (timeline.nowMs() - made.atMs > 2_000 && chance.isChance(0.3));
    const lastMs = Date.parse(expiresAt) - timeline.nowMs() - 1_500;
    await client.wait(isLate ? lastMs - chance.below(chance.pick([10_000, lastMs])) : chance.below(20_000));
    made.changes.from = changes.length;
    const isSent = send(made, uploadUrl, contactFileFrom(made.id, 0, chance), chance);
    planRevisions(made, chance);
    if (way > 54) {
      await client.wait(chance.below(6_000));
      await send(made, uploadUrl, contactFileFrom(made.id, 1, chance), chance);
    }
    await isSent;
    await follow(made, id);
  };

  /** Often just when they have come: what has come of a run that was cut off is read again. */
  const planRevisions = ({ id, account }: Import, chance: Random): void => {
    for (let left = chance.below(4); left > 0; left -= 1) {
      const [name, atMs] = [
        `${id} revision ${left}`,
        timeline.nowMs() + chance.below(chance.isChance(0.7) ? 5_000 : busyMs),
      ];
      world.plan(name, atMs, () => void revise(name, account, randomIn(world.seed, name)));
    }
  };

  const begin = (id: string, account: Account, chance: Random): void => {
    const made: Import = {
      id,
      account,
      isTrial: chance.isChance(0.2),
      atMs: timeline.nowMs(),
      answers: [],
      uploads: [],
      reports: [],
      changes: { from: changes.length, to: Number.POSITIVE_INFINITY },
    };
    imports.push(made);
    const body = { dryRun: made.isTrial };
    const asked = call(account, 'start-import', 'POST /import', { body, idempotencyKey: `${id}-key` });
    const take = (answer: Answer): void => {
      made.answers.push(answer);
      const accepted = made.answers.filter(({ status }) => status === 202);
      if (answer.status === 202 && accepted.length === 1) void goOn(made, answer.body.data, chance);
    };
    client.request(asked, take);
    if (chance.isChance(0.2)) timeline.after(chance.below(1_500), () => client.request(asked, take));
  };

  /** Changes or retires a contact that came from a file; nobody else does so meanwhile. */
  const revise = async (id: string, account: Account, chance: Random): Promise<void> => {
    const listed = await client.ask(call(account, 'list-contacts', 'GET ', { query: { source: usualSource } }));
    const found: readonly { readonly id: string }[] = listed.status === 200 ? listed.body.data : [];
    const free = found.filter((each) => !busy.has(each.id));
    const contact = free[chance.below(free.length)]?.id;
    if (contact === undefined) return;
    busy.add(contact);
    const to: Revision['to'] = chance.isChance(0.6) ? { firstName: id } : 'retired';
    const revision: Revision = { account, contact, to };
    revisions.push(revision);
    const path = { id: contact };
    const { status } = await client.ask(
      to === 'retired'
        ? call(account, 'retire-contact', 'DELETE /{id}', { path })
        : call(account, 'update-contact', 'PATCH /{id}', { path, body: to }),
    );
    revision.status = status;
    busy.delete(contact);
  };

  const count = 1 + random.below(2);
  for (let n = 1; n <= count; n += 1) {
    const [id, account, atMs] = [`import ${n}`, random.pick(accounts), startMs + random.below(busyMs)];
    world.plan(id, atMs, () => begin(id, account, randomIn(world.seed, id)));
  }
  return { imports, revisions };
};

export type Importers = ReturnType<typeof openImporters>;
