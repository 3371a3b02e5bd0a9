import { afterAll, beforeAll, expect, it } from 'vitest';
import { type People, startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { createOperatorTokenContract } from './contract.ts';
import { createOperatorToken } from './handler.ts';

let world: World;
let people: People;
beforeAll(async () => {
  world = await startWorld();
  people = await startPeople(world);
});
afterAll(() => world.close());

it('201 shows a token once, which then lets its holder in', async () => {
  const sent = { body: { name: 'Billing' } };
  const { body } = await people.call(createOperatorTokenContract, createOperatorToken(world), await people.job(), sent);
  expect(body.data.token).toMatch(/^ot_[0-9a-f]{64}$/);
  expect(await world.signIns.callerWithToken(body.data.token)).toMatchObject({ kind: 'token', name: 'Billing' });
});

it('201 says who created it, also after that operator is removed; a token of the earlier release says nobody', async () => {
  await people.addOperator('ada@example.com');
  const ada = await people.signIn('ada@example.com');
  const sent = { body: { name: 'Nightly report' } };
  const { body } = await people.call(createOperatorTokenContract, createOperatorToken(world), ada, sent);
  expect(body.data.createdBy).toBe('ada@example.com');
  const listed = async () => (await world.signIns.tokens()).find(({ id }) => id === body.data.id);
  expect(await listed()).toMatchObject({ createdBy: 'ada@example.com' });
  const row = (await world.scan()).find(({ id }) => id === body.data.id) ?? expect.fail();
  expect(JSON.stringify(row)).not.toContain('ada@');
  const { createdBy: _, ...earlier } = row;
  await world.table.put({ Item: { ...earlier, PK: String(row['PK']), SK: String(row['SK']) } });
  expect(await listed()).toMatchObject({ name: 'Nightly report', createdBy: null });
});
