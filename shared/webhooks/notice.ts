import type { Account } from '../accounts/account.ts';
import type { Mail } from '../messages/mail.ts';
import { nameInMail } from '../messages/name-in-mail.ts';
import type { Webhook } from './webhook.ts';

/** A subscription that was paused: by hand, or because all its deliveries had failed. */
type Paused = Pick<Webhook, 'id' | 'name' | 'url'> & {
  readonly isByHand: boolean;
  /** When the first event happened that it was not delivered. */
  readonly missedSince: string;
};

interface Addressed {
  readonly account: Pick<Account, 'id' | 'name'>;
  readonly to: string;
  readonly peopleAddress: string;
  readonly baseUrl: string;
}

/**
 * The mail to admins about a paused subscription. Customers' own names are in the text only, never in a header. Of the URL, it has
 * the host only: the rest may be a secret, as the path is with chat services.
 */
export const noticeOfPause = (
  { id, name, url, isByHand, missedSince }: Paused,
  { account, to, peopleAddress, baseUrl }: Addressed,
): Mail => ({
  messageId: id,
  accountId: account.id,
  from: { address: peopleAddress, name: undefined },
  to,
  replyTo: undefined,
  attachments: [],
  isAutomatic: true,
  subject: 'A webhook was paused',
  html: undefined,
  text: `At ${new URL(baseUrl).host}, ${nameInMail('webhook', name)} of ${nameInMail('account', account.name)} is paused${isByHand ? '' : `, because all its deliveries have failed since ${missedSince}`}. Until it is resumed, no events are delivered to:

  ${new URL(url).origin}

To resume it, open it in the dashboard and press Resume:

  ${baseUrl}/dashboard/${account.id}/webhooks/${id}

Or send PATCH /api/v1/webhooks/${id} with {"isActive": true}. The signing secret does not change.

Events that it missed are not delivered automatically. After you have resumed it, replay them: POST /api/v1/webhooks/${id}/replay with {"since": "${missedSince}"}. You can replay events of the last 30 days.
`,
});
