import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newAccountSettings } from '../accounts/account.ts';
import {
  contactStatuses,
  detailsOf,
  type KeptContact,
  left,
  newContact,
  setTo,
  withStatus,
} from '../contacts/contact.ts';
import { afterRequest } from '../contacts/reaction.ts';
import { newId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import { textChannels } from '../messages/message.ts';
import {
  type ConsentEntry,
  consentChannels,
  consentStatuses,
  inForce,
  overrides,
  standing,
  standingOn,
} from './consent.ts';
import { consentHistory } from './consent-history.ts';
import { type OptOut, optOutAfter } from './opt-out.ts';
import { recipientFacts } from './recipient-rules.ts';

const startMs = Date.parse('2026-11-20T12:00:00.000Z');

interface Known {
  readonly contact: KeptContact;
  readonly entries: readonly ConsentEntry[];
  readonly said: OptOut;
}

type Act = (known: Known, nowMs: number) => Known;

const recorded = ({ contact, entries, said }: Known, entry: ConsentEntry, after = contact): Known => ({
  contact: after,
  entries: [...entries, entry],
  said: optOutAfter(said, entry),
});

const setsConsent = fc.tuple(fc.constantFrom(...consentChannels), fc.constantFrom(...consentStatuses)).map(
  ([channel, status]): Act =>
    (known, nowMs) =>
      recorded(known, { id: iso(nowMs), channel, status, source: 'form', text: null, by: 'operator', at: iso(nowMs) }),
);

/** Of another contact that had the phone before, where it is not this one's. */
const asks = fc.tuple(fc.constantFrom(...textChannels), fc.constantFrom(...consentStatuses), fc.boolean()).map(
  ([channel, status, isOwn]): Act =>
    (known, nowMs) => {
      const entry = {
        id: iso(nowMs),
        channel,
        status,
        source: 'keyword',
        text: 'x',
        by: 'recipient',
        at: iso(nowMs),
      } as const;
      if (!isOwn) return { ...known, said: optOutAfter(known.said, entry) };
      const isLast = overrides(entry, standing(known.entries.filter(({ by }) => by === 'recipient')));
      const asked = status === 'active' ? 'start' : 'stop';
      return recorded(known, entry, isLast ? afterRequest(known.contact, asked, nowMs) : known.contact);
    },
);

const unsubscribes: Act = (known, nowMs) => ({
  ...known,
  contact: left(withStatus(known.contact, 'unsubscribed', nowMs), nowMs),
});

const setsStatus = fc.constantFrom(...contactStatuses).map(
  (status): Act =>
    (known, nowMs) => ({ ...known, contact: setTo(known.contact, status, nowMs) }),
);

const acts = fc.array(fc.oneof(setsConsent, asks, fc.constant(unsubscribes), setsStatus), { maxLength: 8 });

it('what stands of a contact’s consents is what a send is decided by', () => {
  fc.assert(
    fc.property(acts, (all) => {
      const contact = newContact(newId(startMs), detailsOf({ phone: '+8801700000000' }), startMs);
      const {
        entries,
        said,
        contact: after,
      } = all.reduce<Known>((known, act, n) => act(known, startMs + 1_000 * (n + 1)), {
        contact,
        entries: [],
        said: {},
      });
      const history = consentHistory(entries, after, said);
      expect(history).toEqual(history.toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)));
      expect(history).toEqual(expect.arrayContaining([...entries]));
      for (const channel of textChannels) {
        const given = standingOn(channel, entries);
        const status = inForce(given);
        const consent = given && status && { status, at: given.at };
        const texted = { ...after, consent, cap: { times: [], version: 0 } };
        const facts = recipientFacts(channel, {
          settings: newAccountSettings('Shop'),
          holder: { contactId: after.id, isRetired: false, texted },
          optOut: { said, version: 0 },
          windowOpenUntilMs: undefined,
        });
        const decided = facts.isUnsubscribed && facts.consent ? 'withdrawn' : facts.consent;
        expect([channel, standingOn(channel, history)?.status]).toEqual([channel, decided]);
      }
    }),
  );
});
