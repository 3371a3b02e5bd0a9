import { bundleFunctions, type Code, type Mutation } from '../bundle-functions.ts';
import { type Random, randomIn } from '../random.ts';
import { type Current, surroundingsOf } from '../surroundings.ts';
import { openWorld, type World } from '../world.ts';

/** What a crowd meets at. */
export interface Place {
  readonly world: World;
  readonly inside: Code['inside'];
  readonly random: Random;
  readonly account: { readonly id: string; readonly sealedKey: string };
}

/** One of a crowd. Its run may be killed at any call, or fail; it then begins again with nothing in memory, as a job or a client does. */
export interface Member {
  readonly does: string;
  readonly work: () => Promise<void>;
}

export interface Gathering {
  readonly members: readonly Member[];
  /** Sees the table before each call. */
  readonly look?: () => void;
  /** What does not hold, when all are done. */
  readonly violations: () => Promise<readonly string[]>;
}

/**
 * Several runs of one store at the same few items, at once: they meet in ways that a world with some requests hardly ever has. `name` says what
 * must hold of them.
 */
export interface Crowd {
  readonly name: string;
  /** The functions that have work to do, if any. */
  readonly folders?: readonly string[];
  readonly gather: (place: Place) => Promise<Gathering>;
  readonly mistakes: readonly CrowdMistake[];
}

/** A mistake of the product that must be found: many seeds may be needed for one that is rare. */
export interface CrowdMistake extends Mutation {
  readonly name: string;
  readonly isRare?: boolean;
}

/** All of a crowd begin within this time. */
const arrivalsMs = [300, 6_000] as const;
const slowChances = [0.01, 0.2] as const;
/** Every call of a run that has ended has been carried out by then, or never will be. */
const againAfterMs = 5_000;
const longestMs = 4 * 3_600_000;

const newAccount = async ({ inside }: Code, nowMs: number): Promise<Place['account']> => {
  const id = inside.newId(nowMs);
  const account = { id, sealedKey: await inside.dataKeyMaker(inside.kms(), 'key').create(id) };
  await inside.stores.accounts().create(account, inside.newAccountSettings('Shop'), nowMs);
  return account;
};

/** Bundles the product, with its mistakes if it is to have some. Returns what lets the crowd of a seed meet, and says what did not hold. */
export const openCrowd = async ({ folders = [], gather }: Crowd, mutations: readonly Mutation[] = []) => {
  const load = await bundleFunctions(folders, mutations);
  const current: Partial<Current> = {};
  const code: Code = load(surroundingsOf(current as Current));

  return async (seed: number): Promise<readonly string[]> => {
    let look = (): void => undefined;
    const trace = (): void => look();
    const random = randomIn(seed, 'crowd');
    const [arrivalMs, slowChance] = [random.pick(arrivalsMs), random.pick(slowChances)];
    const given = { seed, without: new Set<string>(), code, current: current as Current };
    const world = openWorld({ ...given, slowChance, trace });
    const { machine, timeline } = world;
    const gathering = await world.spared(async () => {
      const account = await newAccount(code, timeline.nowMs());
      return gather({ world, inside: code.inside, random, account });
    });
    look = gathering.look ?? look;
    const waiting = new Set(gathering.members);
    const begin = (member: Member): void => {
      machine.start(member.does, new Map(), member.work, (outcome) => {
        if (outcome !== 'killed' && 'answer' in outcome) waiting.delete(member);
        else timeline.after(againAfterMs + random.below(againAfterMs), () => begin(member));
      });
    };
    for (const member of waiting) timeline.after(random.below(arrivalMs), () => begin(member));
    const endMs = timeline.nowMs() + longestMs;
    while (!timeline.isEmpty() && timeline.nowMs() < endMs) await timeline.runUntil(timeline.nowMs() + againAfterMs);
    if (waiting.size > 0) return [`${waiting.size} never come to an end`];
    return world.spared(async () => gathering.violations());
  };
};
