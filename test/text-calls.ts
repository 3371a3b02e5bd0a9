import { createHmac } from 'node:crypto';
import { expect } from 'vitest';
import * as z from 'zod';
import { scopes } from '../shared/accounts/api-key.ts';
import type { Channel, Status, TextChannel } from '../shared/messages/message.ts';
import { type Received, startReceiver } from '../shared/providers/webhook/receiver-fixture.ts';
import { soon } from './soon.ts';
import { request, type SharedStack } from './test-stack.ts';

const plenty = { email: 1_000, smsMasked: 1_000, smsNonMasked: 1_000 };

interface Wishes {
  /** A body of `PATCH /admin/v1/accounts/{id}`. */
  readonly settings?: object;
}

const caught = z.object({
  texts: z.array(
    z.object({ channel: z.string(), to: z.string(), from: z.string(), text: z.string(), messageId: z.string() }),
  ),
});

/** A phone that receives texts. */
export const phone = '+8801700001234';

/** The simulated outcome of a text, by the last digits of its number. */
export const outcomes: Readonly<Record<string, Readonly<Partial<Record<Channel, Status>>>>> = {
  '0001': { sms: 'failed', whatsapp: 'failed' },
  '0002': { sms: 'failed', whatsapp: 'failed' },
  '0003': { sms: 'delivered', whatsapp: 'read' },
  '0004': { sms: 'rejected', whatsapp: 'rejected' },
  '1234': { sms: 'delivered', whatsapp: 'read' },
};

/** A text as a body of `POST /messages`. */
export const textTo = (channel: TextChannel, to: string, text = 'It works.') => ({ channel, to, text });

/** Meta's signature of a body with an app secret. */
export const signedBy = (appSecret: string, body: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`,
});

/** The events that a customer's server received. */
export const eventsIn = (received: readonly Received[]) =>
  received.map(({ body }) => {
    const { event, data } = JSON.parse(body);
    return { event: String(event), message: data.message };
  });

/** Calls of clients, operators and providers about texts on a whole stack. */
export const textCalls = (stack: SharedStack) => {
  /** Calls of an account's client and operator. */
  const accountWith = ({ id, key }: { readonly id: string; readonly key: string }) => {
    const path = `/accounts/${id}`;
    const api = (method: string, at: string, body?: unknown) => stack.api(method, at, body, { 'x-api-key': key });
    const read = async (at: string) => {
      const { status, body } = await api('GET', at);
      expect([status, body.error]).toEqual([200, undefined]);
      return body.data;
    };
    const creditsLeft = async () => (await stack.admin('GET', `${path}/credits`)).body.data;
    const send = (body: object) => api('POST', '/messages', body);

    return {
      id,
      key,
      path,
      api,
      read,
      creditsLeft,
      send,

      change: async (settings: object) => {
        const { status, body } = await stack.admin('PATCH', path, settings);
        expect([status, body.error]).toEqual([200, undefined]);
      },

      /** A contact with this phone, with consent to sms. */
      contact: async (phone: string) => {
        const contactId = String((await api('POST', '/contacts', { phone })).body.data.id);
        await stack.admin('PUT', `/contacts/${contactId}/consents/sms`, { status: 'active' });
        return contactId;
      },

      /** Records an inbound whatsapp message. */
      writes: async (from: string, text = 'Hello') => {
        const { status } = await stack.admin('POST', `${path}/whatsapp/inbound`, { from, text });
        expect(status).toBe(202);
      },

      /** Sends a message that must be accepted. Returns its id. */
      accepted: async (body: object): Promise<string> => {
        const { status, body: answer } = await send(body);
        expect([status, answer.error, answer.data?.status]).toEqual([201, undefined, 'queued']);
        return answer.data.id;
      },

      /** Waits until a message has this status. Returns the message. */
      become: async (messageId: string, status: string | undefined) => {
        await expect.poll(async () => (await read(`/messages/${messageId}`)).status, soon).toBe(status);
        return read(`/messages/${messageId}`);
      },

      /** The refusal of a send. It also checks that the send changed nothing of the account. */
      refusal: async (body: object) => {
        const state = async () => {
          const messages: { id: string }[] = await read('/messages');
          return [messages.map(({ id }) => id), await read('/contacts'), await creditsLeft()];
        };
        const before = await state();
        const { status, body: answer } = await send(body);
        expect(await state()).toEqual(before);
        return [status, answer.error?.code, answer.error?.message];
      },

      /** A subscription to all message events, and its received events. */
      listen: async () => {
        const receiver = await startReceiver();
        const events = ['message.sent', 'message.delivered', 'message.failed', 'message.bounced'];
        const url = `http://localhost:${receiver.port}`;
        const { webhook } = (await api('POST', '/webhooks', { name: 'all', url, events })).body.data;
        return { ...receiver, totalSent: async () => (await read(`/webhooks/${webhook.id}`)).totalSent };
      },
    };
  };

  const allCaught = async () => caught.parse((await request(`${stack.file.inboxUrl}/texts`, 'GET', {})).body).texts;

  /** A new account, isolated from other tests. */
  const newAccount = async ({ settings = {} }: Wishes = {}) => {
    const id = String((await stack.admin('POST', '/accounts', { name: 'Shop' })).body.data.id);
    const { body } = await stack.admin('POST', `/accounts/${id}/api-keys`, { name: 'test', scopes });
    const account = accountWith({ id, key: body.data.key });
    await stack.admin('PUT', `${account.path}/credits`, plenty);
    await account.change(settings);
    return account;
  };

  return {
    accountWith,
    newAccount,

    /** An account with a contact that may receive sms and whatsapp messages. */
    reachable: async () => {
      const account = await newAccount();
      const contactId = await account.contact(phone);
      await account.writes(phone);
      const status = async () => (await account.read(`/contacts/${contactId}`)).status;
      const consents = async () => (await stack.admin('GET', `/contacts/${contactId}/consents`)).body.data;
      return { ...account, consents, status };
    },

    /** The texts of one phone and of all phones, newest first. */
    caughtBy: async (phone: string) => (await allCaught()).filter(({ to }) => to === phone),
    allCaught,

    /** A provider calls: Meta, or a gateway with its report. */
    callback: async (path: string, headers: Readonly<Record<string, string>>, body: string) => {
      const url = new URL(path, stack.file.apiBaseUrl);
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
      return { status: answer.status, text: await answer.text() };
    },
  };
};

export type TextCalls = ReturnType<typeof textCalls>;
export type TextAccount = Awaited<ReturnType<TextCalls['newAccount']>>;
