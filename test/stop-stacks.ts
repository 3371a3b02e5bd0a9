import { afterAll } from 'vitest';
import { stopsOfStacks } from './used-stacks.ts';

// A test that fails before it stops its stack leaves it running, and a process of its own would go on after the tests.
afterAll(async () => {
  await Promise.all([...stopsOfStacks].map((stop) => stop()));
  stopsOfStacks.clear();
});
