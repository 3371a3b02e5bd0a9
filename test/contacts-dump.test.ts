import { afterAll, beforeAll, expect, it } from 'vitest';
import { withScore } from '../shared/contacts/contact.ts';
import { contactCalls } from './contacts-calls.ts';
import { startWorld, type World } from './world.ts';

// A copy of the table reveals no personal data.

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** Every string and binary value of the table; binary ones as Latin-1, which keeps every byte. */
const dump = async (): Promise<string[]> => {
  const seen: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string' || value instanceof Uint8Array) {
      const text = Buffer.from(value).toString('latin1');
      seen.push(text, Buffer.from(text, 'base64').toString('latin1'));
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        seen.push(name);
        walk(inner);
      }
    }
  };
  walk(await world.scan());
  return seen.map((text) => text.toLowerCase());
};

/** The forms of a secret: plain, or in base64 at any of the three byte offsets. */
const forms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const encoded = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .slice(Math.ceil((shift * 4) / 3), -4),
  );
  return [bytes.toString('latin1'), ...encoded].map((text) => text.toLowerCase());
};

/** Every string in a value, including the names of custom fields. */
const leavesOf = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  const { customFields = {}, ...fields } = Object.fromEntries(Object.entries(value));
  return [...Object.keys(customFields), ...Object.values(customFields), ...Object.values(fields)].flatMap(leavesOf);
};

it('the table shows no name, email, phone, tag, source or custom field of live or retired contacts', async () => {
  const { ref, key } = await world.newAccount();
  const calls = contactCalls(world);
  const contacts = Array.from({ length: 12 }, (_, n) => ({
    email: `Secretary${n}@Some-Domain${n}.example`,
    phone: `+8801987654${100 + n}`,
    firstName: `Elizabeth${n}`,
    lastName: `Beyoncé${n}`,
    tags: [`thunderstorm${n}`, `naïve tag ${n}`],
    source: `questionnaire${n}`,
    customFields: { [`wilderness${n}`]: `constellation${n}` },
  }));
  const created = await Promise.all(contacts.slice(0, 6).map((sent) => calls.create(key, sent)));
  await calls.createAll(key, contacts.slice(6));
  const changes = { firstName: 'Replacement', tags: ['thunderbolt'], email: 'Replacement@mail.example' };
  await calls.update(key, created[0]?.body.data.id, changes);
  await calls.retire(key, created[1]?.body.data.id);
  await world.contacts.change(ref, created[2]?.body.data.id, (before) => withScore(before, 5));
  expect((await calls.list(key)).body.pagination.total).toBe(11);

  const secrets = [...contacts, changes].flatMap((contact) => leavesOf(contact));
  const parts = ['secretary', 'some-domain', '8801987654', 'elizabeth', 'replacement', 'constellation'];
  const seen = await dump();
  expect(seen.length).toBeGreaterThan(500);
  expect(seen.some((text) => text.includes(ref.id))).toBe(true);
  const found = [...secrets, ...parts].filter((secret) =>
    forms(secret).some((form) => seen.some((text) => text.includes(form))),
  );
  expect(found).toEqual([]);
});
