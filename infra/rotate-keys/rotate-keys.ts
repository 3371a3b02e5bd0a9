import { untilSealsMs } from '../../shared/aws/vault.ts';
import { mostLaterKeys } from '../../shared/kit/cipher.ts';
import { type Clock, iso } from '../../shared/kit/time.ts';
import { accountStore } from '../../shared/table/accounts/account-store.ts';
import { keyRingStore } from '../../shared/table/accounts/key-ring-store.ts';
import { spreadStore } from '../../shared/table/messages/spread-store.ts';
import { peopleKeyOwner, peopleKeyStore } from '../../shared/table/people/people-key.ts';
import { StartFailure } from '../local/start-failure.ts';
import { allAccounts } from '../operators/all-accounts.ts';
import { auditing } from '../operators/audited.ts';
import type { Deployment } from '../operators/deployment.ts';

interface Wishes {
  /** Without one, all. */
  readonly account?: string | undefined;
  readonly isDryRun?: boolean;
}

/** The newest data key of an account, which is its `keys`-th; with a dry run, as it would be. */
export interface Rotated {
  readonly id: string;
  readonly keys: number;
  readonly sealsFrom: string;
  readonly isNew: boolean;
}

/** A key that is younger is not followed by another one. */
const leastAgeMs = 24 * 3_600_000;

/** `npm run rotate-keys`. Every run that changes something is in the audit log. */
export const rotateKeys = (deployment: Deployment, nowMs: Clock) => {
  const { table, vault, dataKeys } = deployment;
  const accounts = accountStore(table, vault, spreadStore(table, nowMs));
  const people = peopleKeyStore(table, vault);
  const rings = keyRingStore(table);

  async function* allOwners(): AsyncGenerator<string> {
    if (await people.find()) yield peopleKeyOwner;
    for await (const { id } of allAccounts(accounts)) yield id;
  }

  const oneOwner = async (id: string): Promise<string> => {
    if (await (id === peopleKeyOwner ? people.find() : accounts.find(id))) return id;
    throw new StartFailure(`There is no account ${id}.`);
  };

  /** Undefined: it has as many keys as an account can have. */
  const rotate = async (id: string, isDryRun: boolean): Promise<Rotated | undefined> => {
    const ring = await rings.read(id);
    const newest = ring.at(-1);
    const fromMs = nowMs() + untilSealsMs;
    if (newest && newest.fromMs > fromMs - leastAgeMs)
      return { id, keys: 1 + ring.length, sealsFrom: iso(newest.fromMs), isNew: false };
    if (ring.length === mostLaterKeys) return undefined;
    const rotated = { id, keys: 2 + ring.length, sealsFrom: iso(fromMs), isNew: true };
    if (isDryRun || (await rings.add(id, ring, { sealedKey: await dataKeys.create(id), fromMs }))) return rotated;
    // Another run was faster.
    return rotate(id, isDryRun);
  };

  return async function* run({ account, isDryRun = false }: Wishes = {}): AsyncGenerator<Rotated> {
    const owners = account === undefined ? allOwners() : [await oneOwner(account)];
    if (!isDryRun) await auditing(deployment, 'npm run rotate-keys', nowMs)(account ?? 'all', async () => undefined);
    const full: string[] = [];
    for await (const id of owners) {
      const rotated = await rotate(id, isDryRun);
      if (rotated) yield rotated;
      else full.push(id);
    }
    if (full.length > 0)
      throw new StartFailure(`Each has ${1 + mostLaterKeys} keys, and can have no more: ${full.join(', ')}.`);
  };
};
