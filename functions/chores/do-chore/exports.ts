import type { ContactFilter } from '../../../shared/contacts/contact-filter.ts';
import type { MessageFilter } from '../../../shared/messages/message-filter.ts';
import type { ContactStore } from '../../../shared/table/contacts/contact-store.ts';
import type { MessageStore } from '../../../shared/table/messages/message-store.ts';
import type { TransferStore } from '../../../shared/table/transfers/transfer-store.ts';
import type { Export } from '../../../shared/transfers/export.ts';
import { contactColumnsOfExport, messageColumns } from '../../../shared/transfers/export-columns.ts';
import { type ExportRowsNeeds, exportRows } from './export-rows.ts';

export interface ExportsNeeds extends ExportRowsNeeds {
  readonly messages: Pick<MessageStore, 'list'>;
  readonly contacts: Pick<ContactStore, 'walk'>;
  readonly messageExports: TransferStore<Export<MessageFilter>>;
  readonly contactExports: TransferStore<Export<ContactFilter>>;
}

/** Each may have 250 KB of metadata, and a page is in memory several times over. */
const messagesAtOnce = 100;
const contactsAtOnce = 500;

/** Newest first, as the list is. */
export const exportMessages = (needs: ExportsNeeds, atOnce = messagesAtOnce) =>
  exportRows(needs, {
    exports: needs.messageExports,
    columns: messageColumns,
    page: async (account, filter, cursor) => {
      const { page, pagination } = await needs.messages.list(account, filter, { cursor, limit: atOnce });
      return { rows: page, next: pagination.cursor ?? undefined };
    },
  });

/** Oldest first. Every contact of the time is read, regardless of the filter, because index rows cannot be walked by cursor under all of them. */
export const exportContacts = (needs: ExportsNeeds, atOnce = contactsAtOnce) =>
  exportRows(needs, {
    exports: needs.contactExports,
    columns: contactColumnsOfExport,
    page: (account, filter, cursor) => needs.contacts.walk(account, filter, { cursor, limit: atOnce }),
  });
