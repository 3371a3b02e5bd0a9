import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberOf, readCommandLine } from '../command-line.ts';
import { outputOfReady, readStackFile, spawnStack } from '../stack-process.ts';

const help = `npm run fuzz -- [--seconds 120] [--seed 1]

Calls every endpoint of a local stack of its own with generated requests, valid and not, and reports each 5xx and each answer that its
description does not allow. Needs Schemathesis (Python): pip install schemathesis, on the PATH or its file in the variable SCHEMATHESIS.

  --seconds 120   How long each document is tried
  --seed 1        Repeats a run
  --help          Prints this
`;

const { values } = readCommandLine({
  help,
  options: {
    seconds: { type: 'string', default: '120' },
    seed: { type: 'string', default: '1' },
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

const directory = mkdtempSync(join(tmpdir(), 'fuzz-'));
const stack = spawnStack(directory, { arguments: ['--quiet'] });
try {
  process.stdout.write('Starting a stack…\n');
  await outputOfReady(stack);
  const { apiBaseUrl, checkoutBaseUrl, adminBaseUrl, adminToken, keys } = readStackFile(directory);
  const documents = [
    { url: `${apiBaseUrl}/openapi-full.json`, base: apiBaseUrl, header: `X-API-Key: ${keys.messaging}` },
    {
      url: `${checkoutBaseUrl}/v1/openapi.json`,
      base: `${checkoutBaseUrl}/v1`,
      header: `Authorization: Bearer ${keys.checkoutSecretTest}`,
    },
    { url: `${adminBaseUrl}/openapi.json`, base: adminBaseUrl, header: `Authorization: Bearer ${adminToken}` },
  ];
  for (const { url, base, header } of documents) {
    const run = spawn(
      program,
      [
        ...['run', url, '--url', base, '--header', header, '--seed', values.seed, '--max-time', values.seconds],
        // The first call of a function bundles it.
        ...['--wait-for-schema', '120', '--request-timeout', '60', '--request-retries', '3'],
        ...['--phases', 'examples,coverage,fuzzing', '--exclude-checks', left.join(','), '--continue-on-failure'],
        // They would end the sessions and tokens that the run calls with, freeze its account, or inject faults.
        ...['--exclude-path-regex', 'sign-out|^/operator|chaos|^/sessions/', '--suppress-health-check', 'all'],
      ],
      // It keeps a cache where it runs.
      { cwd: directory, stdio: 'inherit' },
    );
    const [code] = await once(run, 'close');
    if (code !== 0) process.exitCode = 1;
  }
} finally {
  stack.kill('SIGTERM');
  await once(stack, 'exit');
  rmSync(directory, { recursive: true, force: true });
}
