import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { acceptEmail, handedOverText } from '../../../test/accepted-message.ts';
import { countConsumption } from '../../../test/consumption.ts';
import { startWorld, type World } from '../../../test/world.ts';
import type { AccountRef } from '../../kit/account-ref.ts';
import { newId } from '../../kit/id.ts';
import { JsonText } from '../../kit/json-text.ts';
import { newEmail } from '../../messages/new-message.ts';
import { messageStore } from './message-store.ts';
import { spreadStore } from './spread-store.ts';

const large = JsonText.of({ note: 'x'.repeat(249_000) });

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const newLarge = () =>
  newEmail({ channel: 'email', to: 'ada@example.com', tags: ['a'], metadata: large }, newId(Date.now()));

/** The items beside the rows of this account's messages. */
const bodies = async ({ id }: AccountRef) =>
  (await world.scan()).filter(({ PK, entity }) => entity === 'message-body' && String(PK).startsWith(`A#${id}#`));

const bytesOf = (item: Record<string, unknown>): number =>
  Object.entries(item).reduce(
    (sum, [name, value]) =>
      sum + name.length + (value instanceof Uint8Array ? value.length : JSON.stringify(value).length),
    0,
  );

describe('a message with large metadata', () => {
  it('is written at its size once: neither its acceptance nor a move writes it again', async () => {
    const { ref } = await world.newAccount();
    await acceptEmail(world, ref, newEmail({ channel: 'email', to: 'ada@example.com' }, newId(Date.now())));
    const consumption = countConsumption(world.calls);
    const message = newLarge();
    expect((await consumption.of(() => acceptEmail(world, ref, message))).units).toBeLessThan(270);
    const moved = await consumption.of(async () =>
      expect(await world.messages.move(ref, message, 'providerAccepted', Date.now())).toMatchObject({
        ...{ status: 'sent', sentAt: expect.any(String), metadata: large },
      }),
    );
    expect(moved).toEqual({ calls: 1, units: 2 });
    expect(await world.messages.find(ref, message.id)).toMatchObject({ status: 'sent', metadata: large, tags: ['a'] });
    const { page } = await world.messages.list(ref, { status: 'sent' }, { limit: 1 });
    const [listed] = page;
    expect(listed).toMatchObject({ id: message.id, to: 'ada@example.com', metadata: large });
  });

  it('leaves nothing when it is refused or withdrawn', async () => {
    const { ref } = await world.newAccount({ credits: { email: 1 } });
    const [first, second] = [newLarge(), newLarge()];
    expect([await acceptEmail(world, ref, first), await acceptEmail(world, ref, second)]).toEqual([
      'accepted',
      'unfunded',
    ]);
    expect(await bodies(ref)).toHaveLength(1);
    expect(await acceptEmail(world, ref, first)).toBe('exists');
    expect(await world.messages.find(ref, first.id)).toMatchObject({ metadata: large });
    await world.messages.withdraw(ref, first);
    expect(await bodies(ref)).toEqual([]);
  });

  it('is left out of a list, and not found, when it is withdrawn between the reads of its row and its metadata', async () => {
    const { ref } = await world.newAccount();
    const [one, withdrawn, other] = [newLarge(), newLarge(), newLarge()];
    const readWhileWithdrawn = (nthRead: number) => {
      let reads = 0;
      const getAll: World['table']['getAll'] = async (keys) => {
        reads += 1;
        if (reads === nthRead) await world.messages.withdraw(ref, withdrawn);
        return world.table.getAll(keys);
      };
      return messageStore({ ...world.table, getAll }, world.vault, spreadStore(world.table));
    };
    for (const message of [one, withdrawn, other]) await acceptEmail(world, ref, message);
    const { page, pagination } = await readWhileWithdrawn(1).list(ref, {}, { limit: 2 });
    expect(page.map(({ id }) => id).sort()).toEqual([one.id, other.id].sort());
    expect(pagination.hasMore).toBe(false);
    await acceptEmail(world, ref, withdrawn);
    expect(await readWhileWithdrawn(2).find(ref, withdrawn.id, 'email')).toBeUndefined();
  });

  it('is not found when its removal is seen a part after the other, by several reads', async () => {
    const { ref } = await world.newAccount();
    const message = newLarge();
    await acceptEmail(world, ref, message);
    const before = (await world.scan()).find(({ SK }) => SK === message.id);
    await world.messages.withdraw(ref, message);
    let reads = 0;
    const getAll: World['table']['getAll'] = async (keys) => {
      reads += 1;
      const found = await world.table.getAll(keys);
      return found.map((item, n) => (reads <= 4 && keys[n]?.SK === message.id ? before : item));
    };
    const early = messageStore({ ...world.table, getAll }, world.vault, spreadStore(world.table));
    expect(await early.find(ref, message.id, 'email')).toBeUndefined();
  });

  it('keeps its metadata when it is accepted several times at once', async () => {
    const { ref } = await world.newAccount();
    const message = newLarge();
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => acceptEmail(world, ref, message)));
    expect(outcomes.sort()).toEqual(['accepted', 'exists', 'exists', 'exists']);
    expect(await bodies(ref)).toHaveLength(1);
    expect(await world.messages.find(ref, message.id)).toMatchObject({ metadata: large });
  });
});

it('the row of a usual message stays under a kilobyte, in every status', async () => {
  const account = await world.newAccount();
  const metadata = JsonText.of({ orderId: 'A-1042', customer: 'c_8412', campaign: 'autumn sale', step: 3 });
  const email = newEmail(
    { channel: 'email', to: 'ada.lovelace@mail.example.com', tags: ['receipt'], metadata },
    newId(Date.now()),
  );
  await acceptEmail(world, account.ref, email);
  await handedOverText(world, account, { isAnswered: false, text: 'x'.repeat(160) });
  const sms = await handedOverText(world, account, { text: 'x'.repeat(160) });
  for (const { id } of [email, sms])
    await world.outcomeRecorder.record(account.ref, id, { trigger: 'deliveryConfirmed' }, Date.now());
  const rows = (await world.scan()).filter((row) => row['entity'] === 'message' && row['account'] === account.ref.id);
  expect(rows).toHaveLength(3);
  for (const row of rows) expect(bytesOf(row)).toBeLessThan(1_024);
});
