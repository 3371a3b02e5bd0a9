import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { auditing } from '../operators/audited.ts';
import { openDeployment } from '../operators/deployment.ts';
import { bucketOf } from '../replay/bucket-files.ts';
import { openClients } from '../replay/clients.ts';
import { openSubjectFiles } from './files.ts';
import { type Asked, type PersonCalls, personOf } from './person.ts';

const help = `npm run person -- <what> <email or phone> [--account <id>] [--stage prod]

Exports or erases the data of one person.

  export <address>    Prints everything that accounts hold about the holder of the address, as JSON
  erase <address>     Erases it: what is needed for books and statistics stays without the person

  --account <id>      In this account only (default: in all)
  --out <file>        Of export: writes to this file instead, which must not exist yet
  --dry-run           Of erase: only counts what would be erased
  --yes               Of erase: is required without --dry-run
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

type Print = (text: string, facts: object) => void;

/** A new file, which only its owner may read. The mode would not change that of an existing one. */
const createdFile = (path: string): number => {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (thrown) {
    throw new StartFailure(`${path} cannot be created: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
};

const writeExport = async (person: PersonCalls, asked: Asked, out: string | undefined, print: Print) => {
  if (out === undefined) {
    const text = await person.export(asked);
    print(text, JSON.parse(text));
    return;
  }
  const file = createdFile(out);
  try {
    writeFileSync(file, `${await person.export(asked)}\n`);
  } catch (thrown) {
    rmSync(out);
    throw thrown;
  } finally {
    closeSync(file);
  }
  print(`Written to ${out}.`, { file: out });
};

/** Prints how much of each kind is erased, or would be. Returns how much is left. */
const erase = async (person: PersonCalls, asked: Asked, isDryRun: boolean, print: Print): Promise<number> => {
  const total = { all: 0, left: 0 };
  for await (const { account, kind, count, left } of isDryRun ? person.count(asked) : person.erase(asked)) {
    total.all += count;
    total.left += left;
    const rest = left > 0 ? `, ${left} of them not yet` : '';
    print(`${account}  ${kind}: ${count}${rest}`, { account, kind, count, left });
  }
  const { all, left } = total;
  if (isDryRun) print(`${all} to erase. Nothing was changed.`, { isDryRun, toErase: all });
  else print(`${all - left} erased, ${left} left.`, { erased: all - left, left });
  if (left > 0) print('What is left is in use. Run the command again in an hour.', { isToBeRepeated: true });
  if (await person.isUser(asked))
    print(
      'The person uses the dashboard: remove them there, or with npm run operators, with the same --stage, if you gave one.',
      {
        isUser: true,
      },
    );
  return left;
};

interface Wishes {
  readonly out?: string | undefined;
  readonly 'dry-run': boolean;
  readonly yes: boolean;
}

/** An erasure without the file that was asked for could not be made up for. */
const refuseMisplaced = (what: string, { out, yes, 'dry-run': isDryRun }: Wishes): void => {
  if (what === 'erase' && out !== undefined)
    throw new StartFailure('--out is of export. Nothing was erased: export first, then erase.');
  if (what === 'export' && (yes || isDryRun)) throw new StartFailure('--dry-run and --yes are of erase.');
};

export const personCommand = commandOf({
  help,
  options: {
    account: { type: 'string' },
    out: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    yes: { type: 'boolean', default: false },
    stage: { type: 'string' },
  },
  run: async ({ values, positionals: [what = '', address = '', ...others], dataDirectory, stack, nowMs, print }) => {
    const { account, out, stage, 'dry-run': isDryRun, yes: isSure } = values;
    if (address === '' || others.length > 0)
      throw new StartFailure('Name one email address or phone number. --help shows how.');
    refuseMisplaced(what, values);
    const asked = { address, account };
    const open = async () => {
      const clients = openClients(stage, dataDirectory);
      const deployment = await openDeployment({ stage, stack, nowMs });
      const files = openSubjectFiles(clients.s3, await bucketOf(clients, 'files'));
      return {
        person: personOf({ ...deployment, files }, deployment.nowMs),
        audited: auditing(deployment, 'npm run person', deployment.nowMs),
      };
    };
    const eraseAll = async (): Promise<number> => {
      const { person, audited } = await open();
      const erasing = () => erase(person, asked, isDryRun, print);
      // Whose data it was is what nobody may learn from the log.
      return isDryRun ? erasing() : audited(`erase in ${account ?? 'all accounts'}`, erasing);
    };
    switch (what) {
      case 'export':
        await writeExport((await open()).person, asked, out, print);
        return 0;
      case 'erase':
        if (!isDryRun && !isSure)
          throw new StartFailure('Nothing brings erased data back. Count it with --dry-run, then repeat with --yes.');
        return (await eraseAll()) > 0 ? 1 : 0;
      default:
        throw new StartFailure(`Unknown action: ${what}. --help shows what can be done.`);
    }
  },
});

if (import.meta.main) await runCommand(personCommand);
