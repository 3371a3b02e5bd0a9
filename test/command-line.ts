import type { ParseArgsConfig } from 'node:util';
import { parseArguments } from '../infra/local/parse-arguments.ts';

// The command lines of what measures. What is wrong ends the process in a line that says so, before anything is measured.

type Options = NonNullable<ParseArgsConfig['options']>;

interface CommandLine<O extends Options> {
  readonly help: string;
  readonly options?: O;
  /** It takes numbers, and these words. */
  readonly words?: readonly string[] | 'any';
}

const parse = <O extends Options>({ help, options, words }: CommandLine<O>) =>
  parseArguments(help, {
    allowPositionals: words !== undefined,
    options: { ...(options as O), help: { type: 'boolean', default: false } },
  });

/** Ends the process with a line that says what is wrong. */
export const endWith = (line: string): never => {
  process.stderr.write(`${line}\n`);
  return process.exit(1);
};

const isNumber = (text: string): boolean => /^\d{1,9}(\.\d+)?$/.test(text);

/** The number that an option has. */
export const numberOf = (option: string, text: string): number =>
  isNumber(text) ? Number(text) : endWith(`${option} must be a number, and is ${text}.`);

/** `--help` prints the help, and ends the process. */
export const readCommandLine = <const O extends Options>(line: CommandLine<O>) => {
  const { values, positionals } = parsed(line);
  if ((values as { readonly help: boolean }).help) {
    process.stdout.write(line.help);
    process.exit(0);
  }
  const words = positionals.filter((text) => !isNumber(text));
  if (line.words && line.words !== 'any') refuseUnknown(words, line.words);
  return { values, words, numbers: positionals.filter(isNumber).map(Number) };
};

const refuseUnknown = (words: readonly string[], known: readonly string[]): void => {
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    endWith(known.length === 0 ? `${unknown} is not a number.` : `There is no ${unknown}, but: ${known.join(', ')}`);
};

const parsed = <O extends Options>(line: CommandLine<O>) => {
  try {
    return parse(line);
  } catch (error) {
    return endWith(error instanceof Error ? error.message : String(error));
  }
};
