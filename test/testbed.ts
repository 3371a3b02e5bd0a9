import { inject } from 'vitest';
import * as z from 'zod';

const get = async (path: string): Promise<unknown> => {
  const answer = await fetch(inject('testbedUrl') + path);
  const body = await answer.json();
  if (!answer.ok) throw new Error(String(body));
  return body;
};

const made = z.object({
  assembly: z.string(),
  seeded: z.string(),
});

/**
 * What `make-testbed.ts` makes once for all test files: a cloud assembly of the current sources, from which every test stack starts, and the
 * data directory of a stack that was started once, with the demo account. A file that imports this waits for it.
 */
export const { assembly, seeded } = made.parse(await get('/made'));

/** The data directory of the stack that test files share, once it is ready. */
export const sharedDirectory = async (): Promise<string> => z.string().parse(await get('/shared'));
