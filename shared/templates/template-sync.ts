import type { AccountRef } from '../kit/account-ref.ts';
import type { Template } from './template.ts';
import {
  changesBySync,
  inState,
  type RemoteTemplate,
  type SyncedTemplate,
  whatsappStatusOf,
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
  put(account: AccountRef, synced: Template, body: { readonly text: string }): Promise<void>;
}

/** Copies WhatsApp templates from Meta, where they are created and approved. */
export const templateSync = (templates: Templates) => {
  const find = async (account: AccountRef, ids: readonly string[]): Promise<SyncedTemplate[]> =>
    (await templates.findAll(account, ids)).map(({ template, content }) => ({ template, text: content.text ?? '' }));

  return {
    /** Copies the account's templates from Meta. Returns how many changed. Concurrent syncs are safe. */
    sync: async (account: AccountRef, remote: readonly RemoteTemplate[], nowMs: number): Promise<number> => {
      const listed = await templates.list(account, 'whatsapp');
      const known = await find(
        account,
        listed.map(({ id }) => id),
      );
      const changes = changesBySync(account.id, known, remote, nowMs);
      for (const { template, text } of changes) await templates.put(account, template, { text });
      return changes.length;
    },

    /** Records Meta's decision about one template, which keeps what it says. Returns false when the template is unknown or unchanged. */
    decide: async (account: AccountRef, decided: Omit<RemoteTemplate, 'text'>, nowMs: number): Promise<boolean> => {
      let isNews = false;
      await templates.change(account, whatsappTemplateId(account.id, decided), (before) => {
        const template = inState(before.template, whatsappStatusOf(decided.status), nowMs);
        isNews = template !== before.template;
        return isNews ? { ...before, template } : before;
      });
      return isNews;
    },
  };
};

export type TemplateSync = ReturnType<typeof templateSync>;
