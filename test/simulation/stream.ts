import type { RecordFilter } from '../../infra/changes.ts';
import { type StreamSource, streamRetriesOf } from '../../infra/workers.ts';
import type { Lambda } from './lambda.ts';
import type { Machine } from './machine.ts';
import { randomIn } from './random.ts';
import type { TableChange } from './table/memory-table.ts';
import { type Fields, isFields, isList, typeOf, type Value } from './table/value.ts';

interface Kept extends TableChange {
  readonly atMs: number;
}

const repeatChance = 0.03;
const retryMs = 1_000;
const usualBatch = 100;

const eventNameOf = ({ before, after }: TableChange): string => {
  if (!before) return 'INSERT';
  return after ? 'MODIFY' : 'REMOVE';
};

const fittingTo = (wanted: RecordFilter['newImage'] = {}) => {
  const fields = Object.entries(wanted);
  return (image: Fields | undefined): boolean =>
    fields.every(([field, texts]) => texts.some((text) => image?.[field] === text));
};

/** What a filter lets through. */
const passing = ({ eventName, oldImage, newImage }: RecordFilter) => {
  const [fitsBefore, fitsAfter] = [fittingTo(oldImage), fittingTo(newImage)];
  return (change: TableChange): boolean =>
    eventName.includes(eventNameOf(change)) && fitsBefore(change.before) && fitsAfter(change.after);
};

/** One reader of the table's stream: the changes that its filters let through, in order, in batches, some of them more than once. */
export const openStreamReader = (
  machine: Machine,
  lambda: Lambda,
  seed: number,
  does: string,
  source: StreamSource,
) => {
  const { timeline } = machine;
  const filters = source.stream.map(passing);
  const waiting: Kept[] = [];
  const discarded: Kept[] = [];
  let isBusy = false;
  let batches = 0;
  let tries = 0;
  let most = source.batchSize ?? usualBatch;

  const readSoon = (ms: number): void => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    timeline.after(ms, read);
  };

  const read = (): void => {
    batches += 1;
    const random = randomIn(seed, `${does} batch ${batches}`);
    const batch = waiting.slice(0, random.isChance(0.5) ? most : 1 + random.below(Math.min(most, waiting.length)));
    lambda.invoke(does, { Records: batch.map(recordOf) }, (outcome) => {
      isBusy = false;
      const done = outcome !== 'killed' && 'answer' in outcome ? doneOf(outcome.answer, batch) : 0;
      // A batch may come again although it was done: its end was not noted.
      if (done > 0 && !random.isChance(repeatChance)) waiting.splice(0, done);
      noteTry(done, batch.length);
      readSoon(done === batch.length ? 0 : retryMs);
    });
  };

  /** A batch that fails is halved, until the change that it fails at is alone and given up. */
  const noteTry = (done: number, size: number): void => {
    tries = done === 0 ? tries + 1 : 0;
    most = done === 0 ? Math.max(1, size >> 1) : (source.batchSize ?? usualBatch);
    if (tries > streamRetriesOf(source)) discarded.push(...waiting.splice(0, 1));
  };

  return {
    discarded,
    take: (change: TableChange): void => {
      if (!filters.some((passes) => passes(change))) return;
      waiting.push({ ...change, atMs: timeline.nowMs() });
      const random = randomIn(seed, `${does} ${change.sequence}`);
      readSoon((source.windowSeconds ?? 0) * 1_000 + random.below(300));
    },
  };
};

/** How many changes of a batch are done: all before the first that failed. */
const doneOf = (answer: unknown, batch: readonly Kept[]): number => {
  const failures: unknown = Reflect.get(Object(answer), 'batchItemFailures');
  if (!Array.isArray(failures)) throw new Error('a reader says which changes failed');
  const failed = new Set(failures.map(({ itemIdentifier }) => String(itemIdentifier)));
  const first = batch.findIndex(({ sequence }) => failed.has(`${sequence}`));
  return first < 0 ? batch.length : first;
};

const recordOf = (change: Kept) => ({
  eventID: `${change.sequence}`,
  eventName: eventNameOf(change),
  dynamodb: {
    SequenceNumber: `${change.sequence}`,
    ApproximateCreationDateTime: Math.trunc(change.atMs / 1_000),
    ...(change.before && { OldImage: imageOf(change.before) }),
    ...(change.after && { NewImage: imageOf(change.after) }),
  },
});

/** Each image is made once: every reader takes it, of the change that makes the item and of the next. */
const images = new WeakMap<Fields, Readonly<Record<string, unknown>>>();

const imageOf = (fields: Fields): Readonly<Record<string, unknown>> => {
  const made =
    images.get(fields) ??
    Object.freeze(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, attributeOf(value)])));
  images.set(fields, made);
  return made;
};

/** An attribute as Lambda has it in a record of the stream. */
const attributeOf = (value: Value): Record<string, unknown> => {
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return { [typeOf(value)]: [...value].map(String) };
  if (isList(value)) return { L: value.map(attributeOf) };
  if (isFields(value)) return { M: imageOf(value) };
  if (value === null) return { NULL: true };
  return { [typeOf(value)]: typeof value === 'number' ? String(value) : value };
};
