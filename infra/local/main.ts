import { inspect } from 'node:util';
import { outliveReader } from './closed-output.ts';
import { orUnusable } from './data-directory.ts';
import { readOptions, startHelp } from './options.ts';
import { reachOwnAddressesDirectly } from './own-addresses.ts';
import { placeIn } from './place-in.ts';
import { StartFailure } from './start-failure.ts';

const start = async (): Promise<void> => {
  if (process.argv.includes('--help')) return void process.stdout.write(startHelp);
  const options = readOptions(process.argv.slice(2), process.env);
  outliveReader();
  reachOwnAddressesDirectly();
  /** By a signal, or for a reason. */
  const ended = Promise.withResolvers<string | undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.resolve(undefined));
  // Half a second to load: neither help nor a mistake in the options waits for it.
  const { runStack } = await import('./run-stack.ts').catch((thrown: unknown) => {
    throw thrown instanceof SyntaxError
      ? new StartFailure(`The stack cannot be loaded: ${placeIn(thrown.stack)}${thrown.message}`)
      : thrown;
  });

  const started = runStack(options, ended.resolve).catch((thrown: unknown) => {
    throw orUnusable(thrown, options.dataDirectory);
  });
  // Ended before it is ready, it ends as if killed: all that it started ends with this process, and the next start goes on from there.
  const running = await Promise.race([started, ended.promise.then(() => undefined)]);
  const lost = await ended.promise;
  await running?.close();
  if (lost !== undefined) throw new StartFailure(lost);
};

try {
  await start();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof StartFailure ? thrown.message : inspect(thrown)}\n`);
  process.exit(1);
}
