import { everyId } from '../every-id.ts';
import { keyIn, partitions } from '../keys.ts';
import type { DataSubject, Stores, Trace } from './trace.ts';

/** Entries of the audit log with a path that names the person, as the release before wrote them. The log still says who did what and when. */
export const auditTraces =
  ({ table }: Stores) =>
  async ({ account, mentions }: DataSubject): Promise<Trace[]> => {
    const only = ['PK', 'SK', 'action', 'resource'];
    const entries = await table.query(partitions.auditOf(account.id), { ...everyId, newestFirst: false, only });
    return entries
      .filter(({ resource }) => mentions(resource))
      .map(({ PK, SK, action, resource }) => ({
        kind: 'auditEntry',
        holds: { id: SK, action, resource },
        erase: async () => {
          const { done } = await table.update({
            Key: keyIn({ PK, SK }),
            UpdateExpression: 'SET #resource = #action',
            ConditionExpression: 'attribute_exists(PK)',
            ExpressionAttributeNames: { '#resource': 'resource', '#action': 'action' },
          });
          return done;
        },
      }));
  };
