import { derivedId, timeOfId } from '../kit/id.ts';
import { iso } from '../kit/time.ts';
import type { Template, whatsappStatuses } from './template.ts';

type WhatsappStatus = (typeof whatsappStatuses)[number];

/** A template as Meta has it. Its name and its language together identify it. */
export interface RemoteTemplate {
  readonly name: string;
  /** `en_US`. */
  readonly language: string;
  /** Meta's own status. */
  readonly status: string;
  readonly text: string;
}

export interface SyncedTemplate {
  readonly template: Template;
  readonly text: string;
}

const statuses: ReadonlyMap<string, WhatsappStatus> = new Map([
  ['APPROVED', 'APPROVED'],
  ['REINSTATED', 'APPROVED'],
  ['UNLOCKED', 'APPROVED'],
  // Meta does not say which state is back. It is mostly this one; the next sync reads it.
  ['UNARCHIVED', 'APPROVED'],
  // A warning: it may be sent until Meta pauses it.
  ['FLAGGED', 'APPROVED'],
  ['PENDING', 'PENDING'],
  ['IN_APPEAL', 'PENDING'],
  ['REJECTED', 'REJECTED'],
]);

/** Meta has more states than the messaging specification ("Template states"), and adds to them; an unknown state counts as disabled. */
export const whatsappStatusOf = (status: string): WhatsappStatus => statuses.get(status) ?? 'DISABLED';

/** The id of a template of Meta’s. It is the same in every sync, so that a client may keep it. */
export const whatsappTemplateId = (accountId: string, { name, language }: Pick<RemoteTemplate, 'name' | 'language'>) =>
  derivedId(timeOfId(accountId), JSON.stringify(['whatsapp', name, language]));

/** The placeholders of a text, each once, in order. */
const placeholdersIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*([^{}\s]+)\s*\}\}/g)].map(([, name = '']) => name)),
];

/** A template with this state, since this time. Only approved ones are active. */
const withState = (template: Template, whatsappStatus: WhatsappStatus, atMs: number): Template => ({
  ...template,
  whatsappStatus,
  isActive: whatsappStatus === 'APPROVED',
  updatedAt: iso(atMs),
});

/** A template with this state; the same object when it has it already. */
const inState = (template: Template, whatsappStatus: WhatsappStatus, nowMs: number): Template =>
  template.whatsappStatus === whatsappStatus ? template : withState(template, whatsappStatus, nowMs);

/** Meta gives the time of a decision in whole seconds. */
const secondMs = 999;

/**
 * A template after Meta's decision; the same object when the decision is repeated, or older than what is known: callbacks may come in any order. A
 * newer one for the state that it has counts as a change, because what is older than that may come after it.
 */
export const afterDecision = (
  template: Template,
  { status, atMs }: { readonly status: string; readonly atMs: number },
): Template => {
  const [decided, knownMs] = [whatsappStatusOf(status), Date.parse(template.updatedAt)];
  const isRepeated = decided === template.whatsappStatus && atMs <= knownMs;
  return isRepeated || atMs + secondMs < knownMs ? template : withState(template, decided, Math.max(atMs, knownMs + 1));
};

const created = (accountId: string, { name, language, text }: RemoteTemplate, nowMs: number): Template => ({
  id: whatsappTemplateId(accountId, { name, language }),
  channel: 'whatsapp',
  locale: language.replaceAll('_', '-'),
  name,
  description: null,
  variables: placeholdersIn(text),
  isActive: false,
  createdAt: iso(nowMs),
  updatedAt: iso(nowMs),
});

const synced = (
  accountId: string,
  before: SyncedTemplate | undefined,
  remote: RemoteTemplate,
  nowMs: number,
): SyncedTemplate => {
  const { text } = remote;
  const known = before?.template ?? created(accountId, remote, nowMs);
  const changed =
    before === undefined || before.text === text
      ? known
      : { ...known, variables: placeholdersIn(text), updatedAt: iso(nowMs) };
  return { template: inState(changed, whatsappStatusOf(remote.status), nowMs), text };
};

/** What is to be written so that the account's whatsapp templates are as Meta has them: what is new, what has changed, and what is gone there. */
export const changesBySync = (
  accountId: string,
  known: readonly SyncedTemplate[],
  remote: readonly RemoteTemplate[],
  nowMs: number,
): SyncedTemplate[] => {
  const gone = new Map(known.map((each) => [each.template.id, each]));
  const changes: SyncedTemplate[] = [];
  for (const each of remote) {
    const id = whatsappTemplateId(accountId, each);
    const before = gone.get(id);
    gone.delete(id);
    const after = synced(accountId, before, each, nowMs);
    if (after.template !== before?.template) changes.push(after);
  }
  const vanished = [...gone.values()].flatMap(({ template, text }) => {
    const after = inState(template, 'DISABLED', nowMs);
    return after === template ? [] : [{ template: after, text }];
  });
  return [...changes, ...vanished];
};
