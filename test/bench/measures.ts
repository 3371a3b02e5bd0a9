import { startWorld, type World } from '../world.ts';
import { benchAnalytics } from './analytics.ts';
import { benchCeilings, spreads } from './ceilings.ts';
import { benchEndToEnd } from './end-to-end.ts';
import { benchFigures, keepFigures } from './figures.ts';
import { benchGrowth, keepGrowth } from './growth.ts';
import { benchImports } from './imports.ts';
import { benchOutbox } from './outbox.ts';
import { benchRequests } from './requests.ts';
import { benchTexts } from './texts.ts';
import { benchDeliveryPace, benchDeliveryUnits } from './webhooks.ts';

interface Wishes {
  /** Rows to measure besides the usual numbers. */
  readonly rows: readonly number[];
  readonly isKept: boolean;
}

export type Measure = (wishes: Wishes) => Promise<object>;

const inWorld = async <Result>(bench: (world: World) => Promise<Result>, hasStream = true): Promise<Result> => {
  const world = await startWorld({ hasStream });
  try {
    return await bench(world);
  } finally {
    await world.close();
  }
};

const ceilingRows = async () =>
  Object.entries(await benchCeilings()).map(([operation, ceilings]) => ({
    operation,
    ...Object.fromEntries(
      spreads.map(({ credits, messages }, n) => [`${credits} / ${messages}`, ceilings[n]?.perSecond]),
    ),
    'what gives way first at the last': ceilings.at(-1)?.at,
  }));

/** How each part of `npm run bench` is measured. */
export const measures = {
  requests: () => inWorld(benchRequests),
  texts: () => inWorld(benchTexts),
  webhooks: () => inWorld(benchDeliveryUnits),
  deliveries: () => inWorld((world) => benchDeliveryPace(world, 1_000)),
  'end-to-end': benchEndToEnd,
  ceilings: ceilingRows,
  growth: ({ rows, isKept }) =>
    inWorld((world) => benchGrowth(world, [1_000, ...rows], isKept ? { soFar: keepGrowth } : {}), false),
  imports: ({ rows }) => inWorld((world) => benchImports(world, [500, 2_500, ...rows])),
  analytics: () => inWorld(async (world) => Object.values(await benchAnalytics(world)).flat()),
  outbox: () => inWorld(benchOutbox),
  figures: async ({ isKept }) => {
    const figures = await benchFigures();
    if (isKept) keepFigures(figures);
    return figures;
  },
} satisfies Record<string, Measure>;
