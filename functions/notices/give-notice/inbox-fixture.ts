import type { World } from '../../../test/world.ts';

/** What lies in the inbox for this address. */
export const mailsTo = async ({ ses }: World, address: string) => {
  const { emails } = (await (await fetch(`${ses.url}/store`)).json()) as {
    emails: { from: string; subject: string; destination: { to: string[] }; body: { text: string; html: string } }[];
  };
  return emails.filter(({ destination }) => destination.to.includes(address));
};
