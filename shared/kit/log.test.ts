import { expect, it } from 'vitest';
import { causeOf } from './log.ts';

it('names the causes of an error with their codes and frames, and quotes no message', async () => {
  const thrown: unknown = await fetch('http://127.0.0.1:1/secret').catch((error: unknown) => error);
  const cause = causeOf(thrown);
  expect(cause).toMatchObject({ error: 'TypeError', cause: { error: expect.any(String), stack: expect.any(String) } });
  expect(JSON.stringify(cause)).not.toMatch(/fetch failed|secret/);
});

it('names the errors that are put together, and a code that is one', () => {
  const refused = Object.assign(new Error('to ada@example.com'), { code: 'ECONNREFUSED' });
  const odd = Object.assign(new Error('x'), { code: 'to ada@example.com' });
  const cause = causeOf(new AggregateError([refused, odd, 'text'], 'all failed'));
  expect(cause.errors).toMatchObject([
    { error: 'Error', code: 'ECONNREFUSED' },
    { error: 'Error' },
    { error: 'string' },
  ]);
  expect(JSON.stringify(cause)).not.toMatch(/ada@|all failed/);
});

it('ends where causes go round', () => {
  const first: Error & { cause?: unknown } = new Error('a');
  first.cause = new Error('b', { cause: first });
  expect(JSON.stringify(causeOf(first)).match(/"error"/g)).toHaveLength(5);
});
