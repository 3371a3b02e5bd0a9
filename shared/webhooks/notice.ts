import type { Account } from '../accounts/account.ts';
import type { Mail } from '../messages/mail.ts';
import type { Webhook } from './webhook.ts';

interface Addressed {
  readonly account: Pick<Account, 'id' | 'name'>;
  readonly to: string;
  readonly platformAddress: string;
}

/** The mail to admins about a paused subscription. Customers' own names are in the text only, never in a header. */
export const noticeOfPause = ({ id, name, url }: Webhook, { account, to, platformAddress }: Addressed): Mail => ({
  messageId: id,
  accountId: account.id,
  from: { address: platformAddress, name: undefined },
  to,
  replyTo: undefined,
  attachments: [],
  subject: 'A webhook was paused',
  html: undefined,
  text: `The webhook "${name}" of ${account.name} was paused. No events are delivered to it until it is resumed:

  ${url}

Events that happen while it is paused are not delivered later. To resume it: PATCH /webhooks/${id} with {"isActive": true}. Its signing secret stays the same.
`,
});
