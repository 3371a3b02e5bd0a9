import type { Fields } from './table/value.ts';
import type { World } from './world.ts';

/** An item as it was from one write to the next. */
export interface Span {
  readonly fromMs: number;
  toMs: number;
  readonly item: Fields;
}

/** A time, both ends included. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** All that items of one kind were, by their ids. */
export type Lives = ReadonlyMap<string, readonly Span[]>;

/** Which items are meant, and how they are named. */
export interface Kind {
  readonly entity: string;
  /** Undefined: it is none of them. */
  readonly idOf: (item: Fields) => string | undefined;
}

const known = new WeakMap<World, Map<Kind, Lives>>();

const lived = ({ changes }: World, { entity, idOf }: Kind): Lives => {
  const lives = new Map<string, Span[]>();
  for (const { before, after, atMs } of changes) {
    if ((after ?? before)?.['entity'] !== entity) continue;
    const [was, is] = [before && idOf(before), after && idOf(after)];
    const last = was === undefined ? undefined : lives.get(was)?.at(-1);
    if (last) last.toMs = atMs;
    if (is === undefined || !after) continue;
    const spans = lives.get(is) ?? [];
    lives.set(is, spans);
    spans.push({ fromMs: atMs, toMs: Number.POSITIVE_INFINITY, item: after });
  }
  return lives;
};

export const livesIn = (world: World, kind: Kind): Lives => {
  const ofWorld = known.get(world) ?? new Map<Kind, Lives>();
  known.set(world, ofWorld);
  const lives = ofWorld.get(kind) ?? lived(world, kind);
  ofWorld.set(kind, lives);
  return lives;
};

const meets = (span: Span, { fromMs, toMs }: Window): boolean => span.fromMs <= toMs && span.toMs >= fromMs;

/** Whether an item fits for a request that came at a time. Undefined: it may, as far as can be said. */
export type Fits = (item: Fields, atMs: number) => boolean | undefined;

const answersIn = (span: Span, { fromMs, toMs }: Window, fits: Fits): readonly (boolean | undefined)[] =>
  [fromMs, Math.min(span.toMs, toMs)].map((atMs) => fits(span.item, atMs));

/** Whether there was an item at some moment of a time that fits. */
export const couldBe = (spans: readonly Span[], window: Window, fits: Fits): boolean =>
  spans.some((span) => meets(span, window) && answersIn(span, window, fits).some((answer) => answer !== false));

/** Whether there was an item in all of a time, and it fitted throughout. */
export const mustBe = (spans: readonly Span[], window: Window, fits: Fits): boolean => {
  const own = spans.filter((span) => meets(span, window));
  const isWhole =
    own.every((span, n) => n === 0 || span.fromMs === own[n - 1]?.toMs) &&
    (own[0]?.fromMs ?? Number.POSITIVE_INFINITY) < window.fromMs &&
    (own.at(-1)?.toMs ?? 0) > window.toMs;
  return isWhole && own.every((span) => answersIn(span, window, fits).every((answer) => answer === true));
};
