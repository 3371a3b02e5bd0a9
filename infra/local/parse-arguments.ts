import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartFailure } from './start-failure.ts';

/**
 * The arguments of a command whose help begins with its name.
 * @throws StartFailure that says which argument is wrong
 */
export const parseArguments = <const Config extends ParseArgsConfig>(help: string, config: Config) => {
  const args = config.args ?? process.argv.slice(2);
  const kept = Object.keys(config.options ?? {}).find((name) => isKeptByNpm(name, args));
  if (kept !== undefined)
    throw new StartFailure(
      `npm kept --${kept} for itself. Write options after two hyphens: ${nameIn(help)} -- --${kept}`,
    );
  const negative = args.find((text) => /^-\d/.test(text));
  if (negative !== undefined) throw new StartFailure(`${negative} must not begin with a hyphen. ${seeHelp(help)}`);
  try {
    const parsed = parseArgs(config);
    const empty = Object.entries(parsed.values).find(([, value]) => [value].flat().includes(''));
    if (empty) throw new Error(`Option '--${empty[0]}' needs a value`);
    return parsed;
  } catch (thrown) {
    // Its first sentence names the argument; the others are about arguments that begin with a hyphen, which a missing value may be followed by.
    const [reason = ''] = thrown instanceof Error ? thrown.message.split(/\. |\n/) : [];
    const what = reason.replace(/\.$/, '').replace(/ argument is ambiguous$/, ' needs a value');
    throw new StartFailure(`${what}. ${seeHelp(help)}`);
  }
};

/** Options of npm itself that its settings may hold for good. Without them a command changes nothing that it would not change with them. */
const settingsOfNpm = ['before', 'json', 'yes'];

/** npm takes options that do not follow two hyphens for its own, and passes them on in the environment only. */
const isKeptByNpm = (name: string, args: readonly string[]): boolean =>
  Boolean(process.env[`npm_config_${name.replaceAll('-', '_')}`]) &&
  !settingsOfNpm.includes(name) &&
  !args.some((text) => [`--${name}`, '--help'].includes(text.split('=')[0] ?? ''));

/** Where a person reads on. */
export const seeHelp = (help: string): string => `${nameIn(help)} -- --help shows all options.`;

const nameIn = (help: string): string => /^npm (run )?\S+/.exec(help)?.[0] ?? '';
