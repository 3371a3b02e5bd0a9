import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFailed, TestRunner } from 'vitest';

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What the functions of a stack logged about a request. */
const linesAbout = (dataDirectory: string, requestId: string): string[] => {
  const logs = join(dataDirectory, 'logs');
  return readdirSync(logs).flatMap((name) =>
    readFileSync(join(logs, name), 'utf8')
      .split('\n')
      .filter((line) => line.includes(requestId)),
  );
};

/** Says what was answered and logged when a test fails after a 5xx: on a busy machine, it may not happen again. */
export const explainServerFailure = (dataDirectory: string, call: string, { status, headers, text }: Reply): void => {
  if (status < 500 || !TestRunner.getCurrentTest()) return;
  const requestId = headers.get('apigw-requestid') ?? '';
  onTestFailed(() => console.error([`${call}: ${status} ${text}`, ...linesAbout(dataDirectory, requestId)].join('\n')));
};
