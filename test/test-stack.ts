import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import * as http from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'vitest';
import * as z from 'zod';
import { assemblyFolder } from '../infra/local/data-directory.ts';
import { seedDemoAccount } from '../infra/local/demo-account.ts';
import { readOptions } from '../infra/local/options.ts';
import { fingerprintOf, stampFile } from '../infra/local/synth.ts';
import { openClient } from '../shared/client/client.ts';
import * as messaging from '../shared/client/messaging.ts';
import { jsonOf } from '../shared/kit/json-text.ts';
import { isDescribed, replyMatches } from './openapi-check.ts';
import { stackEnvironment } from './stack-environment.ts';
import { readStackFile, type StackFile, type StackOptions, startStackProcess } from './stack-process.ts';
import { assembly as madeAssembly, seeded, sharedDirectory } from './testbed.ts';
import { stopsOfStacks, usedStacks } from './used-stacks.ts';

/** API Gateway's own answer, which our descriptions do not cover. It also refuses callers of the admin API who are not operators. */
const isPlatformAnswer = (pathname: string, { status, body }: { readonly status: number; readonly body: unknown }) =>
  z.strictObject({ message: z.string() }).safeParse(body).success || (status === 401 && pathname.startsWith('/admin/'));

interface StackWishes extends StackOptions {
  /** A directory from `newDataDirectory`, to restart with the same data. */
  readonly dataDirectory?: string;
}

/** A data directory with the assembly and the demo account, so that a start skips synthesizing and seeding. */
export const newDataDirectory = ({ isWatched = false } = {}): string => {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'));
  cpSync(seeded, directory, { recursive: true });
  writeFileSync(join(directory, 'stack.lock'), '');
  const assembly = join(directory, assemblyFolder);
  // Node compiles a file once for all stacks that load it from the same path. When sources change, the assembly changes too.
  if (isWatched) cpSync(madeAssembly, assembly, { recursive: true });
  else symlinkSync(madeAssembly, assembly);
  return directory;
};

/**
 * Gives a data directory the assembly with the settings of a start. The settings that tests change are variables of functions, so that none
 * needs another synthesis.
 */
const setVariables = (
  dataDirectory: string,
  { arguments: more = [], environment = {}, checkout }: StackOptions,
): void => {
  const { settings } = readOptions(more, { ...stackEnvironment, ...environment });
  const [from, assembly] = [madeAssembly, join(dataDirectory, assemblyFolder)];
  rmSync(assembly, { recursive: true, force: true });
  mkdirSync(assembly);
  for (const name of readdirSync(from).filter((one) => one !== stampFile)) {
    const [made, copy] = [join(from, name), join(assembly, name)];
    if (name.endsWith('.template.json')) writeFileSync(copy, withVariables(readFileSync(made, 'utf8'), settings));
    else if (checkout) cpSync(made, copy, { recursive: true });
    else symlinkSync(made, copy);
  }
  writeFileSync(join(assembly, stampFile), fingerprintOf(settings));
};

const withVariables = (template: string, settings: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    JSON.parse(template, (key, value) =>
      key === 'Variables' ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, settings[k] ?? v])) : value,
    ),
  );

/** A copy of the sources that a test may change. */
export const newCheckout = (): string => {
  const checkout = mkdtempSync(join(tmpdir(), 'a checkout #%41 '));
  for (const entry of ['infra', 'functions', 'shared', 'cdk.json', 'package.json', 'package-lock.json']) {
    cpSync(entry, join(checkout, entry), { recursive: true });
  }
  symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  return checkout;
};

/** Starts the local stack and waits until it is ready. */
export const startTestStack = async (wishes: StackWishes = {}) => {
  const dataDirectory = wishes.dataDirectory ?? newDataDirectory({ isWatched: wishes.checkout !== undefined });
  if (wishes.environment || wishes.arguments?.includes('--webhook-targets')) setVariables(dataDirectory, wishes);
  const { file, ...stack } = await startStackProcess(dataDirectory, wishes);
  stopsOfStacks.add(stack.stop);
  return {
    ...callsOf(file, dataDirectory),
    ...stack,
    forget: (): void => rmSync(dataDirectory, { recursive: true, force: true }),
  };
};

export type TestStack = Awaited<ReturnType<typeof startTestStack>>;

/**
 * The stack for all test files that neither stop it nor need other settings; the first file starts it. Each file gets an account like the demo
 * account, which no other file uses.
 */
export const shareTestStack = async () => {
  const dataDirectory = await sharedDirectory();
  const file = readStackFile(dataDirectory);
  const accountDirectory = mkdtempSync(join(tmpdir(), 'account-'));
  const account = await seedDemoAccount(
    { url: new URL(file.apiBaseUrl).origin, adminToken: file.adminToken },
    accountDirectory,
  );
  rmSync(accountDirectory, { recursive: true });
  return callsOf({ ...file, ...account }, dataDirectory);
};

export type SharedStack = Awaited<ReturnType<typeof shareTestStack>>;

const callsOf = (file: StackFile, dataDirectory: string) => {
  usedStacks.add(dataDirectory);
  return {
    file,
    dataDirectory,

    /** One call of the messaging API, with the account's key by default. */
    api: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
      const key = { 'x-api-key': file.keys.messaging };
      return request(`${file.apiBaseUrl}${path}`, method, { ...key, ...headers }, body);
    },

    /** The same by the typed client. */
    client: openClient<messaging.Operations>({
      baseUrl: file.apiBaseUrl,
      key: file.keys.messaging,
      replayable: messaging.replayable,
      fetch: checkedFetch,
    }),

    admin: (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
      request(`${file.adminBaseUrl}${path}`, method, { authorization: `Bearer ${file.adminToken}`, ...headers }, body),
  };
};

/** Public pages count calls by client address, so each test file calls from a loopback address of its own, where the system has them. */
const localAddress = (): string | undefined => {
  if (process.platform !== 'linux') return undefined;
  const [a, b, c] = createHash('sha256')
    .update(expect.getState().testPath ?? '')
    .digest();
  return `127.${a}.${b}.${c}`;
};

/** One HTTP call. The answer of a described endpoint must conform to its description. */
export const request = async (
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
) => {
  const sent = http.request(url, {
    method,
    localAddress: localAddress(),
    headers: { 'content-type': 'application/json', ...headers },
  });
  sent.end(body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : jsonOf(body));
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  const text = await readText(response);
  const reply = {
    status: response.statusCode ?? 0,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
  const { pathname } = new URL(url);
  if (isDescribed(method, pathname) && !isPlatformAnswer(pathname, reply)) {
    expect(replyMatches(method, pathname, reply.status, reply.body)).toEqual([]);
  }
  return reply;
};

/** `request` for the typed client. */
export const checkedFetch: typeof fetch = async (url, { method = 'GET', headers, body } = {}) => {
  const answer = await request(String(url), method, Object.fromEntries(new Headers(headers)), body ?? undefined);
  return new Response(answer.text || null, answer);
};
