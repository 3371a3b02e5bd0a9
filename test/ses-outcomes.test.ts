import { beforeAll, describe, expect, it, vi } from 'vitest';
import { soon } from './soon.ts';
import { type SharedStack, shareTestStack } from './test-stack.ts';

// From a request to SES's events of the mail: through the template's configuration set, topic and function, with no part replaced.

let stack: SharedStack;
beforeAll(async () => {
  stack = await shareTestStack();
});

const send = async (to: string) => {
  const { status, body } = await stack.api('POST', '/messages', { channel: 'email', to, subject: 's', text: 't' });
  expect([to, status]).toEqual([to, 201]);
  return String(body.data.id);
};
const messageOf = async (id: string) => (await stack.api('GET', `/messages/${id}`)).body.data;
const contactOf = async (email: string) =>
  (await stack.api('GET', `/contacts?search=${encodeURIComponent(email)}`)).body.data[0];

/** Waits until a message has this status. */
const become = (id: string, status: string) =>
  vi.waitFor(async () => {
    const message = await messageOf(id);
    expect(message.status).toBe(status);
    return message;
  }, soon);

/** The one-click URL of the last mail to a recipient, and its header. */
const unsubscriptionOf = async (to: string) => {
  const answer = await fetch(`${stack.file.inboxUrl}/store?to=${encodeURIComponent(to)}`);
  const mails = (await answer.json()) as { emails: { headers: { name: string; value: string }[] }[] };
  const headers = new Map(mails.emails.at(-1)?.headers.map(({ name, value }) => [name, value]));
  return {
    url: /^<(.+)>$/.exec(headers.get('List-Unsubscribe') ?? '')?.[1] ?? '',
    post: headers.get('List-Unsubscribe-Post'),
  };
};

describe('the recipient chooses the outcome of a mail', () => {
  it.each([
    ['anybody@example.com', 'delivered', 'active'],
    ['suppressionlist@simulator.amazonses.com', 'bounced', 'bounced'],
    ['complaint+order17@simulator.amazonses.com', 'complained', 'complained'],
    ['Reject+order17@simulator.amazonses.com', 'rejected', 'active'],
  ])('%s: %s, and the contact is %s', async (to, status, contactStatus) => {
    const message = await become(await send(to), status);
    expect(message.sentAt).not.toBeNull();
    expect(message.deliveredAt === null).toBe(status === 'bounced' || status === 'rejected');
    expect(message.failedAt === null).toBe(status !== 'rejected');
    expect(await contactOf(to)).toMatchObject({ status: contactStatus });
  });

  it('reports it within two seconds when the functions are warm', async () => {
    const tookMs = async () => {
      const { sentAt, deliveredAt } = await become(await send('quick@example.com'), 'delivered');
      return Date.parse(deliveredAt) - Date.parse(sentAt);
    };
    // A busy machine may take longer for some.
    await expect.poll(tookMs, soon).toBeLessThan(2_000);
  });

  it('reports why a mail bounced', async () => {
    const message = await become(await send('bounce+why@simulator.amazonses.com'), 'bounced');
    expect(message).toMatchObject({ failureCode: '5.1.1', failureReason: 'smtp; 550 5.1.1 user unknown' });
  });

  it('charges the credit of a rejected mail', async () => {
    const credits = async () => (await stack.admin('GET', `/accounts/${stack.file.accountId}/credits`)).body.data.email;
    const before = await credits();
    await become(await send('reject+credit@simulator.amazonses.com'), 'rejected');
    expect(await credits()).toBe(before - 1);
  });
});

describe('the one-click link of a mail', () => {
  it('unsubscribes by a POST, however often it is repeated, and reveals no personal data', async () => {
    const to = 'one.click@example.com';
    const id = await send(to);
    await become(id, 'delivered');
    const { url, post } = await unsubscriptionOf(to);
    expect(post).toBe('List-Unsubscribe=One-Click');
    expect(url).toMatch(new RegExp(`^${new URL(stack.file.apiBaseUrl).origin}/unsubscribe/[\\w-]{86}$`));
    for (let n = 0; n < 2; n += 1) {
      const answer = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null]);
    }
    expect((await messageOf(id)).status).toBe('unsubscribed');
    expect(await contactOf(to)).toMatchObject({ status: 'unsubscribed' });
  });

  it('does nothing on a GET', async () => {
    const to = 'scanned@example.com';
    const id = await send(to);
    await become(id, 'delivered');
    const { url } = await unsubscriptionOf(to);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect((await messageOf(id)).status).toBe('delivered');
    expect(await contactOf(to)).toMatchObject({ status: 'active' });
  });

  it('404 shows that a truncated link does not work', async () => {
    const to = 'cut.off@example.com';
    await send(to);
    const { url } = await unsubscriptionOf(to);
    expect((await fetch(url.slice(0, -1), { method: 'POST' })).status).toBe(404);
    expect(await contactOf(to)).toMatchObject({ status: 'active' });
  });
});
