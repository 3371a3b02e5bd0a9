import type { AccountRef } from '../kit/account-ref.ts';
import { inParts } from '../kit/in-parts.ts';
import type { Template } from './template.ts';
import {
  afterDecision,
  changesBySync,
  type RemoteTemplate,
  type SyncedTemplate,
  whatsappTemplateId,
} from './whatsapp-template.ts';

interface Whole {
  readonly template: Template;
  readonly content: { readonly text?: string | undefined };
}

interface Templates {
  list(account: AccountRef, channel: 'whatsapp'): Promise<readonly Template[]>;
  findAll(account: AccountRef, ids: readonly string[]): Promise<readonly Whole[]>;
  change(account: AccountRef, id: string, changed: <Known extends Whole>(before: Known) => Known): Promise<unknown>;
  put(
    account: AccountRef,
    synced: Template,
    body: { readonly text: string },
    known: Template | undefined,
  ): Promise<boolean>;
  syncedMs(account: AccountRef): Promise<number>;
  keepSynced(account: AccountRef, atMs: number): Promise<void>;
}

interface Listed {
  readonly kind: 'listed';
  readonly templates: readonly RemoteTemplate[];
}

interface Synced {
  readonly kind: 'synced';
  readonly synced: number;
  readonly changed: number;
}

interface Decision extends Omit<RemoteTemplate, 'text'> {
  /** When Meta decided it; undefined where Meta does not say. */
  readonly atMs?: number | undefined;
}

/** How often Meta is asked while its decisions come between; what is open then waits for the next sync. */
const mostTries = 3;

/** Meta may report a decision before its list has it: so long. */
const listLagMs = 60_000;

/** How many are written at a time. An account has up to 6,000, and one after the other a sync would have no time for more than a thousand. */
const writtenAtOnce = 10;

/** Copies WhatsApp templates from Meta, where they are created and approved. */
export const templateSync = (templates: Templates) => {
  const findAll = async (account: AccountRef): Promise<SyncedTemplate[]> => {
    const listed = await templates.list(account, 'whatsapp');
    const found = await templates.findAll(
      account,
      listed.map(({ id }) => id),
    );
    return found.map(({ template, content }) => ({ template, text: content.text ?? '' }));
  };

  /** Writes what the sync changes. Returns how many: fewer than all where something changed since it was `known`. */
  const putAll = async (account: AccountRef, known: readonly SyncedTemplate[], changes: readonly SyncedTemplate[]) => {
    const before = new Map(known.map(({ template }) => [template.id, template]));
    const areWritten = await inParts(changes, writtenAtOnce, ({ template, text }) =>
      templates.put(account, template, { text }, before.get(template.id)),
    );
    return areWritten.filter(Boolean).length;
  };

  return {
    /**
     * Copies the account's templates from Meta, which `ask` reads. Concurrent syncs and decisions are safe: what changed while Meta was asked
     * is not replaced by the older answer; Meta is asked again. Returns its refusal, or how many templates it has, and how many changed here.
     */
    sync: async <Refused extends { readonly kind: 'refused' | 'unavailable' }>(
      account: AccountRef,
      ask: () => Promise<Listed | Refused>,
      nowMs: number,
    ): Promise<Synced | Refused> => {
      let changed = 0;
      for (let tries = 1; ; tries += 1) {
        const known = await findAll(account);
        const answer = await ask();
        if (answer.kind !== 'listed') return answer;
        const changes = changesBySync(account.id, known, answer.templates, nowMs);
        const put = await putAll(account, known, changes);
        changed += put;
        const isWhole = put === changes.length;
        if (isWhole) await templates.keepSynced(account, nowMs);
        if (isWhole || tries === mostTries) return { kind: 'synced', synced: answer.templates.length, changed };
      }
    },

    /**
     * Records Meta's decision about one template, which keeps what it says. Returns false when the template is unknown or unchanged, or when the
     * decision came before the last sync, which has read what became of it.
     */
    decide: async (account: AccountRef, decided: Decision, nowMs: number): Promise<boolean> => {
      const atMs = Math.min(decided.atMs ?? nowMs, nowMs);
      if (atMs < (await templates.syncedMs(account)) - listLagMs) return false;
      let isNews = false;
      await templates.change(account, whatsappTemplateId(account.id, decided), (before) => {
        const template = afterDecision(before.template, { ...decided, atMs });
        isNews = template !== before.template;
        return isNews ? { ...before, template } : before;
      });
      return isNews;
    },
  };
};

export type TemplateSync = ReturnType<typeof templateSync>;
