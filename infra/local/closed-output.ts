/** A reader of the output that ends early, as `head` does, ends no work: what is printed then is for nobody. */
export const outliveReader = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
};
