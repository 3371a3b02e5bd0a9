/** A reader of the output that ends early, as `head` does, ends no work: what is printed then is for nobody. */
export const outliveReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
};

/** Resolves when the reader of the output has all that was printed, or has ended: a pipe takes 64 KB, and what waits behind them ends with the process. */
export const outputTaken = (): Promise<void> =>
  new Promise((resolve) => {
    process.stdout.write('', () => resolve());
  });
