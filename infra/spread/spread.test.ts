import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../shared/kit/id.ts';
import { startWorld, type World } from '../../test/world.ts';
import { spreading } from './spread.ts';

let world: World;
let spread: ReturnType<typeof spreading>;
beforeAll(async () => {
  world = await startWorld();
  spread = spreading(world, Date.now);
});
afterAll(() => world.close());

const newAccountId = async () => (await world.newAccount()).ref.id;
/** What of the audit log is about an account, newest first. */
const noted = async (id: string) => {
  const page = { cursor: undefined, limit: 100, fromMs: undefined, toMs: undefined };
  const entries = await world.audit.list(undefined, page, Date.now());
  return entries.filter(({ resource }) => resource === id).map(({ action, status }) => [action, status]);
};

describe('npm run spread', () => {
  it('raises one number or both, leaves the other as it is, and is in the audit log', async () => {
    const id = await newAccountId();
    expect(await spread(id, { credits: '16' })).toEqual({ creditShards: 16, messageShards: 1 });
    expect(await spread(id, { messages: '4' })).toEqual({ creditShards: 16, messageShards: 4 });
    expect(await spreading(world, Date.now)(id, {})).toEqual({ creditShards: 16, messageShards: 4 });
    expect(await noted(id)).toEqual([
      ['npm run spread', 200],
      ['npm run spread', 200],
    ]);
  });

  it('changes nothing without a number and in a dry run, which says what the numbers would be', async () => {
    const id = await newAccountId();
    const before = await world.scan();
    expect(await spread(id, { credits: '8', messages: '2', isDryRun: true })).toEqual({
      creditShards: 8,
      messageShards: 2,
    });
    expect(await spread(id, {})).toEqual({ creditShards: 1, messageShards: 1 });
    expect(await world.scan()).toEqual(before);
  });

  it('refuses a lower number, one that is no power of two, and an unknown account, in a line, and changes nothing', async () => {
    const id = await newAccountId();
    await spread(id, { credits: '8', messages: '4' });
    const before = await world.scan();
    await expect(spread(id, { credits: '4' })).rejects.toThrow('--credits: cannot be lowered');
    await expect(spread(id, { credits: '16', messages: '2' })).rejects.toThrow('--messages: cannot be lowered');
    for (const credits of ['12', '128', 'x', '']) await expect(spread(id, { credits })).rejects.toThrow('power of two');
    await expect(spread(newId(0), { credits: '2' })).rejects.toThrow('No account has this id.');
    expect(await world.scan()).toEqual(before);
  });
});
