import type { MailAttachment } from '../emulators/ses-mail.ts';
import type { CaughtMail } from '../emulators/ses-store.ts';

export const subjectOf = ({ subject }: Pick<CaughtMail, 'subject'>): string => subject.trim() || '(no subject)';

export const nameOf = ({ filename }: MailAttachment): string => filename ?? 'attachment';

/** The web addresses that the HTML links to. */
export const linksIn = (body: string): string[] => {
  const urls = body
    .matchAll(/\bhref\s*=\s*["']?(https?:[^"'\s>]+)/gi)
    .map(([, url = '']) => url.replaceAll('&amp;', '&'));
  return [...new Set(urls)];
};

/** Whether the HTML would load pictures from elsewhere. */
export const hasRemotePictures = (body: string): boolean =>
  /(?:\b(?:src|srcset|background|poster)\s*=\s*["']?|url\(\s*["']?)(?:https?:)?\/\//i.test(body);
