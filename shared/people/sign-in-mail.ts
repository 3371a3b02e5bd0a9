import { escapeHtml } from '../kit/html.ts';
import type { Mail } from '../messages/mail.ts';
import { nameInMail } from '../messages/name-in-mail.ts';

interface Letter {
  readonly id: string;
  readonly to: string;
  readonly peopleAddress: string;
  readonly baseUrl: string;
}

const host = (baseUrl: string): string => new URL(baseUrl).host;

const mailOf = (
  { id, to, peopleAddress }: Letter,
  subject: string,
  paragraphs: readonly string[],
  link: { readonly url: string; readonly label: string },
): Mail => ({
  messageId: id,
  accountId: 'people',
  from: { address: peopleAddress, name: undefined },
  to,
  replyTo: undefined,
  attachments: [],
  isAutomatic: true,
  subject,
  text: [paragraphs[0], `  ${link.url}`, ...paragraphs.slice(1)].join('\n\n').concat('\n'),
  html: [
    '<!doctype html><html lang="en"><body style="font:16px/1.5 sans-serif;max-width:36em">',
    `<p>${escapeHtml(paragraphs[0] ?? '')}</p>`,
    // SES would route the link through its own host, and publish its secret to the topic of clicks.
    `<p><a ses:no-track href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`,
    ...paragraphs.slice(1).map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    '</body></html>',
  ].join(''),
});

/** The mail with a link that signs in. */
export const signInMail = (letter: Letter, token: string): Mail => ({
  ...mailOf(
    letter,
    `Sign in to the dashboard of ${host(letter.baseUrl)}`,
    [
      `Use this link to sign in to the dashboard of ${host(letter.baseUrl)}:`,
      'The link works once, within 10 minutes.',
      'If you did not ask to sign in, ignore this mail: without the link, no one can sign in as you. Do not forward it.',
    ],
    { url: `${letter.baseUrl}/dashboard/sign-in/${token}`, label: 'Sign in' },
  ),
  isUrgent: true,
});

/** The mail to a new member of an account. Names that people chose are in the text only, never in a header. */
export const invitationMail = (
  letter: Letter,
  { account, role, invitedBy }: { readonly account: string; readonly role: string; readonly invitedBy: string },
): Mail =>
  mailOf(
    letter,
    `You can now use the dashboard of ${host(letter.baseUrl)}`,
    [
      `${invitedBy} has made you ${role} of ${nameInMail('account', account)}. Sign in with this address:`,
      'You need no password: each time, a link is mailed to you.',
      'If you did not expect this, ignore this mail.',
    ],
    { url: `${letter.baseUrl}/dashboard/sign-in`, label: 'Open the dashboard' },
  );
