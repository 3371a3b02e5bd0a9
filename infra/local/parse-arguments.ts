import { type ParseArgsConfig, parseArgs } from 'node:util';
import { StartFailure } from './start-failure.ts';

/**
 * The arguments of a command whose help begins with its name.
 * @throws StartFailure that says which argument is wrong
 */
export const parseArguments = <const Config extends ParseArgsConfig>(help: string, config: Config) => {
  const negative = (config.args ?? process.argv.slice(2)).find((text) => /^-\d/.test(text));
  if (negative !== undefined) throw new StartFailure(`${negative} must not begin with a hyphen. ${seeHelp(help)}`);
  try {
    return parseArgs(config);
  } catch (thrown) {
    // Its first sentence names the argument; the others are about arguments that begin with a hyphen, which a missing value may be followed by.
    const [reason = ''] = thrown instanceof Error ? thrown.message.split(/\. |\n/) : [];
    const what = reason.replace(/\.$/, '').replace(/ argument is ambiguous$/, ' needs a value');
    throw new StartFailure(`${what}. ${seeHelp(help)}`);
  }
};

/** Where a person reads on. */
export const seeHelp = (help: string): string => `${/^npm (run )?\S+/.exec(help)?.[0]} -- --help shows all options.`;
