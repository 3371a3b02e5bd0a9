import type { Account } from './accounts.ts';
import type { Code } from './bundle-functions.ts';
import { type Answer, clientIn, type Request } from './client.ts';
import { operatorIn } from './operator.ts';
import { type Random, randomIn } from './random.ts';
import { type PlaceName, places } from './reader-places.ts';
import { type Known, type Wish, wishesOf } from './reader-wishes.ts';
import type { World } from './world.ts';

/** One request that reads, and its answer. */
export interface Read extends Wish {
  readonly fromMs: number;
  readonly toMs: number;
  readonly answer: Answer;
}

/** A list that is read page by page, while rows are added, changed and removed. */
export interface Walk {
  /** Those that were shown, in order. */
  readonly pages: Read[];
  /** The last page said that it is the last. */
  isOver: boolean;
}

const busyMs = 160_000;
/** Some read in the next hour, when that of the messages is counted. */
const lateMs = 65 * 60_000;
/** Few worlds have readers and a checkout. */
const moreOfCheckout = 3;
const mostTries = 6;
const againMs = 3_000;
/** More than any list of a world has. */
export const mostPages = 150;

const headersFor = ({ place, account, livemode }: Wish, known: Known, operator: Request['headers']) => {
  const { by } = places[place];
  if (by === 'messaging') return { 'x-api-key': account.key };
  if (by === 'operator') return { ...operator };
  const keys = known.checkout?.merchants.find((merchant) => merchant.account === account)?.keys;
  return { authorization: `Bearer ${livemode ? keys?.live : keys?.test}` };
};

/** Readers of everything that an account shows: they turn pages slowly, and read one thing again and again, while all of it changes. */
export const openReaders = async (world: World, code: Code, known: Known) => {
  const { timeline, startMs, seed } = world;
  const client = clientIn(world);
  const random = randomIn(seed, 'readers');
  const operator = await operatorIn(world, code, 'reader');
  const reads: Read[] = [];
  const walks: Walk[] = [];
  const wishes = wishesOf(known);

  const readOnce = async (wish: Wish): Promise<Read> => {
    const fromMs = timeline.nowMs();
    const { does, routeKey } = places[wish.place];
    const answer = await client.ask({
      ...{ does, routeKey, path: wish.path, query: wish.query, account: wish.account.ref.id },
      headers: headersFor(wish, known, operator),
    });
    const read: Read = { ...wish, fromMs, toMs: timeline.nowMs(), answer };
    reads.push(read);
    return read;
  };

  /** Reads, and again while there is no answer. */
  const read = async (wish: Wish, left = mostTries): Promise<Read> => {
    const made = await readOnce(wish);
    if (made.answer.status < 500 || left === 0) return made;
    await client.wait(againMs * (1 + mostTries - left));
    return read(wish, left - 1);
  };

  const walk = async (wish: Wish, chance: Random): Promise<void> => {
    const made: Walk = { pages: [], isOver: false };
    walks.push(made);
    const pauseMs = chance.pick([100, 2_000, 20_000]);
    let cursor: string | null = null;
    do {
      const page = await read({ ...wish, query: { ...wish.query, ...(cursor !== null && { cursor }) } });
      if (page.answer.status !== 200) return;
      made.pages.push(page);
      ({ cursor } = page.answer.body.pagination);
      if (cursor !== null) await client.wait(chance.below(pauseMs));
    } while (cursor !== null && made.pages.length < mostPages);
    made.isOver = cursor === null;
    if (made.isOver) await readOn(made, chance);
  };

  /** Who has read all events goes on after the last one, with what has happened since. */
  const readOn = async ({ pages }: Walk, chance: Random): Promise<void> => {
    for (let left = chance.below(4); left > 0; left -= 1) {
      const cursor: string | undefined = pages.flatMap(({ answer }) => answer.body.data).at(-1)?.id;
      const [first] = pages;
      if (first?.place !== 'events' || cursor === undefined) return;
      await client.wait(chance.below(30_000));
      const page = await read({ ...first, query: { ...first.query, cursor, limit: '100' } });
      if (page.answer.status !== 200) return;
      pages.push(page);
    }
  };

  /** Reads one thing again and again, in the ways that show it. */
  const look = async (ways: readonly Wish[], chance: Random): Promise<void> => {
    for (let left = 2 + chance.below(6); left > 0 && ways.length > 0; left -= 1) {
      const way = ways[chance.below(ways.length)];
      if (way) await read(way);
      await client.wait(chance.below(chance.isChance(0.6) ? 2_000 : 30_000));
    }
  };

  const act = async (account: Account, chance: Random): Promise<void> => {
    const isWalk = chance.isChance(0.55);
    if (isWalk) await walk(wishes.list(account, chance), chance);
    else await look(wishes.thing(account, chance), chance);
  };

  for (let n = 1 + random.below(4) + (known.checkout ? moreOfCheckout : 0); n > 0; n -= 1) {
    const id = `reader ${n}`;
    const chance = randomIn(seed, id);
    const { accounts } = known.messaging;
    const account = chance.isChance(0.8) ? accounts[0] : accounts[1];
    const atMs = startMs + chance.below(busyMs) + (chance.isChance(0.1) ? lateMs : 0);
    world.plan(id, atMs, () => void act(account, chance));
  }
  return { reads, walks };
};

export type Readers = Awaited<ReturnType<typeof openReaders>>;

/** The reads of some places that were answered with 200. */
export const shownIn = (readers: Readers | undefined, ...names: readonly PlaceName[]): readonly Read[] =>
  (readers?.reads ?? []).filter(({ place, answer }) => answer.status === 200 && names.some((name) => name === place));
