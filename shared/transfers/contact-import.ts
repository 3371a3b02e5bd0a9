import type { Header } from './contact-header.ts';
import type { Growth } from './growth.ts';

export const mostImportBytes = 50 * 1024 * 1024;

/** How long an import waits for its file. */
export const uploadWithinMs = 3_600_000;

export const importStatuses = ['waiting', 'processing', 'completed', 'failed'] as const;

/** What is known of an import: all that a run needs to go on where the last one ended. */
export interface ContactImport {
  readonly status: (typeof importStatuses)[number];
  readonly dryRun: boolean;
  /** When it ends, if there is no file. */
  readonly uploadUntilMs: number;
  readonly fileBytes: number;
  /** Of the content that is read. The release before has none. */
  readonly fileTag: string | undefined;
  /** The first byte, the line and the row that are to be read next. */
  readonly offset: number;
  readonly line: number;
  readonly header: Header | undefined;
  /** When the run ended that came before this block of rows: their contacts count as created then, whichever run creates them. An import of the release before has none, and keeps the time of its id. */
  readonly savedMs: number | undefined;
  readonly total: number;
  readonly created: number;
  readonly duplicates: number;
  readonly errors: number;
  readonly failureReason: string | undefined;
  /** The file of refused rows, as far as it is written. */
  readonly refused: Growth;
  readonly endedMs: number | undefined;
}

export const newImport = (dryRun: boolean, nowMs: number): ContactImport => ({
  status: 'waiting',
  dryRun,
  uploadUntilMs: nowMs + uploadWithinMs,
  fileBytes: 0,
  fileTag: undefined,
  offset: 0,
  line: 1,
  header: undefined,
  savedMs: nowMs,
  total: 0,
  created: 0,
  duplicates: 0,
  errors: 0,
  failureReason: undefined,
  refused: { tags: [] },
  endedMs: undefined,
});

export const failed = (before: ContactImport, failureReason: string, nowMs: number): ContactImport => ({
  ...before,
  status: 'failed',
  failureReason,
  endedMs: nowMs,
});

/** An import that no run goes on with any more. */
export const interruptedImport = (before: ContactImport, atMs: number): ContactImport =>
  failed(
    before,
    'it was interrupted; import the file again: the contacts that it has created are duplicates then',
    atMs,
  );

/** Seconds until an import without a file is looked at again; a GET looks at once. */
export const nextLookSeconds = (before: ContactImport, nowMs: number): number => {
  const waitedSeconds = (nowMs - (before.uploadUntilMs - uploadWithinMs)) / 1_000;
  return Math.ceil(Math.min(Math.max(waitedSeconds / 2, 2), 60));
};
