import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { scopes } from '../../shared/accounts/api-key.ts';
import { callsPerAddress } from '../../shared/http/payer-surface.ts';
import { numberOf, readCommandLine } from '../command-line.ts';
import { type StackFile, startStackProcess } from '../stack-process.ts';

const help = `npm run fuzz -- [--seconds 300] [--seed N]

Calls every endpoint of a local stack of its own with generated requests, valid and not, and reports each 5xx and each answer that its
description does not allow. Also fails where an operation or a phase was not tried, or where rate limits answered for the functions. Needs
Schemathesis (Python): pip install schemathesis, on the PATH or its file in the variable SCHEMATHESIS.

  --seconds 300   How long each of the five trials takes
  --seed N        Repeats a run; without it, each day has another, which is printed
  --help          Prints this
`;

const { values } = readCommandLine({
  help,
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: String(Math.floor(Date.now() / 86_400_000)) },
  },
});
for (const option of ['seed', 'seconds'] as const) numberOf(`--${option}`, values[option]);
const program = process.env['SCHEMATHESIS'] || 'schemathesis';

const isInstalled = (): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

if (!isInstalled()) {
  process.stderr.write('Schemathesis is not installed: pip install schemathesis\n');
  process.exit(1);
}

/**
 * Checks that do not hold here, for reasons: rules refuse some bodies that a description allows; batches answer 200 with an error for each
 * refused item; a `null` reads as omitted; a repeated Idempotency-Key gets the first response. Other tests cover keys and methods.
 */
const left = [
  'positive_data_acceptance',
  'negative_data_rejection',
  'unsupported_method',
  'ignored_auth',
  'use_after_free',
  'ensure_resource_availability',
];

interface Trial {
  readonly document: string;
  readonly base: string;
  readonly header: string;
  /** Paths that another trial has, or none. */
  readonly without?: string;
  readonly perMinute?: number;
}

/** Keys without a limit in effect: with that of the demo keys, most answers would be 429. */
const trialsOn = async (file: StackFile): Promise<readonly Trial[]> => {
  const { apiBaseUrl, checkoutBaseUrl, adminBaseUrl, adminToken, accountId } = file;
  const operator = `Authorization: Bearer ${adminToken}`;
  const newKey = async (kind: string, wishes: object): Promise<string> => {
    const answer = await fetch(`${adminBaseUrl}/accounts/${accountId}/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${adminToken}` },
      body: JSON.stringify({ name: 'Fuzz', rateLimitPerMinute: 1_000_000, ...wishes }),
    });
    return z.object({ data: z.object({ key: z.string() }) }).parse(await answer.json()).data.key;
  };
  const messaging = `X-API-Key: ${await newKey('api-keys', { scopes })}`;
  const secret = `Authorization: Bearer ${await newKey('checkout-keys', { kind: 'secret', livemode: false })}`;
  const checkout = { document: `${checkoutBaseUrl}/v1/openapi.json`, base: `${checkoutBaseUrl}/v1`, header: secret };
  return [
    { document: `${apiBaseUrl}/openapi.json`, base: apiBaseUrl, header: messaging },
    { document: `${apiBaseUrl}/openapi-full.json`, base: apiBaseUrl, header: messaging },
    { ...checkout, without: '^/public/' },
    // Payers have no key, and each address a limit.
    { ...checkout, perMinute: callsPerAddress },
    { document: `${adminBaseUrl}/openapi.json`, base: adminBaseUrl, header: operator },
  ];
};

/** They would end the sessions and tokens that the run calls with, freeze its account, or inject faults. */
const untried = ['sign-out', '^/operator', 'chaos', '^/sessions/'];

const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
const reportFile = join(directory, 'report.json');
const report = z.object({
  operations: z.object({ selected: z.number(), tested: z.number() }),
  phases: z.record(z.string(), z.object({ status: z.string() })),
});

/** What a run that found no fault has not tried. */
const gapsIn = ({ operations, phases }: z.output<typeof report>): readonly string[] => [
  ...(operations.tested < operations.selected ? [`${operations.selected - operations.tested} operations`] : []),
  ...Object.entries(phases).flatMap(([name, { status }]) => (status === 'skip' ? [`the phase ${name}`] : [])),
];

/** Whether it went well. */
const tried = async ({ document, base, header, without, perMinute }: Trial): Promise<boolean> => {
  const excluded = [...untried, ...(without ? [without] : [])].join('|');
  const run = spawn(
    program,
    [
      ...['run', document, '--url', base, '--header', header, '--seed', values.seed, '--max-time', values.seconds],
      // The first call of a function bundles it.
      ...['--wait-for-schema', '120', '--request-timeout', '60', '--request-retries', '3'],
      ...['--phases', 'examples,coverage,fuzzing,stateful', '--exclude-checks', left.join(',')],
      ...['--continue-on-failure', '--exclude-path-regex', excluded, '--suppress-health-check', 'all'],
      ...['--report', 'json', '--report-json-path', reportFile],
      ...(perMinute ? ['--rate-limit', `${perMinute}/m`] : []),
    ],
    // It keeps a cache where it runs.
    { cwd: directory, stdio: 'inherit' },
  );
  const [code] = await once(run, 'close');
  if (code !== 0) return false;
  const gaps = gapsIn(report.parse(JSON.parse(readFileSync(reportFile, 'utf8'))));
  for (const gap of gaps) process.stderr.write(`Not tried in ${document}: ${gap}. Give it more --seconds.\n`);
  return gaps.length === 0;
};

process.stdout.write(`Starting a stack… The seed is ${values.seed}.\n`);
const stack = await startStackProcess(directory, { arguments: ['--quiet'] });
try {
  writeFileSync(join(directory, 'schemathesis.toml'), '[warnings]\nfail-on = ["rate_limited"]\n');
  for (const trial of await trialsOn(stack.file)) if (!(await tried(trial))) process.exitCode = 1;
} finally {
  await stack.stop();
  rmSync(directory, { recursive: true, force: true });
}
