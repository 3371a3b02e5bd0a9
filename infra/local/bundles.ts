import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, sourcesFile, sourcesOf } from '../bundle.ts';
import { functionFolders, functionName } from '../rows.ts';
import { firstFunctions, nextFunctions } from './demo-account.ts';

/** The bundles of one assembly, where its functions run. */
export interface Bundles {
  /** Resolves when the function can be started. An urgent one, which a caller waits for, is built next. */
  whenBuilt(functionName: string, isUrgent: boolean): Promise<void>;
  /** Builds the rest. Call it when the start is over. */
  buildRest(): void;
  /** Resolves when all are built. */
  readonly all: Promise<void>;
}

/**
 * esbuild reads what the bundles of a lot share once, and links each separately: 20 at once take four fifths of the time of 10, and 0.4 GB of memory;
 * 40 take 0.7 GB and hardly less time. A call may also wait for the lot before its own.
 */
export const lotSize = 20;
const mostKept = 4;

/** Bundles kept for the next synthesis of the same sources. Settings do not change them. Other starts of this checkout use it at the same time. */
export const cacheOf = (cache: string, fingerprint: string) => {
  const kept = join(cache, fingerprint);
  const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true });
  const madeMs = (name: string): number => statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return {
    kept,
    isKept: (): boolean => existsSync(kept),
    keep: (directory: string): void => {
      try {
        renameSync(directory, kept);
      } catch (thrown) {
        if (!existsSync(kept)) throw thrown;
        // Another start was first.
        remove(directory);
      }
      const old = readdirSync(cache).sort((one, other) => madeMs(other) - madeMs(one));
      for (const name of old.slice(mostKept)) remove(join(cache, name));
    },
  };
};

interface Places {
  /** Holds the bundles of the latest sources. */
  readonly cache: string;
  readonly fingerprint: string;
  /** Whether the sources are still those of the fingerprint: one that is saved while the others are bundled is bundled as it is then. */
  readonly isCurrent: () => boolean;
  /** Receives the list of each bundle's sources. */
  readonly sourcesDirectory: string;
}

/**
 * Bundles of the current sources. The functions that the start calls are built first, the others when they are called or after the start,
 * because building all needs 20 s of processor time.
 */
export const openBundles = async ({ cache, fingerprint, isCurrent, sourcesDirectory }: Places) => {
  const { kept, isKept, keep } = cacheOf(cache, fingerprint);
  const wasKept = isKept();
  const outdir = wasKept ? kept : join(cache, `${fingerprint}-${process.pid}`);
  if (!wasKept) {
    // esbuild would print an error for each file that it cannot write.
    mkdirSync(outdir, { recursive: true });
    // First: a mistake in a source ends the process, and esbuild, when it is then at work on bundles, prints a trace.
    const sources = await sourcesOf(functionFolders);
    await bundle(outdir, firstFunctions);
    writeFileSync(join(outdir, sourcesFile), JSON.stringify(sources));
  }
  mkdirSync(sourcesDirectory, { recursive: true });
  cpSync(join(outdir, sourcesFile), join(sourcesDirectory, sourcesFile));

  return {
    /** Copies them to the folders their functions run from. */
    placeAt: (directoryOf: (name: string) => string): Bundles => {
      const place = (folders: readonly string[]): void => {
        for (const name of folders.map(functionName))
          cpSync(join(outdir, name), directoryOf(name), { recursive: true });
      };
      if (!wasKept) return buildByDemand({ outdir, place, keep: () => isCurrent() && keep(outdir) });
      place(functionFolders);
      return builtBundles;
    },
  };
};

/** For an assembly whose bundles are all built. */
export const builtBundles: Bundles = {
  whenBuilt: () => Promise.resolve(),
  buildRest: () => undefined,
  all: Promise.resolve(),
};

interface Unbuilt {
  readonly does: string;
  readonly built: PromiseWithResolvers<void>;
}

/** Small lots: the payer's page comes without what follows from it. */
const soonNames = (missing: ReadonlyMap<string, unknown>): readonly string[] =>
  nextFunctions
    .map(functionName)
    .filter((name) => missing.has(name))
    .slice(0, nextFunctions.length / 2);

/** Names of functions: those that a caller waits for, those that were called otherwise, and all that are not built. */
interface Demand<Of> {
  readonly urgent: ReadonlySet<string>;
  readonly wanted: ReadonlySet<string>;
  readonly missing: ReadonlyMap<string, Of>;
}

/** What is built next: what a caller waits for, else what the first commands lead to, else all others, the called ones first. */
export const nextLot = <Of>({ urgent, wanted, missing }: Demand<Of>): readonly Of[] => {
  const orders = [urgent, soonNames(missing), new Set([...wanted, ...missing.keys()])];
  const lots = orders.map((names) => [...names].flatMap((name) => missing.get(name) ?? []));
  return (lots.find(({ length }) => length > 0) ?? []).slice(0, lotSize);
};

const buildByDemand = ({
  outdir,
  place,
  keep,
}: {
  readonly outdir: string;
  readonly place: (folders: readonly string[]) => void;
  readonly keep: () => unknown;
}): Bundles => {
  place(firstFunctions);
  const missing = new Map<string, Unbuilt>(
    functionFolders
      .filter((does) => !firstFunctions.includes(does))
      .map((does) => [functionName(does), { does, built: Promise.withResolvers() }]),
  );
  const wanted = new Set<string>();
  const urgent = new Set<string>();
  let called = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();

  const buildLot = async (lot: readonly Unbuilt[]): Promise<void> => {
    const folders = lot.map(({ does }) => does);
    await bundle(outdir, folders);
    place(folders);
    for (const { does, built } of lot) {
      missing.delete(functionName(does));
      urgent.delete(functionName(does));
      built.resolve();
    }
  };

  const buildAll = async (): Promise<void> => {
    while (missing.size > 0) {
      await Promise.race([released.promise, called.promise]);
      const lot = nextLot({ urgent, wanted, missing });
      for (const { does } of lot) urgent.delete(functionName(does));
      if (urgent.size === 0) called = Promise.withResolvers();
      await buildLot(lot);
    }
    keep();
  };
  const all = buildAll().catch((failure: unknown) => {
    // A call of a function that failed to build finds no module; its log says so.
    for (const { built } of missing.values()) built.resolve();
    throw failure;
  });

  return {
    whenBuilt: async (name, isUrgent) => {
      const one = missing.get(name);
      if (!one) return;
      (isUrgent ? urgent : wanted).add(name);
      if (isUrgent) called.resolve();
      await one.built.promise;
    },
    buildRest: () => released.resolve(),
    all,
  };
};
