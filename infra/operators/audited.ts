import type { Clock } from '../../shared/kit/time.ts';
import { auditStore } from '../../shared/table/people/audit-store.ts';
import { peopleKeyStore } from '../../shared/table/people/people-key.ts';
import type { Deployment } from './deployment.ts';

/** Notes what a command does in the audit log: an entry before the change, and its outcome after it, as the status that the admin API has for it. */
export const auditing = ({ table, vault, dataKeys }: Deployment, command: string, nowMs: Clock) => {
  const audit = auditStore(table, vault);
  const people = peopleKeyStore(table, vault);

  return async <Result>(
    resource: string,
    change: () => Promise<Result>,
    statusOf: (result: Result) => number = () => 200,
  ): Promise<Result> => {
    const { sealedKey } = (await people.create(dataKeys)).ref;
    const actor = { kind: 'token', email: null, name: command, address: '', userAgent: '' } as const;
    const sealed = await audit.seal(sealedKey, actor);
    const entry = { actor: sealed, sealedKey, action: command, resource, account: undefined };
    const noted = await audit.begin(entry, nowMs());
    const result = await change();
    await audit.end(noted, statusOf(result));
    return result;
  };
};
