import type { TableChange } from '../table/memory-table.ts';
import type { Crowd, Member } from './crowd.ts';

const most = 1_000;
const counters = ['email', 'smsMasked', 'smsNonMasked'] as const;
const only = (smsMasked: number) => ({ email: 0, smsMasked, smsNonMasked: 0 });
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

/** What the shards of an account hold together, at each moment. */
const historyOf = (changes: readonly TableChange[]) => {
  const held = new Map<string, number>();
  const sums: number[] = [];
  const broken: string[] = [];
  let seen = 0;
  return {
    sums,
    broken,
    look: (): void => {
      for (const { after } of changes.slice(seen)) {
        if (after?.['entity'] !== 'credits') continue;
        for (const counter of counters)
          if (Number(after[counter] ?? 0) < 0) broken.push(`a shard has ${after[counter]} ${counter}`);
        held.set(`${after['PK']} ${after['SK']}`, Number(after['smsMasked'] ?? 0));
      }
      seen = changes.length;
      sums.push(sum([...held.values()]));
    },
  };
};

/** Sends, returned credits, operators' changes and raises of the spread meet at the last credits of an account. */
export const creditCrowd: Crowd = {
  name: 'credits in shards add up, are never below zero, and a send is refused only when their sum is short',
  gather: async ({ world, inside, random, account }) => {
    const { stores } = inside;
    const { sums, broken, look } = historyOf(world.changes);
    const phone = '+8801700000000';
    const nowMs = world.timeline.nowMs();
    const newCause = () => ({ id: inside.newId(nowMs), who: 'operator', reason: null });
    await stores.credits().set(account, only(random.below(13)), newCause());
    await stores.credits().raiseShards(account.id, random.pick([1, 2]));
    look();
    const accepted: string[] = [];

    const send = (segments: number): Member => {
      const id = inside.newId(nowMs);
      const text = 'x'.repeat(segments * 150);
      const message = inside.newText({ channel: 'sms', to: phone }, id, text, 'masked');
      const work = async (): Promise<void> => {
        const began = sums.length - 1;
        const creditShards = (await stores.accounts().find(account.id))?.creditShards ?? 1;
        const context = { holder: { contactId: id, isRetired: false }, optOut: undefined, creditShards };
        const outcome = await stores.sends().write(account, { message, contact: { phone }, text }, context, undefined);
        if (outcome === 'stale') return work();
        if (outcome === 'unfunded' && Math.min(...sums.slice(began)) >= segments)
          broken.push(`${segments} were refused while there were ${sums.slice(began).join()}`);
        if (outcome !== 'unfunded') accepted.push(id);
      };
      return { does: 'send', work };
    };

    const giveBack = (): Member => ({
      does: 'give back',
      work: async () => {
        const message = await stores.messages().find(account, accepted.pop() ?? '');
        if (message)
          await stores.messages().fail(account, message, 'sendInterrupted', inside.failures.interrupted, nowMs);
      },
    });

    const adjust = (by: number): Member => {
      const cause = newCause();
      const work = async (): Promise<void> => {
        const began = sums.length - 1;
        const isDone = await stores.credits().adjust(account, { ...cause, change: only(by) });
        if (!isDone && Math.min(...sums.slice(began)) + by >= 0)
          broken.push(`a change by ${by} was refused while there were ${sums.slice(began).join()}`);
      };
      return { does: 'adjust', work };
    };

    const set = (to: number): Member => {
      const cause = newCause();
      return { does: 'set', work: () => stores.credits().set(account, only(to), cause) };
    };

    const raise = (to: number): Member => ({
      does: 'raise',
      work: async () => void (await stores.credits().raiseShards(account.id, to)),
    });

    const sendSome = () => send(1 + random.below(3));
    const makers = [
      ...([sendSome, sendSome, sendSome, sendSome, sendSome, giveBack, giveBack] as const),
      () => adjust(random.below(13) - 6),
      () => set(random.below(13)),
      () => raise(random.pick([2, 4])),
    ] as const;
    const members = Array.from({ length: 2 + random.below(14) }, () => random.pick(makers)());

    const violations = async (): Promise<readonly string[]> => {
      look();
      const { page: entries } = await stores.credits().ledger(account, { cursor: undefined, limit: most });
      const given = sum(entries.map(({ smsMasked }) => smsMasked));
      const rows = world.table.all().filter(({ entity }) => entity === 'message');
      const taken = sum(rows.map(({ price }) => Number(Reflect.get(Object(price), 'credits'))));
      const left = (await stores.accounts().credits(account.id))?.smsMasked;
      if (left !== given - taken || left !== sums.at(-1))
        broken.push(`${given} given, ${taken} taken, ${left} read, ${sums.at(-1)} held`);
      return broken;
    };
    return { members, look, violations };
  },
  mistakes: [
    {
      name: 'refuses a send when the shards, read one after the other, were short',
      isRare: true,
      file: 'shared/table/accounts/send-funding.ts',
      find: 'gainsIn(await read()) === gainsIn(found)',
      replace: 'found.length > 1',
    },
    {
      name: 'tops up a shard with credits that are gone by then',
      file: 'shared/table/accounts/credit-items.ts',
      find: `\`\${counter} >= :\${counter}Least\`), ...conditions]`,
      replace: `\`(\${counter} >= :\${counter}Least OR attribute_exists(smsMaskedMoved))\`), ...conditions]`,
    },
    {
      name: 'loses what a returned price gains',
      isRare: true,
      file: 'shared/table/accounts/credit-items.ts',
      find: '{ adds: { gains: 1 } }',
      replace: '{ adds: { gains: 0 } }',
    },
    {
      name: 'refuses a change of an operator when the shards, read one after the other, were short',
      isRare: true,
      file: 'shared/table/accounts/credit-store.ts',
      find: 'return isAsRead ? false : change(account, entry, changeOf);',
      replace: 'return isAsRead && false;',
    },
  ],
};
