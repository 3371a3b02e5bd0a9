import { resolve } from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import { Unavailable } from '../../shared/kit/fault.ts';
import { AwsNotCalled, environmentForAws, notCalled } from '../aws-calls.ts';
import { outliveReader, outputTaken } from './closed-output.ts';
import { defaultDataDirectory } from './fresh-start.ts';
import { reachOwnAddressesDirectly } from './own-addresses.ts';
import { parseArguments } from './parse-arguments.ts';
import { findRunningStack, type RunningStack } from './running-stack.ts';
import { aheadIn } from './stack-clock.ts';
import { StartFailure } from './start-failure.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const common = {
  'data-dir': { type: 'string', default: defaultDataDirectory },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const satisfies Options;

/** What a command of the running stack is given. */
export interface CommandInput<Values> {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly dataDirectory: string;
  /** @throws StartFailure when no stack runs */
  stack(): RunningStack;
  /** The time on the clock of the running stack. */
  nowMs(): number;
  /** Prints a line of text or, with `--json`, the facts of it. */
  print(text: string, facts: object): void;
  /** Prints a line beside the results, on standard error. */
  warn(text: string): void;
}

/** Where a command writes its lines. */
export interface Output {
  line(text: string): void;
  error(text: string): void;
}

const standardOutput: Output = {
  line: (text) => void process.stdout.write(`${text}\n`),
  error: (text) => void process.stderr.write(`${text}\n`),
};

interface Command<O extends Options> {
  readonly help: string;
  readonly options: O;
  /** Returns the exit code. */
  run(input: CommandInput<ReturnType<typeof parse<O>>['values']>): Promise<number>;
}

const parse = <O extends Options>({ help, options }: Pick<Command<O>, 'help' | 'options'>, args: readonly string[]) =>
  parseArguments(help, { args: [...args], allowPositionals: true, options: { ...options, ...common } });

const shared = `  --data-dir .local   The data directory of the running stack
  --json              Prints one JSON object a line; npm run --silent leaves out the lines of npm
  --help              Prints this`;

/** A command, to be run with arguments. Its exit code is 0 when it succeeded, 1 when it failed, with a line that says what to do. */
export const commandOf =
  <const O extends Options>({ help, options, run }: Command<O>) =>
  async (argv: readonly string[], { line, error }: Output): Promise<number> => {
    try {
      const { values, positionals } = parse({ help, options }, argv);
      const { help: wantsHelp, json: isJson, 'data-dir': directory, stage } = values as Common;
      if (wantsHelp) {
        line(help + shared);
        return 0;
      }
      if (stage !== undefined && stage !== 'dev' && stage !== 'prod')
        throw new StartFailure(`--stage must be dev or prod, and is ${stage}.`);
      const dataDirectory = resolve(directory);
      return await run({
        values,
        positionals,
        dataDirectory,
        stack: () => findRunningStack(dataDirectory),
        nowMs: () => Date.now() + aheadIn(dataDirectory),
        print: (text, facts) => line(printable(isJson ? JSON.stringify(facts) : text)),
        warn: error,
      });
    } catch (caught) {
      const message = userMessageOf(caught);
      if (message === undefined) throw caught;
      error(message);
      return 1;
    }
  };

/** Runs a command with the arguments of the process, and ends it. */
export const runCommand = async (command: ReturnType<typeof commandOf>): Promise<never> => {
  outliveReader();
  reachOwnAddressesDirectly();
  // What functions log to standard output would be among the lines of the command.
  process.env['LOG_LEVEL'] = 'off';
  const status = await command(process.argv.slice(2), standardOutput);
  await outputTaken();
  process.exit(status);
};

/** The line that a command prints about a failure. Undefined: it is a bug. */
export const userMessageOf = (thrown: unknown): string | undefined => {
  if (isUnanswered(thrown)) return noAnswer(thrown);
  if (thrown instanceof StartFailure || thrown instanceof AwsNotCalled) return thrown.message;
  if (thrown instanceof Unavailable) return unavailable(thrown);
  if (isWithoutCredentials(thrown)) return `${notCalled(thrown)} ${environmentForAws}`;
  if (isFromFileSystem(thrown)) return `A file cannot be read or written: ${thrown.message}.`;
  return isFromSdk(thrown) ? `${thrown.name}: ${thrown.message}` : undefined;
};

/** After some seconds of tries. A command can be run again: each goes on where the last one was cut off. */
const unavailable = ({ message, cause }: Unavailable): string =>
  `${message}${cause instanceof Error ? ` (${cause.name}: ${lineOf(cause.message)})` : ''}. Run the command again; the stack of this machine may have to be started: npm start`;

const lineOf = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');

/** The SDK says so of credentials that are not there or have expired, for example of a session of AWS SSO. */
const isWithoutCredentials = (thrown: unknown): boolean =>
  thrown instanceof Error && /^(Credentials|Token)ProviderError$/.test(thrown.name);

/** Text of others may have control characters, which a terminal obeys. They are shown as JSON writes them. */
const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A client of the AWS SDK adds this to what a service answers, and to what keeps a call from reaching it. */
const isFromSdk = (thrown: unknown): thrown is Error => thrown instanceof Error && '$metadata' in thrown;

const refusalsOfFiles = ['EACCES', 'EDQUOT', 'EEXIST', 'EISDIR', 'ENOENT', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS'];

/** Of a full disk, of a file that another user has, or of a folder in the place of a file. */
const isFromFileSystem = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && 'code' in thrown && refusalsOfFiles.includes(String(thrown.code));

/** `fetch` says so of a request without an answer. */
const isUnanswered = (thrown: unknown): thrown is TypeError =>
  thrown instanceof TypeError && thrown.message === 'fetch failed';

/** The file of a killed stack stays, and another program can have the number of its process since. */
const noAnswer = ({ cause }: TypeError): string =>
  `The stack does not answer${cause instanceof Error ? ` (${cause.message})` : ''}. If it does not run, start it: npm start`;

interface Common {
  readonly help: boolean;
  readonly json: boolean;
  readonly 'data-dir': string;
  /** Of the commands that have it: a deployment. */
  readonly stage?: string;
}
