import * as z from 'zod';
import { suppression, suppressionReasons } from '../../../shared/contacts/suppression.ts';
import { contract } from '../../../shared/http/contract.ts';
import { cursorPagination, cursorQuery } from '../../../shared/http/cursor.ts';
import { channels } from '../../../shared/messages/message.ts';
import { addressText } from '../../../shared/messages/recipient.ts';

export const listSuppressionsContract = contract({
  summary: 'List suppressed addresses, newest first',
  description:
    'Addresses that must not be contacted, and why. Contacts that bounced, complained or unsubscribed are listed while they have that status. If such a contact gets another email, the old one keeps an entry of its own until you remove it. A bounce, complaint or unsubscription of an email is about the address that it went to: it sets the status of the contact that has the address now, or makes an entry of its own if none has it. Contacts that had it before this list existed are not in it: find them with GET /contacts?status=BOUNCED (also COMPLAINED and UNSUBSCRIBED), and add them with POST /suppressions. A phone that no contact has is not listed after its STOP; texts to it are blocked all the same. An address can have an entry of its own and one of its contact. A send to a listed address is blocked only if the account’s setting `suppressions` is `enforced`. Without `address`, an entry can be missing for a moment after it was made. With `channel` or `reason`, a page may have fewer rows than `limit`, or none, although `hasMore` is true: go on with its cursor.',
  status: 200,
  query: z.object({
    address: addressText
      .optional()
      .describe(
        'Only entries of this whole address: an email in any letter case, or a phone number with or without its `+`. None means that it is not on the list, or that its person was erased: the address stays blocked, and is not shown.',
      ),
    channel: z.enum(channels).optional(),
    reason: z.enum(suppressionReasons).optional(),
    ...cursorQuery({ defaultLimit: 20 }),
  }),
  reply: z.array(suppression),
  beside: z.object({ pagination: cursorPagination }),
  refuses: ['invalid_request'],
});
