import type { Account } from '../accounts/account.ts';
import type { Mail } from '../messages/mail.ts';
import type { Webhook } from './webhook.ts';

/** A subscription that was paused: by hand or, with `failingSince`, because all its deliveries had failed since then. */
type Paused = Pick<Webhook, 'id' | 'name' | 'url'> & {
  readonly failingSince: string | undefined;
  /** When the first event happened that it was not delivered. */
  readonly missedSince: string;
};

interface Addressed {
  readonly account: Pick<Account, 'id' | 'name'>;
  readonly to: string;
  readonly platformAddress: string;
}

/** The mail to admins about a paused subscription. Customers' own names are in the text only, never in a header. */
export const noticeOfPause = (
  { id, name, url, failingSince, missedSince }: Paused,
  { account, to, platformAddress }: Addressed,
): Mail => ({
  messageId: id,
  accountId: account.id,
  from: { address: platformAddress, name: undefined },
  to,
  replyTo: undefined,
  attachments: [],
  subject: 'A webhook was paused',
  html: undefined,
  text: `The webhook "${name}" of ${account.name} was paused${failingSince === undefined ? '' : `, because all its deliveries have failed since ${failingSince}`}. No events are delivered to it until it is resumed:

  ${url}

To resume it: PATCH /webhooks/${id} with {"isActive": true}. Its signing secret stays the same.

Events that happen while it is paused are not delivered by themselves, nor are those whose deliveries the pause cancelled. To have them delivered after resuming it: POST /webhooks/${id}/replay with {"since": "${missedSince}"}. Events of the last 30 days can be delivered again.
`,
});
