import { relative } from 'node:path';
import { inspect } from 'node:util';
import { outliveReader } from './closed-output.ts';
import { orUnusable } from './data-directory.ts';
import { readOptions, startHelp } from './options.ts';
import { StartFailure } from './start-failure.ts';

const start = async (): Promise<void> => {
  if (process.argv.includes('--help')) return void process.stdout.write(startHelp);
  const options = readOptions(process.argv.slice(2), process.env);
  outliveReader();
  const stopped = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.resolve());
  // Half a second to load: neither help nor a mistake in the options waits for it.
  const { runStack } = await import('./run-stack.ts').catch((thrown: unknown) => {
    throw thrown instanceof SyntaxError
      ? new StartFailure(`The stack cannot be loaded: ${placeIn(thrown)}${thrown.message}`)
      : thrown;
  });

  // Stopped before it is ready, it ends as if killed: all that it started ends with this process, and the next start goes on from there.
  const started = runStack(options).catch((thrown: unknown) => {
    throw orUnusable(thrown, options.dataDirectory);
  });
  const running = await Promise.race([started, stopped.promise]);
  if (!running) return;
  const lost = await Promise.race([stopped.promise, running.lost]);
  await running.close();
  if (lost !== undefined) throw new StartFailure(lost);
};

/** Node's stack of a syntax error begins with the file and the line. */
const placeIn = ({ stack = '' }: SyntaxError): string => {
  const [, file, line] = /^file:\/\/(.+):(\d+)$/m.exec(stack) ?? [];
  return file === undefined ? '' : `${relative('.', decodeURI(file))}:${line}: `;
};

try {
  await start();
  process.exit(0);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof StartFailure ? thrown.message : inspect(thrown)}\n`);
  process.exit(1);
}
