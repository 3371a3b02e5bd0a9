import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isId, newId } from '../kit/id.ts';
import { changesBySync, type RemoteTemplate, type SyncedTemplate, whatsappStatusOf } from './whatsapp-template.ts';

const account = newId(1_795_176_000_000);
const firstMs = 1_795_176_100_000;

const offer: RemoteTemplate = {
  name: 'offer',
  language: 'en_US',
  status: 'APPROVED',
  text: 'Hi {{1}}, {{ code }} and {{1}}',
};

const sync = (
  known: readonly SyncedTemplate[],
  remote: readonly RemoteTemplate[],
  nowMs = firstMs,
): SyncedTemplate[] => {
  const changes = changesBySync(account, known, remote, nowMs);
  const ids = new Set(changes.map(({ template }) => template.id));
  return [...known.filter(({ template }) => !ids.has(template.id)), ...changes];
};

describe('a synced template', () => {
  it('is made of what Meta says', () => {
    const [made] = sync([], [offer]);
    expect(made).toEqual({
      text: offer.text,
      template: {
        id: expect.any(String),
        channel: 'whatsapp',
        locale: 'en-US',
        name: 'offer',
        description: null,
        variables: ['1', 'code'],
        isActive: true,
        whatsappStatus: 'APPROVED',
        createdAt: new Date(firstMs).toISOString(),
        updatedAt: new Date(firstMs).toISOString(),
      },
    });
    expect(isId(made?.template.id ?? '')).toBe(true);
  });

  it('keeps its id and its age; each language and each account has its own', () => {
    const bengali = { ...offer, language: 'bn' };
    const known = sync([], [offer, bengali]);
    const later = sync(known, [{ ...offer, text: 'Hello', status: 'PAUSED' }, bengali], firstMs + 5_000);
    const byLocale = (templates: readonly SyncedTemplate[], locale: string) =>
      templates.find(({ template }) => template.locale === locale)?.template;
    const [before, after] = [byLocale(known, 'en-US'), byLocale(later, 'en-US')];
    expect(after).toEqual({
      ...before,
      variables: [],
      whatsappStatus: 'DISABLED',
      isActive: false,
      updatedAt: new Date(firstMs + 5_000).toISOString(),
    });
    expect(byLocale(later, 'bn')).toEqual(byLocale(known, 'bn'));
    expect(before?.id).not.toBe(byLocale(known, 'bn')?.id);
    expect(changesBySync(newId(firstMs), [], [offer], firstMs)[0]?.template.id).not.toBe(before?.id);
  });

  it('is disabled when it has vanished, and back under its id when it comes again', () => {
    const known = sync([], [offer]);
    const gone = sync(known, [], firstMs + 1);
    expect(gone[0]?.template).toMatchObject({ whatsappStatus: 'DISABLED', isActive: false });
    const back = sync(gone, [offer], firstMs + 2);
    expect(back[0]?.template).toMatchObject({ id: known[0]?.template.id, isActive: true });
  });
});

it.each([
  ['APPROVED', 'APPROVED'],
  ['FLAGGED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['UNARCHIVED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
  ['PAUSED', 'DISABLED'],
  ['DISABLED', 'DISABLED'],
  ['PENDING_DELETION', 'DISABLED'],
  ['ARCHIVED', 'DISABLED'],
  ['constructor', 'DISABLED'],
  ['', 'DISABLED'],
])('Meta’s %s is %s', (status, whatsappStatus) => {
  expect(whatsappStatusOf(status)).toBe(whatsappStatus);
});

it('has nothing left to change right after a sync, regardless of what came before', () => {
  const remote = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      language: fc.constantFrom('en_US', 'bn'),
      status: fc.constantFrom('APPROVED', 'PENDING', 'PAUSED', 'NEW'),
      text: fc.constantFrom('', '{{1}}', 'Hi {{name}}'),
    }),
    { selector: ({ name, language }) => `${name}/${language}` },
  );
  fc.assert(
    fc.property(fc.array(remote, { maxLength: 5 }), remote, (history, last) => {
      const before = history.reduce<SyncedTemplate[]>((known, atMeta) => sync(known, atMeta), []);
      const after = sync(before, last);
      expect(changesBySync(account, after, last, firstMs + 9)).toEqual([]);
      expect(after.filter(({ template }) => template.isActive)).toHaveLength(
        last.filter(({ status }) => status === 'APPROVED').length,
      );
    }),
  );
});
