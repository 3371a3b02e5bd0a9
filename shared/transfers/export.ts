import * as z from 'zod';
import { exampleId, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Growth } from './growth.ts';

const exportStatuses = ['processing', 'completed', 'failed'] as const;

/** What is known of an export: all that a run needs to go on where the last one ended. */
export interface Export<Filter> {
  readonly status: (typeof exportStatuses)[number];
  /** Its end is fixed when the export begins, so that later items do not belong to it. */
  readonly filter: Filter & { readonly createdBeforeMs: number };
  /** The id of the last item that was read; null before the first. */
  readonly cursor: string | null;
  readonly isRead: boolean;
  readonly rows: number;
  readonly file: Growth;
  readonly endedMs: number | undefined;
}

export const newExport = <Filter extends { readonly createdBeforeMs?: number | undefined }>(
  filter: Filter,
  nowMs: number,
): Export<Filter> => ({
  status: 'processing',
  filter: { ...filter, createdBeforeMs: Math.min(filter.createdBeforeMs ?? nowMs, nowMs) },
  cursor: null,
  isRead: false,
  rows: 0,
  file: { tags: [] },
  endedMs: undefined,
});

/** An export that no run goes on with any more. */
export const interruptedExport = <Filter>(before: Export<Filter>, atMs: number): Export<Filter> => ({
  ...before,
  status: 'failed',
  endedMs: atMs,
});

/** How long a link to a file is good. */
export const linkSeconds = 900;

const instant = z.string().meta({ format: 'date-time' });

const exampleExport = {
  id: exampleId,
  status: 'completed',
  rows: 1_250,
  url: 'https://files.s3.us-east-1.amazonaws.com/…',
  expiresAt: '2026-11-20T12:15:20.000Z',
  createdAt: '2026-11-20T12:00:00.000Z',
  completedAt: '2026-11-20T12:00:09.000Z',
};

/** As an export begins. */
export const exampleNewExport = {
  ...exampleExport,
  status: 'processing',
  rows: 0,
  url: null,
  expiresAt: null,
  completedAt: null,
};

export const exportReport = z
  .object({
    id: z.string(),
    status: z.enum(exportStatuses).describe('`failed`: it was interrupted. Begin another one.'),
    rows: z.int().describe('Rows so far, without the header row.'),
    url: z
      .string()
      .nullable()
      .describe('When the export is completed: a link to its CSV file. Each GET gives a new one.'),
    expiresAt: instant.nullable().describe('Until when `url` is good: 15 minutes.'),
    createdAt: instant,
    completedAt: instant.nullable(),
  })
  .meta({
    id: 'Export',
    description: 'A CSV file with the rows of a list.',
    examples: [exampleExport],
  });

export const exportDescription =
  'The file is CSV (RFC 4180) in UTF-8 with a header row; several tags are separated by semicolons, or are a JSON array where one of them has a semicolon or a space at its end. It has what the list has when the export begins. A single quote goes before what a spreadsheet program could take for a formula. An export is kept for 7 days.';

/** What a caller sees of an export. `url`: a link to its file, if it is complete. */
export const reportOf = (
  id: string,
  { status, rows, endedMs }: Pick<Export<unknown>, 'status' | 'rows' | 'endedMs'>,
  url: string | undefined,
  nowMs: number,
): z.input<typeof exportReport> => ({
  id,
  status,
  rows,
  url: url ?? null,
  expiresAt: url === undefined ? null : iso(nowMs + linkSeconds * 1_000),
  createdAt: iso(timeOfId(id)),
  completedAt: endedMs === undefined ? null : iso(endedMs),
});
