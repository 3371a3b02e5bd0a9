import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AwsNotCalled } from '../aws-calls.ts';
import { outliveReader } from './closed-output.ts';
import { findRunningStack, type RunningStack } from './running-stack.ts';
import { aheadIn } from './stack-clock.ts';
import { StartFailure } from './start-failure.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

const common = {
  'data-dir': { type: 'string', default: '.local' },
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
}

interface Command<O extends Options> {
  readonly help: string;
  readonly options: O;
  /** Returns the exit code. */
  run(input: CommandInput<ReturnType<typeof parse<O>>['values']>): Promise<number>;
}

const parse = <O extends Options>(options: O, args: readonly string[]) =>
  parseArgs({ args: [...args], allowPositionals: true, options: { ...options, ...common } });

const shared = `  --data-dir .local   The data directory of the running stack
  --json              Prints one JSON object a line
  --help              Prints this
`;

/** Runs a command and ends the process: 0 when it succeeded, 1 when it failed, with a line that says what to do. */
export const runCommand = async <const O extends Options>({ help, options, run }: Command<O>): Promise<never> => {
  outliveReader();
  try {
    const { values, positionals } = parse(options, process.argv.slice(2));
    const { help: wantsHelp, json: isJson, 'data-dir': directory } = values as Common;
    if (wantsHelp) {
      process.stdout.write(help + shared);
      process.exit(0);
    }
    const print = (text: string, facts: object): void =>
      void process.stdout.write(`${printable(isJson ? JSON.stringify(facts) : text)}\n`);
    const dataDirectory = resolve(directory);
    process.exit(
      await run({
        values,
        positionals,
        dataDirectory,
        stack: () => findRunningStack(dataDirectory),
        nowMs: () => Date.now() + aheadIn(dataDirectory),
        print,
      }),
    );
  } catch (caught) {
    const thrown = isUnanswered(caught) ? new StartFailure(noAnswer(caught)) : caught;
    const isUsage = thrown instanceof Error && 'code' in thrown && String(thrown.code).startsWith('ERR_PARSE_ARGS');
    if (!isUsage && !(thrown instanceof StartFailure || thrown instanceof AwsNotCalled)) throw thrown;
    process.stderr.write(`${thrown.message}\n${isUsage ? '--help shows all options.\n' : ''}`);
    process.exit(1);
  }
};

/** Text of others may have control characters, which a terminal obeys. They are shown as JSON writes them. */
const printable = (text: string): string =>
  text.replaceAll(/[^\P{Cc}\n\t]/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

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
}
