import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccessKeyContract } from '../../functions/people/create-access-key/contract.ts';
import { createAccessKey } from '../../functions/people/create-access-key/handler.ts';
import type { PeopleCaller } from '../../shared/http/people-surface.ts';
import { newId } from '../../shared/kit/id.ts';
import { makeOperatorToken } from '../../shared/people/secret.ts';
import { startPeople } from '../../test/people-calls.ts';
import { startWorld, type World } from '../../test/world.ts';
import { serveLocally } from '../local/emulators/local-server.ts';
import { closedAfterTest } from '../local/emulators-fixture.ts';
import { openDeployment, outputsIn } from './deployment.ts';
import { operatorsOf } from './operators.ts';

const everyEntry = { cursor: undefined, limit: 100, fromMs: undefined, toMs: undefined };

let world: World;
let operators: ReturnType<typeof operatorsOf>;
beforeAll(async () => {
  world = await startWorld();
  operators = operatorsOf(world);
});
afterAll(() => world.close());

describe('npm run operators', () => {
  it('makes the first operator of a deployment, who can sign in, and a token for scripts', async () => {
    const added = await operators.add('Ada@Example.com');
    expect(added).toMatchObject({ email: 'ada@example.com', token: expect.stringMatching(/^ot_[0-9a-f]{64}$/) });
    const person = await world.members.personOf('ada@example.com');
    expect(await world.members.rightsOf(person ?? '')).toEqual({ isOperator: true, roles: {} });
    expect(await world.signIns.callerWithToken(added?.token ?? '')).toMatchObject({ kind: 'token' });
    expect(await operators.list()).toMatchObject([{ email: 'ada@example.com', invitedBy: 'npm run operators' }]);
  });

  it('adds an operator once', async () => {
    expect(await operators.add('ada@example.com')).toBeUndefined();
    expect(await operators.list()).toHaveLength(1);
  });

  it('keeps the last operator, and removes another', async () => {
    await expect(operators.remove('ada@example.com')).rejects.toThrow('ada@example.com is the last operator');
    await operators.add('grace@example.com');
    const own = { id: newId(Date.now()), name: 'Report', createdBy: 'ada@example.com' };
    await world.signIns.createToken(makeOperatorToken(), own);
    const left = await operators.remove('ADA@example.com');
    expect(left.map(({ name, createdBy }) => [name, createdBy])).toEqual([
      ['Report', 'ada@example.com'],
      [expect.stringMatching(/^npm run operators for /), 'npm run operators'],
    ]);
    for (const { id } of left) await operators.revokeToken(id);
    expect(await operators.list()).toMatchObject([{ email: 'grace@example.com' }]);
    await expect(operators.remove('ada@example.com')).rejects.toThrow('is not an operator');
  });

  it('lists the tokens that were created with those of an operator who is removed, and no others', async () => {
    await operators.add('judy@example.com');
    const create = (name: string, createdBy: string) =>
      world.signIns.createToken(makeOperatorToken(), { id: newId(Date.now()), name, createdBy });
    // As the admin API notes who created them, in any order.
    await create('Third', 'Second');
    await create('Second', 'First');
    await create('First', 'judy@example.com');
    await create('Of another', 'grace@example.com');
    const { id } = (await operators.list()).find(({ email }) => email === 'judy@example.com') ?? {};
    await create('Of hers', `npm run operators for ${id}`);
    const left = await operators.remove('judy@example.com');
    expect(left.map(({ name }) => name).sort()).toEqual([
      'First',
      'Of hers',
      'Second',
      'Third',
      `npm run operators for ${id}`,
    ]);
    for (const token of await operators.tokens()) await operators.revokeToken(token.id);
  });

  it('says what each change would be without making it, and refuses what the change would refuse', async () => {
    const before = [await operators.list(), await operators.tokens()];
    const audited = () => world.audit.list(undefined, everyEntry, Date.now());
    const noted = (await audited()).length;
    expect(await operators.previewAdd('Eve@Example.com')).toEqual({ email: 'eve@example.com', isNew: true });
    expect(await operators.previewAdd('grace@example.com')).toMatchObject({ isNew: false });
    await expect(operators.previewAdd('eve')).rejects.toThrow('eve is not an email address.');
    await expect(operators.previewRemove('grace@example.com')).rejects.toThrow(
      'grace@example.com is the last operator',
    );
    await expect(operators.previewRemove('ada@example.com')).rejects.toThrow('is not an operator');
    await expect(operators.previewRevoke('x')).rejects.toThrow(/No token has the id x.+ --stage/);
    expect([await operators.list(), await operators.tokens()]).toEqual(before);
    expect(await audited()).toHaveLength(noted);
    const { id } = await operators.createToken('previewed');
    expect(await operators.previewRevoke(id)).toMatchObject({ name: 'previewed' });
    await operators.add('heidi@example.com');
    await operators.previewRemove('heidi@example.com');
    expect(await operators.list()).toHaveLength(2);
    await operators.remove('heidi@example.com');
    await operators.revokeToken(id);
  });

  it('makes tokens and revokes them', async () => {
    const { id, token } = await operators.createToken('deployments');
    expect(await operators.tokens()).toContainEqual(expect.objectContaining({ id, name: 'deployments' }));
    await operators.revokeToken(id);
    expect(await world.signIns.callerWithToken(token)).toBeUndefined();
    await expect(operators.revokeToken(id)).rejects.toThrow('No token has the id');
  });

  it('refuses a name of a token that the admin API refuses, and keeps it without the spaces around it', async () => {
    const before = await operators.tokens();
    for (const name of [' ', 'a\nb', 'a'.repeat(101)]) {
      await expect(operators.createToken(name)).rejects.toThrow('The name of a token is one line');
      expect(() => operators.previewToken(name)).toThrow('The name of a token is one line');
    }
    expect(await operators.tokens()).toEqual(before);
    const { id, name } = await operators.createToken(' Billing ');
    expect(name).toBe('Billing');
    await operators.revokeToken(id);
  });

  it('ends the short-lived keys of an operator who is removed, and those that were made with a token that is revoked', async () => {
    const { ref } = await world.newAccount();
    const people = await startPeople(world);
    const isAdmitted = async (key: string) => 'count' in ((await world.apiKeys.admit(key, Date.now())) ?? {});
    const lend = async (who: PeopleCaller) => {
      const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
      return (await people.call(createAccessKeyContract, createAccessKey(world) as never, who, sent)).body.data.key;
    };
    await operators.add('eve@example.com');
    const ofOperator = await lend(await people.signIn('eve@example.com'));
    const job = await people.job();
    const ofToken = await lend(job);
    expect([await isAdmitted(ofOperator), await isAdmitted(ofToken)]).toEqual([true, true]);
    await operators.remove('eve@example.com');
    await operators.revokeToken(job.caller.id);
    expect([await isAdmitted(ofOperator), await isAdmitted(ofToken)]).toEqual([false, false]);
  });

  it('ends the short-lived keys of an operator at a second try, where the first was cut off', async () => {
    const { ref } = await world.newAccount();
    const people = await startPeople(world);
    await operators.add('mallory@example.com');
    const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
    const gone = await people.signIn('mallory@example.com');
    const { key } = (await people.call(createAccessKeyContract, createAccessKey(world) as never, gone, sent)).body.data;
    const cutOff: World['table'] = {
      ...world.table,
      query: (partition, ...asked) =>
        JSON.stringify(partition).includes('ACCESS#')
          ? Promise.reject(new Error('cut off'))
          : world.table.query(partition, ...asked),
    };
    await expect(operatorsOf({ ...world, table: cutOff }).remove('mallory@example.com')).rejects.toThrow('cut off');
    await operators.remove('mallory@example.com');
    expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('refused');
  });

  it('leaves the short-lived keys of the last operator, who is not removed', async () => {
    const { ref } = await world.newAccount();
    const people = await startPeople(world);
    const sent = { account: ref, path: { id: ref.id }, body: { api: 'messaging' } };
    const last = await people.signIn('grace@example.com');
    const { key } = (await people.call(createAccessKeyContract, createAccessKey(world) as never, last, sent)).body.data;
    await expect(operators.remove('grace@example.com')).rejects.toThrow('is the last operator');
    expect(await world.apiKeys.admit(key, Date.now())).toHaveProperty('count');
  });

  it('refuses what is not an email address, and changes nothing', async () => {
    await expect(operators.add('ada')).rejects.toThrow('ada is not an email address.');
    expect(await operators.list()).toHaveLength(1);
  });

  it('has its changes in the audit log, and which of them were refused', async () => {
    const entries = await world.audit.list(undefined, everyEntry, Date.now());
    const noted = entries.map(({ action, resource, status }) => [action, resource, status]);
    expect(noted).toContainEqual(['npm run operators', 'add', 200]);
    const refused = noted.filter(([, , status]) => status !== 200);
    expect(refused.map(([, resource, status]) => [resource, status]).reverse()).toEqual([
      ['add', 409],
      ['remove', 409],
      ['revoke', 404],
      ['remove', 409],
    ]);
  });
});

it('the outputs of a stack are read from what CloudFormation answers, in whatever order it writes the parts of each', () => {
  const member = (...parts: string[]) => `<member>\n  ${parts.join('\n  ')}\n</member>`;
  const key = (text: string) => `<OutputKey>${text}</OutputKey>`;
  const value = (text: string) => `<OutputValue>${text}</OutputValue>`;
  const outputs = [
    member(key('tablename'), value('t')),
    member(key('exported'), '<ExportName>dev-data:exported</ExportName>', value('e')),
    member(value('arn:aws:kms:x'), '<Description>of all</Description>', key('masterkeyarn')),
  ];
  expect([...outputsIn(`<Stacks><member><Outputs>${outputs.join('')}</Outputs></member></Stacks>`)]).toEqual([
    ['tablename', 't'],
    ['exported', 'e'],
    ['masterkeyarn', 'arn:aws:kms:x'],
  ]);
});

it('a deployment on AWS has the time of AWS, whose functions rely on it, and not that of a machine whose clock is wrong', async () => {
  const output = (name: string) => `<member><OutputKey>${name}</OutputKey><OutputValue>${name}</OutputValue></member>`;
  const describe = () => ({
    status: 200,
    headers: { date: new Date(Date.now() + 180_000).toUTCString() },
    body: `<Outputs>${output('tablename')}${output('masterkeyarn')}</Outputs>`,
  });
  const { port } = closedAfterTest(await serveLocally({ 'POST /': describe }, 0));
  vi.stubEnv('AWS_ENDPOINT_URL', `http://127.0.0.1:${port}`);
  for (const name of ['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'us-east-1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { nowMs } = await openDeployment({ stage: 'prod', stack: () => expect.fail(), nowMs: () => expect.fail() });
  expect(Math.abs(nowMs() - Date.now() - 180_000)).toBeLessThan(30_000);
});
