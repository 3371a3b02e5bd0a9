import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changed } from '../../../shared/contacts/contact.ts';
import { unlimited } from '../../../shared/http/callback-fixture.ts';
import { form } from '../../../shared/http/form.ts';
import { newId } from '../../../shared/kit/id.ts';
import { newEmail } from '../../../shared/messages/new-message.ts';
import { answerPages } from '../../../shared/messages/unsubscribe-pages.ts';
import { acceptEmail } from '../../../test/accepted-message.ts';
import { contextWith } from '../../../test/lambda-context.ts';
import { startWorld, type TestAccount, type World } from '../../../test/world.ts';
import { unsubscribeRecipient } from './handler.ts';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await startWorld();
  account = await world.newAccount();
});
afterAll(() => world.close());

const post = async (token: string, body = 'List-Unsubscribe=One-Click') => {
  const event = { pathParameters: { token }, body, headers: {}, requestContext: { requestId: 'r' } };
  const handler = form(unsubscribeRecipient(world), answerPages, unlimited);
  const answer = await handler(event as unknown as APIGatewayProxyEventV2, contextWith());
  return { status: answer.statusCode, text: answer.body };
};

const send = async (to: string) => {
  const { id } = newEmail({ channel: 'email', to }, newId(Date.now()));
  await acceptEmail(world, account.ref, newEmail({ channel: 'email', to }, id));
  const token = (await world.messageLinks.urlFor('unsubscribe', account.ref, id)).split('/').at(-1) ?? '';
  return { id, token };
};

const seen = async (id: string) => {
  const message = await world.messages.find(account.ref, id);
  return { message, contact: await world.contacts.find(account.ref, message?.contactId ?? '') };
};

describe('POST /unsubscribe/{token}', () => {
  it('200 unsubscribes the contact and the message, without a cookie and regardless of what the body says', async () => {
    for (const [n, body] of ['List-Unsubscribe=One-Click', '', 'anything'].entries()) {
      const { id, token } = await send(`out${n}@example.com`);
      const { status, text } = await post(token, body);
      expect([status, text]).toEqual([200, answerPages.done]);
      expect(await seen(id)).toMatchObject({
        message: { status: 'unsubscribed' },
        contact: { status: 'unsubscribed' },
      });
    }
  });

  it('200 answers alike when it is repeated, and changes nothing more', async () => {
    const { id, token } = await send('twice@example.com');
    const first = await post(token);
    const once = await seen(id);
    expect(await post(token)).toEqual(first);
    const again = await seen(id);
    expect(again).toEqual({ ...once, contact: { ...once.contact, unsubscribedAt: again.contact?.unsubscribedAt } });
  });

  it('200 takes the links of all mails to one person', async () => {
    const [first, second] = [await send('both@example.com'), await send('both@example.com')];
    expect([(await post(second.token)).status, (await post(first.token)).status]).toEqual([200, 200]);
    expect(await seen(first.id)).toMatchObject({ message: { status: 'unsubscribed' } });
  });

  it('200 suppresses the address that the mail went to, and not the contact that has another one now', async () => {
    const { id, token } = await send('clicked@example.com');
    const { contact } = await seen(id);
    await world.contacts.change(account.ref, contact?.id ?? '', (before) =>
      changed(before, { email: 'corrected@example.com' }, Date.now()),
    );
    expect(await post(token)).toEqual({ status: 200, text: answerPages.doneForAddress });
    expect(answerPages.doneForAddress).not.toContain('SMS');
    expect(await seen(id)).toMatchObject({ message: { status: 'unsubscribed' }, contact: { status: 'active' } });
    const suppressed = async (email: string) =>
      (await world.sends.read(account.ref, { channel: 'email', contact: { email } })).suppressed;
    expect(await suppressed('clicked@example.com')).toBe('unsubscribed');
    expect(await suppressed('corrected@example.com')).toBeUndefined();
  });

  it('404 refuses a token that is forged, of another account, or none; nothing changes', async () => {
    const { id, token } = await send('stays@example.com');
    const stranger = await world.newAccount();
    const strangers = (await world.messageLinks.urlFor('unsubscribe', stranger.ref, id)).split('/').at(-1) ?? '';
    const last = token.at(-1) === 'A' ? 'B' : 'A';
    for (const bad of [token.slice(0, -2) + last.repeat(2), strangers, token.slice(1), `${token}A`, 'x', '']) {
      expect(await post(bad)).toEqual({ status: 404, text: answerPages.unknown });
    }
    expect(await seen(id)).toMatchObject({ message: { status: 'sending' }, contact: { status: 'active' } });
  });

  it('404 refuses a genuine token whose message was never kept', async () => {
    const url = await world.messageLinks.urlFor('unsubscribe', account.ref, newId(Date.now()));
    expect((await post(url.split('/').at(-1) ?? '')).status).toBe(404);
  });
});
