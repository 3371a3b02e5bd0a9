import { smallPage } from '../kit/small-page.ts';

/** A confirmation page, because mail scanners follow links: only the button unsubscribes. */
export const questionPage = smallPage(
  'Unsubscribe',
  `<p>Do you want to stop receiving messages from this sender?</p>
<form method="post">
<input type="hidden" name="List-Unsubscribe" value="One-Click">
<button>Unsubscribe</button>
</form>`,
);

/** The result page. */
export const answerPages = {
  done: smallPage(
    'You are unsubscribed',
    '<p>You will receive no more SMS and WhatsApp messages from this sender, unless you agree to them again. Emails about your account or orders may still arrive.</p>',
  ),
  /** The sender knows no phone number of this person, so nothing can be said about texts. */
  doneForAddress: smallPage(
    'You are unsubscribed',
    '<p>The email address of this message is on the sender’s list of unsubscribed addresses. Emails about your account or orders may still arrive.</p>',
  ),
  erased: smallPage(
    'Your address was deleted',
    '<p>The sender has deleted the address that this message went to, so this link can no longer unsubscribe it. If you get another message, please use the link in that one.</p>',
  ),
  unknown: smallPage('This link does not work', '<p>Please open the complete link from the message again.</p>'),
  busy: smallPage('Please wait', '<p>There are too many requests from your network. Please try again in a minute.</p>'),
  failed: smallPage('Something went wrong', '<p>The error is on our side. Please try again in a few minutes.</p>'),
} as const;
