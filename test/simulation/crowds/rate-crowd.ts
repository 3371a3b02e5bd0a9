import { type Answer, clientIn } from '../client.ts';
import type { Crowd } from './crowd.ts';

const limit = 10;
const minuteMs = 60_000;

/** Clients who call with the same key, around the end of a minute too. */
export const rateCrowd: Crowd = {
  name: 'a key is served in each minute as often as its limit says at most, and each call leaves another rest',
  folders: ['account/get-account'],
  gather: async ({ world, inside, random, account }) => {
    const nowMs = world.timeline.nowMs();
    const key = inside.makeApiKey();
    const named = { id: inside.newId(nowMs), name: 'key', scopes: inside.scopes, rateLimitPerMinute: limit };
    await inside.stores.apiKeys().create(account, key, named, nowMs);
    const client = clientIn(world);
    const answers: Answer[] = [];
    const call = (afterMs: number) => async (): Promise<void> => {
      await client.wait(afterMs);
      const answer = await client.ask({
        does: 'account/get-account',
        routeKey: 'GET /api/v1/account',
        headers: { 'x-api-key': key },
        account: account.id,
      });
      answers.push(answer);
    };
    const members = Array.from({ length: 5 + random.below(40) }, () => ({
      does: 'call',
      work: call(random.isChance(0.5) ? 0 : minuteMs - 3_000 + random.below(6_000)),
    }));

    const violations = async (): Promise<readonly string[]> => {
      const minutes = Map.groupBy(
        answers.filter(({ headers }) => headers['X-RateLimit-Reset']),
        ({ headers }) => headers['X-RateLimit-Reset'],
      );
      return [...minutes].flatMap(([minute, own]) => {
        const served = own.filter(({ status }) => status === 200);
        const left = served.map(({ headers }) => Number(headers['X-RateLimit-Remaining']));
        return [
          ...(served.length > limit ? [`${served.length} calls until ${minute}`] : []),
          ...(new Set(left).size < left.length ? [`several calls until ${minute} left ${left.join()}`] : []),
        ];
      });
    };
    return { members, violations };
  },
  mistakes: [
    {
      name: 'opens a minute that is open again',
      file: 'shared/table/accounts/caller-keys.ts',
      find: 'AND #minute < :minute',
      replace: 'AND #minute <= :minute',
    },
  ],
};
