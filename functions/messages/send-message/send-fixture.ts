import * as z from 'zod';
import { apiKeySurface } from '../../../shared/http/api-key-surface.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import type { IdempotencyKeys } from '../../../shared/http/idempotency-keys.ts';
import type { AccountRef } from '../../../shared/kit/account-ref.ts';
import type { Clock } from '../../../shared/kit/time.ts';
import type { EmailProvider } from '../../../shared/providers/email/email-provider.ts';
import { everyId } from '../../../shared/table/every-id.ts';
import { partitions } from '../../../shared/table/keys.ts';
import { type Call, call } from '../../../test/call.ts';
import { startWorld } from '../../../test/world.ts';
import { sendMessageContract } from './contract.ts';
import { sendMessage } from './handler.ts';

export const platformAddress = 'no-reply@platform.example';

/** The smallest email that is sent. */
export const mail = { channel: 'email', to: 'ada@example.com', subject: 'Hello', text: 'It works.' };

const caughtMails = z.object({
  emails: z.array(
    z.object({
      from: z.string(),
      replyTo: z.array(z.string()),
      destination: z.object({ to: z.array(z.string()), cc: z.array(z.string()), bcc: z.array(z.string()) }),
      subject: z.string(),
      body: z.object({ html: z.string().nullable(), text: z.string().nullable() }),
      headers: z.array(z.object({ name: z.string(), value: z.string() })),
      attachments: z.array(
        z.object({
          filename: z.string().nullable(),
          contentType: z.string(),
          cid: z.string().nullable(),
          disposition: z.string().nullable(),
          size: z.number(),
          content: z.string(),
        }),
      ),
      tags: z.record(z.string(), z.string()),
    }),
  ),
});

interface Sender {
  readonly key?: string;
  readonly headers?: Call['headers'];
  readonly email?: EmailProvider;
  readonly idempotencyKeys?: IdempotencyKeys<AccountRef>;
  readonly clock?: Clock;
}

interface Repetition extends Pick<Sender, 'email'> {
  readonly nowMs?: number;
  readonly isResumed?: boolean;
}

/** A world with an account, its endpoint, and helpers to read the results. */
export const openSending = async () => {
  const world = await startWorld();
  const account = await world.newAccount({ credits: { email: 10_000 } });

  const mails = async (to?: string) => {
    const answer = await fetch(`${world.ses.url}/store${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`);
    return caughtMails.parse(await answer.json()).emails;
  };

  return {
    world,
    account,
    send: (
      body: unknown,
      {
        key = account.key,
        headers = {},
        email = world.email,
        idempotencyKeys = world.idempotencyKeys,
        clock,
      }: Sender = {},
    ) =>
      call(
        endpoint(
          sendMessageContract,
          sendMessage({ ...world, email, platformAddress, clock: clock ?? Date.now }),
          apiKeySurface({ apiKeys: world.apiKeys, audit: world.audit, idempotencyKeys, scope: 'messages:send' }),
          clock,
        ),
        { key, headers, body },
      ),

    /** Runs a request with this id, as a repetition with its idempotency key after a crash. */
    sendAs: (
      newId: string,
      body: object,
      ref = account.ref,
      { nowMs = Date.now(), isResumed = false, email = world.email }: Repetition = {},
    ) =>
      sendMessage({ ...world, email, platformAddress, clock: Date.now })({
        account: ref,
        path: {},
        query: {},
        body: sendMessageContract.body.parse(body),
        newId,
        nowMs,
        isResumed,
      }),

    /** The caught mails, of all recipients or of one. */
    mails,

    /** The one mail that was sent to this address. */
    mailTo: async (to: string) => {
      const [only, ...others] = await mails(to);
      if (!only || others.length > 0) throw new Error(`${to} got ${others.length + (only ? 1 : 0)} mails`);
      return only;
    },

    /** All items that a send writes to the table. */
    traces: async (ref: AccountRef) => ({
      credits: (await world.accounts.credits(ref.id))?.email,
      messages: (await world.messages.list(ref, {}, { limit: 1_000 })).page.length,
      contacts: (await world.table.query(partitions.contacts(ref.id), { ...everyId, newestFirst: false })).length,
    }),
  };
};

export type Sending = Awaited<ReturnType<typeof openSending>>;
