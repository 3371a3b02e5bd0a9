import type { World } from '../../../test/world.ts';

/** Of a mail that no absence note is to answer. */
export const automatic = { name: 'Auto-Submitted', value: 'auto-generated' };

/** What lies in the inbox for this address. */
export const mailsTo = async ({ ses }: World, address: string) => {
  const { emails } = (await (await fetch(`${ses.url}/store`)).json()) as {
    emails: {
      from: string;
      subject: string;
      headers: readonly { name: string; value: string }[];
      destination: { to: string[] };
      body: { text: string; html: string };
    }[];
  };
  return emails.filter(({ destination }) => destination.to.includes(address));
};
