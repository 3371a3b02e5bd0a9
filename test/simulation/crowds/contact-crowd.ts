import type { Code } from '../bundle-functions.ts';
import { type ContactFacts, contactFactsOf } from '../contact-facts.ts';
import { contactRules } from '../contact-invariants.ts';
import type { Random } from '../random.ts';
import type { MemoryTable, TableChange } from '../table/memory-table.ts';
import type { Crowd, Member } from './crowd.ts';

type Inside = Code['inside'];
type Cipher = Awaited<ReturnType<ReturnType<Inside['vaultOf']>['unlock']>>;
type Items = ReturnType<MemoryTable['all']>;

const statuses = ['active', 'unsubscribed', 'bounced', 'complained', 'quarantined'] as const;
const triggers = ['deliveryConfirmed', 'addressRejected', 'opened', 'complained'] as const;
const textChannels = ['sms', 'whatsapp'] as const;
const consents = { STOP: 'withdrawn', START: 'active' } as const;

/** What a phone said, and when. */
interface Request {
  readonly text: keyof typeof consents;
  readonly atMs: number;
}

/** Who has held each address, at any time. */
const holdersIn = (changes: readonly TableChange[]) => {
  const holders = new Map<string, Set<string>>();
  let seen = 0;
  return {
    look: (): void => {
      for (const { after } of changes.slice(seen)) {
        if (after?.['entity'] !== 'contact-lock') continue;
        const lock = String(after['PK']);
        holders.set(lock, (holders.get(lock) ?? new Set()).add(String(after['contactId'])));
      }
      seen = changes.length;
    },
    /** Whether another contact has held this lock. */
    isOf: (lock: string, id: string): boolean => [...(holders.get(lock) ?? [])].some((holder) => holder !== id),
  };
};

/** People of few addresses, so that they meet. */
const addressesFrom = (random: Random) => {
  const some = <Each>([first, ...others]: readonly [Each, ...Each[]]): [Each, ...Each[]] => [
    first,
    ...others.slice(0, random.below(others.length + 1)),
  ];
  const emails = some(['ada@example.com', 'Eve@example.com', 'kim@example.com', 'liv@example.com']);
  const phones = some(['+8801700000001', '+8801700000002', '+8801700000003']);
  const details = () => {
    const phone = random.pick([...phones, null]);
    const email = random.pick([...emails, emails[0].toUpperCase(), ...(phone === null ? [] : [null])]);
    const [firstName, source] = [random.pick(['Ada', 'Kim', null]), random.pick(['form', null])];
    return { email, phone, firstName, source, tags: random.pick([[], ['vip'], ['vip', 'new']]) };
  };
  return { emails, phones, details };
};

/** Emails are suppressed as their contacts say, where nobody takes one off the list. */
const suppressionsAmiss = (inside: Inside, cipher: Cipher, items: Items, { kept, retired }: ContactFacts) => {
  const listed = items
    .filter(({ entity, SK, channel }) => entity === 'suppression' && SK === 'contact' && channel === 'email')
    .map((item) => inside.suppressionFrom(cipher, item))
    .map(({ address, reason }) => `${address.toLowerCase()} ${reason}`);
  const expected = [...kept, ...retired]
    .flatMap((contact) => inside.suppressionsOf(contact))
    .flatMap(({ address, reason }) => ('email' in address ? [`${address.email.toLowerCase()} ${reason}`] : []));
  return [
    ...expected.filter((one) => !listed.includes(one)).map((one) => `${one} is not listed`),
    ...listed.filter((one) => !expected.includes(one)).map((one) => `${one} is listed`),
  ];
};

/** The last word of a phone is what is kept of it. */
const wordsForgotten = (
  items: Items,
  said: ReadonlyMap<string, readonly Request[]>,
  lockOf: (phone: string) => string,
) =>
  [...said].flatMap(([phone, requests]) => {
    const last = requests.toSorted((one, other) => one.atMs - other.atMs).at(-1);
    const kept = items.find(({ PK, SK }) => PK === lockOf(phone) && SK === 'OPTOUT')?.['said'];
    const any = Reflect.get(Object(kept), 'any');
    return any?.status === (last && consents[last.text])
      ? []
      : [`${phone} said ${last?.text}, and ${JSON.stringify(any)} is kept`];
  });

/** Creations, changes, retirements, outcomes of mails, consents and STOPs meet at a few contacts and their addresses. */
export const contactCrowd: Crowd = {
  name: 'contacts, their addresses, lists, counts, suppressions and opt-outs agree, and only what is taken is refused',
  gather: async ({ world, inside, random, account }) => {
    const { stores } = inside;
    const { nowMs } = world.timeline;
    const startMs = nowMs();
    const cipher = await inside.vaultOf().unlock(account);
    const { emails, phones, details } = addressesFrom(random);
    const { look, isOf } = holdersIn(world.changes);
    const broken: string[] = [];
    /** Whether a contact was created, as its creator was told. */
    const told = new Map<string, boolean>();
    const said = new Map<string, Request[]>(phones.map((phone) => [phone, []]));

    const newContact = () => ({ id: inside.newId(startMs), details: inside.detailsOf(details()) });
    const first = newContact();
    await stores.contacts().create(account, first, startMs);
    const known: [string, ...string[]] = [first.id];
    for (const contact of [newContact(), newContact()])
      if ('contact' in (await stores.contacts().create(account, contact, startMs))) known.push(contact.id);

    const mail = async (to: string, id: string): Promise<void> => {
      const message = inside.newEmail({ channel: 'email', to }, id);
      const context = await stores.sends().read(account, { channel: 'email', contact: { email: to } });
      const outcome = await stores.sends().write(account, { message, contact: { email: to } }, context, undefined);
      if (outcome === 'stale') await mail(to, id);
      else await stores.messages().move(account, message, 'providerAccepted', nowMs());
    };
    const cause = { id: inside.newId(startMs), who: 'operator', reason: null };
    await stores.credits().set(account, { email: 100, smsMasked: 0, smsNonMasked: 0 }, cause);
    const mails: [string, string] = [inside.newId(startMs), inside.newId(startMs)];
    for (const id of mails) await mail(random.pick(emails), id);

    const lockOf = (phone: string): string =>
      inside
        .lockItems(account.id, cipher, { id: '', email: null, phone })
        .map(({ PK }) => PK)
        .join();
    const expectTaken = (contact: Parameters<Inside['lockItems']>[2]): void => {
      const isTaken = inside.lockItems(account.id, cipher, contact).some(({ PK }) => isOf(PK, contact.id));
      if (!isTaken) broken.push(`${contact.id} was refused, although nobody had its addresses`);
    };

    const makers: readonly [() => Member, ...(() => Member)[]] = [
      () => {
        const contact = newContact();
        const work = async (): Promise<void> => {
          const written = await stores.contacts().create(account, contact, nowMs());
          told.set(contact.id, 'contact' in written);
          if ('taken' in written) expectTaken({ id: contact.id, ...contact.details });
        };
        return { does: 'create', work };
      },
      () => {
        const contacts = Array.from({ length: 2 + random.below(3) }, newContact);
        const work = async (): Promise<void> => {
          const outcomes = await stores.contacts().createAll(account, contacts, nowMs());
          for (const [n, { id }] of contacts.entries())
            told.set(id, outcomes[n]?.id === id && outcomes[n].taken.length === 0);
        };
        return { does: 'create all', work };
      },
      () => {
        const [id, to] = [random.pick(known), details()];
        const work = async (): Promise<void> => {
          const written = await stores.contacts().change(account, id, (before) => inside.changed(before, to, nowMs()));
          if (written && 'taken' in written) expectTaken({ id, ...to });
        };
        return { does: 'change', work };
      },
      () => {
        const [id, status] = [random.pick(known), random.pick(statuses)];
        return {
          does: 'set status',
          work: async () => void (await stores.contacts().setStatus(account, id, status, nowMs())),
        };
      },
      () => {
        const id = random.pick(known);
        return { does: 'retire', work: async () => void (await stores.contacts().retire(account, id, nowMs())) };
      },
      () => {
        const [to, id] = [random.pick(emails), inside.newId(startMs)];
        return { does: 'mail', work: () => mail(to, id) };
      },
      () => {
        const [id, trigger] = [random.pick(mails), random.pick(triggers)];
        return {
          does: 'report',
          work: async () => void (await stores.outcomeRecorder().record(account, id, { trigger }, nowMs())),
        };
      },
      () => {
        const [id, contact] = [inside.newId(startMs), random.pick(known)];
        const [channel, status] = [random.pick(textChannels), random.pick(['active', 'withdrawn'] as const)];
        const at = new Date(startMs + random.below(6_000)).toISOString();
        const entry = { id, channel, status, at, source: 'form', text: null, by: 'operator' } as const;
        return { does: 'consent', work: async () => void (await stores.consents().record(account, contact, entry)) };
      },
      () => {
        const [from, channel, text] = [
          random.pick(phones),
          random.pick(textChannels),
          random.pick(['STOP', 'START'] as const),
        ];
        const requests = said.get(from) ?? [];
        const atMs = startMs + 10 * requests.length + random.below(10);
        requests.push({ text, atMs });
        const inbound = { channel, from, text, atMs, id: `${from} ${requests.length}` };
        return { does: 'answer', work: () => stores.inboundReceiver().receive(account, inbound) };
      },
    ];
    const members = Array.from({ length: 2 + random.below(18) }, () => random.pick(makers)());

    const violations = async (): Promise<readonly string[]> => {
      const contacts = await contactFactsOf(world, inside, account);
      const ids = [...contacts.kept, ...contacts.retired].map(({ id }) => id);
      const items = world.table.all();
      return [
        ...broken,
        ...Object.values(contactRules).flatMap((rule) => rule(contacts)),
        ...[...told]
          .filter(([id, isThere]) => ids.includes(id) !== isThere)
          .map(([id, isThere]) => `${id} was created: ${isThere}`),
        ...suppressionsAmiss(inside, cipher, items, contacts),
        ...wordsForgotten(items, said, lockOf),
      ];
    };
    return { members, look, violations };
  },
  mistakes: [
    {
      name: 'takes its own earlier attempt for another contact with the address',
      isRare: true,
      file: 'shared/table/contacts/contact-store.ts',
      find: 'if (refused && !isAboutContact(refused)) return',
      replace: 'if (refused) return',
    },
    {
      name: 'says that many were created, although another writer was faster',
      isRare: true,
      file: 'shared/table/contacts/contact-bulk.ts',
      find: 'written.every(Boolean) ? outcomes',
      replace: 'written.every((_, n) => n >= 0) ? outcomes',
    },
    {
      name: 'refuses a change because of an address that nobody has',
      isRare: true,
      file: 'shared/table/contacts/contact-store.ts',
      find: 'return isAboutContact(refused) || taken.length === 0 ? change(account, id, to) : { taken };',
      replace: 'return isAboutContact(refused) ? change(account, id, to) : { taken };',
    },
    {
      name: 'retires a contact as it was before it changed',
      file: 'shared/table/contacts/contact-writes.ts',
      find: `      Key: itemKeys.contact(accountId, contact.id),
      ConditionExpression: asRead,
      ExpressionAttributeValues: valuesRead(contact),`,
      replace: '      Key: itemKeys.contact(accountId, contact.id),',
    },
    {
      name: 'loses a STOP that comes with another one',
      isRare: true,
      file: 'shared/table/contacts/opt-out-items.ts',
      find: 'return [{ Put: { Item: item, ...versionAsRead(kept.version) } }];',
      replace: 'return [{ Put: { Item: item } }];',
    },
    {
      name: 'leaves the suppression of a contact that is written to again',
      file: 'shared/table/contacts/suppression-items.ts',
      find: '    ...gone.map(({ key }): Write => ({ Delete: { Key: key } })),\n',
      replace: '',
    },
  ],
};
