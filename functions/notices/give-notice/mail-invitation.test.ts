import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountSettings } from '../../../shared/accounts/account.ts';
import { newId } from '../../../shared/kit/id.ts';
import { startPeople } from '../../../test/people-calls.ts';
import { startWorld, type World } from '../../../test/world.ts';
import { automatic, mailsTo } from './inbox-fixture.ts';
import { mailInvitation } from './mail-invitation.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await startPeople(world);
});
afterAll(() => world.close());

/** A new member of a new account, and the worker's job that follows. */
const invite = async (email: string, settings: Partial<AccountSettings> = { name: 'Books' }) => {
  const { ref } = await world.newAccount({ settings });
  const member = { id: newId(Date.now()), email, role: 'viewer', invitedBy: 'grace@example.com' } as const;
  await world.members.add(ref.id, member);
  const row = (await world.scan()).find(({ entity, id }) => entity === 'membership' && id === member.id);
  const [PK, SK] = [String(row?.['PK']), String(row?.['SK'])];
  return { kind: 'invitation', atMs: Date.now(), account: ref.id, PK, SK } as const;
};

const mailOne = (needs: object = {}) => mailInvitation({ ...world, baseUrl: 'https://api.example.com', ...needs });

it('a mail to a new member names the account, the role and who added them, as text', async () => {
  const name = 'Ada’s <books>';
  await mailOne()(await invite('new@example.com', { name }));
  const [mail] = await mailsTo(world, 'new@example.com');
  expect(mail?.from).toBe(world.peopleAddress);
  expect(mail?.headers).toContainEqual(automatic);
  expect(mail?.subject).toBe('You can now use the dashboard of api.example.com');
  expect(mail?.body.text).toContain(`grace@example.com has made you viewer of the account “${name}”.`);
  expect(mail?.body.text).toContain('https://api.example.com/dashboard/sign-in\n');
  expect(mail?.body.html).toContain('“Ada’s &lt;books&gt;”');
});

it('a change that is read again, as after a deployment over a table that was left, mails nobody twice', async () => {
  const job = await invite('once@example.com');
  await expect(mailOne({ email: { send: async () => ({ kind: 'unavailable' }) } })(job)).rejects.toThrow('unavailable');
  for (let n = 0; n < 3; n += 1) await mailOne()(job);
  expect(await mailsTo(world, 'once@example.com')).toHaveLength(1);
});

it('a mail to a new member of a frozen account is sent: its members can invite nobody, and an operator did', async () => {
  await mailOne()(await invite('frozen@example.com', { status: 'frozen' }));
  expect(await mailsTo(world, 'frozen@example.com')).toHaveLength(1);
});
