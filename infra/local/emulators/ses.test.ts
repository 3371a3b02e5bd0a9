import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { GetSendQuotaCommand, ListIdentitiesCommand, SendRawEmailCommand } from '@aws-sdk/client-ses';
import { describe, expect, it } from 'vitest';
import { freshStart } from '../fresh-start.ts';
import { StartFailure } from '../start-failure.ts';
import { startSes } from './ses.ts';
import { clientOf, compose, readStore, send, startTestSes, temporaryDirectory } from './ses-fixture.ts';

describe('SendRawEmail', () => {
  it('stores the mail’s content for GET /store', async () => {
    const { url } = await startTestSes();

    const messageId = await send(
      url,
      {
        from: 'Café, Shop <shop@example.com>',
        to: 'Ada <ada@example.org>, bob@example.org',
        cc: 'cy@example.org',
        replyTo: 'Help <help@example.com>',
        subject: 'Café № 42 ✓',
        text: 'Café',
        html: '<p>Café</p>',
        headers: { 'List-Unsubscribe': '<https://example.com/u/1>', 'X-Note': 'à la carte' },
      },
      {
        Source: 'shop@example.com',
        Destinations: ['ada@example.org', 'bob@example.org', 'cy@example.org', 'hidden@example.org'],
        ConfigurationSetName: 'events',
        Tags: [{ Name: 'messageId', Value: 'm-1' }],
      },
    );

    expect(await readStore(url)).toEqual({
      emails: [
        {
          messageId,
          from: '"Café, Shop" <shop@example.com>',
          replyTo: ['"Help" <help@example.com>'],
          destination: {
            to: ['ada@example.org', 'bob@example.org'],
            cc: ['cy@example.org'],
            bcc: ['hidden@example.org'],
          },
          subject: 'Café № 42 ✓',
          body: { html: '<p>Café</p>\n', text: 'Café\n' },
          headers: expect.arrayContaining([
            { name: 'List-Unsubscribe', value: '<https://example.com/u/1>' },
            { name: 'X-Note', value: 'à la carte' },
          ]),
          attachments: [],
          at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
          tags: { messageId: 'm-1' },
          configurationSetName: 'events',
        },
      ],
    });
  });

  it('stores attachments and inline images byte for byte', async () => {
    const { url } = await startTestSes();
    const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

    await send(url, {
      html: '<img src="cid:logo@shop">',
      attachments: [
        { filename: 'café menu.pdf', content: Buffer.from('%PDF-1.7') },
        { filename: 'logo.png', content: picture, cid: 'logo@shop' },
      ],
    });

    expect(await readStore(url)).toMatchObject({
      emails: [
        {
          attachments: expect.arrayContaining([
            {
              filename: 'café menu.pdf',
              contentType: 'application/pdf',
              cid: null,
              disposition: 'attachment',
              size: 8,
              content: Buffer.from('%PDF-1.7').toString('base64'),
            },
            {
              filename: 'logo.png',
              contentType: 'image/png',
              cid: 'logo@shop',
              disposition: 'inline',
              size: 6,
              content: picture.toString('base64'),
            },
          ]),
        },
      ],
    });
  });

  it.each([
    ['text/calendar', Buffer.from('SUMMARY:Café\r\nLOCATION:Dhaka\r\n\r\n')],
    ['text/calendar; method=REQUEST; charset=iso-8859-1', Buffer.from('SUMMARY:Caf\xe9', 'latin1')],
    ['application/ics', Buffer.from('SUMMARY:Lunch\nLOCATION:Dhaka')],
    ['application/ics', Buffer.alloc(0)],
    ['text/csv', Buffer.from('a,b\r\n.\r\n')],
    ['text/plain; charset=utf-16le', Buffer.from('a\r\n', 'utf16le')],
  ])('stores an attached file of the type %s byte for byte', async (contentType, content) => {
    const { url } = await startTestSes();
    await send(url, { attachments: [{ filename: 'file', contentType, content }] });
    const kept = { contentType: contentType.split(';')[0], size: content.length, content: content.toString('base64') };
    expect(await readStore(url)).toMatchObject({ emails: [{ attachments: [kept] }] });
  });

  it('stores the raw bytes unchanged', async () => {
    const { url } = await startTestSes();
    const raw = Buffer.from('From: a@example.com\r\nTo: b@example.org\r\nX-Odd:  two  spaces\r\n\r\nb\xf6dy', 'latin1');
    const { MessageId } = await clientOf(url).send(new SendRawEmailCommand({ RawMessage: { Data: raw } }));

    const answer = await fetch(`${url}/store/${MessageId}/raw`);

    expect(answer.headers.get('content-type')).toBe('message/rfc822');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(raw);
  });

  const headers = 'From: a@example.com\r\nTo: b@example.org\r\n';
  it.each([
    ['no data', '', {}],
    ['more than 10 MB', `${headers}\r\n${'x'.repeat(10 * 2 ** 20)}`, {}],
    ['a line that is no header', `${headers}no header\r\n\r\nHi.`, {}],
    ['a carriage return inside a header', `${headers}Subject: a\rBcc: c@example.org\r\n\r\nHi.`, {}],
    ['two subjects', `${headers}Subject: a\r\nSubject: b\r\n\r\nHi.`, {}],
    ['no sender', 'To: b@example.org\r\n\r\nHi.', {}],
    ['no recipient', 'From: a@example.com\r\n\r\nHi.', {}],
    ['a recipient without a domain', `${headers}\r\nHi.`, { Destinations: ['bob'] }],
    ['a source that is no address', `${headers}\r\nHi.`, { Source: 'shop' }],
    ['a tag with a space', `${headers}\r\nHi.`, { Tags: [{ Name: 'order', Value: 'no 1' }] }],
  ])('refuses %s with InvalidParameterValue', async (_, raw, input) => {
    const { url } = await startTestSes();
    const command = new SendRawEmailCommand({ RawMessage: { Data: Buffer.from(raw) }, ...input });

    await expect(clientOf(url).send(command)).rejects.toMatchObject({
      name: 'InvalidParameterValue',
      $metadata: { httpStatusCode: 400 },
    });
    expect(await readStore(url)).toEqual({ emails: [] });
  });

  it('refuses data that is not base64 with InvalidParameterValue', async () => {
    const { url } = await startTestSes();
    const body = new URLSearchParams({ Action: 'SendRawEmail', 'RawMessage.Data': 'no*base64' });
    const answer = await fetch(url, { method: 'POST', body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('<Code>InvalidParameterValue</Code>');
  });
});

describe('other calls', () => {
  it('GetSendQuota counts the mails sent', async () => {
    const { url } = await startTestSes();
    await send(url);
    const quota = await clientOf(url).send(new GetSendQuotaCommand());
    expect(quota).toMatchObject({
      SentLast24Hours: 1,
      Max24HourSend: expect.any(Number),
      MaxSendRate: expect.any(Number),
    });
  });

  it('refuses an unknown call with InvalidAction', async () => {
    const { url } = await startTestSes();
    await expect(clientOf(url).send(new ListIdentitiesCommand())).rejects.toMatchObject({
      name: 'InvalidAction',
      message: 'Could not find operation ListIdentities for version 2010-12-01',
      $metadata: { httpStatusCode: 400 },
    });
  });
});

describe('the store of mails', () => {
  it('lists the oldest mail first', async () => {
    const { url } = await startTestSes();
    for (const subject of ['first', 'second', 'third']) await send(url, { subject });
    expect(await readStore(url)).toMatchObject({
      emails: [{ subject: 'first' }, { subject: 'second' }, { subject: 'third' }],
    });
  });

  it('finds mails by recipient, also bcc, case-insensitively', async () => {
    const { url } = await startTestSes();
    await send(url, { to: 'Ada@Example.org', subject: 'open' });
    await send(url, { to: 'bob@example.org', subject: 'hidden' }, { Destinations: ['ada@example.ORG'] });
    await send(url, { to: 'bob@example.org', subject: 'other' });
    expect(await readStore(url, '?to=aDa@example.org')).toMatchObject({
      emails: [{ subject: 'open' }, { subject: 'hidden' }],
    });
  });

  it('finds mails since a time', async () => {
    const { url } = await startTestSes();
    await send(url);
    const [before, after] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    expect(await readStore(url, `?since=${before}`)).toMatchObject({ emails: [{ subject: 'Hello' }] });
    expect(await readStore(url, `?since=${after}`)).toEqual({ emails: [] });
    expect((await fetch(`${url}/store?since=yesterday`)).status).toBe(400);
  });

  it('is changed by no page of another site that a browser shows', async () => {
    const { url } = await startTestSes();
    await send(url, { subject: 'kept' });
    const cleared = await fetch(`${url}/clear-store`, { method: 'POST', headers: { 'sec-fetch-site': 'cross-site' } });
    expect(cleared.status).toBe(403);
    expect(await readStore(url)).toMatchObject({ emails: [{ subject: 'kept' }] });
  });

  it.each([
    ['localhost:1', 200],
    ['127.0.0.1', 200],
    ['[::1]:1', 200],
    ['inbox.localhost', 200],
    ['host.docker.internal:1', 200],
    ['laptop:1', 200],
    ['shop.example', 403],
    ['127.0.0.1.shop.example:1', 403],
  ])('is for this machine alone, so that no page can read it under a name of its own: %s', async (host, status) => {
    const { url } = await startTestSes();
    const asked = get(`${url}/store`, { headers: { host } });
    const [answer] = await once(asked, 'response');
    answer.resume();
    expect(answer.statusCode).toBe(status);
  });

  it('is empty after POST /clear-store', async () => {
    const { url } = await startTestSes();
    await send(url);
    expect((await fetch(`${url}/clear-store`, { method: 'POST' })).status).toBe(204);
    expect(await readStore(url)).toEqual({ emails: [] });
  });

  it('survives a restart', async () => {
    const dataDirectory = temporaryDirectory();
    const first = await startSes({ dataDirectory });
    await send(first.url, { subject: 'kept' });
    await first.close();

    const second = await startTestSes({ dataDirectory });
    await send(second.url, { subject: 'new' });
    expect(await readStore(second.url)).toMatchObject({ emails: [{ subject: 'kept' }, { subject: 'new' }] });
  });
});

describe('faults on demand', () => {
  const demand = (url: string, body: unknown) => fetch(`${url}/faults`, { method: 'POST', body: JSON.stringify(body) });

  it.each([
    ['throttling', 'Throttling', 400],
    ['unavailable', 'InternalFailure', 500],
    ['rejected', 'MessageRejected', 400],
  ])('%s answers %s once and stores nothing', async (fault, name, httpStatusCode) => {
    const { url } = await startTestSes();
    expect((await demand(url, { fault })).status).toBe(204);

    await expect(send(url)).rejects.toMatchObject({ name, $metadata: { httpStatusCode } });
    expect(await readStore(url)).toEqual({ emails: [] });
    await send(url);
    expect(await readStore(url)).toMatchObject({ emails: [{}] });
  });

  it('applies to the demanded number of mails; a new demand replaces the last, and 0 clears it', async () => {
    const { url, failNext } = await startTestSes();
    failNext('rejected', 5);
    failNext('throttling', 2);
    await expect(send(url)).rejects.toThrow('Maximum sending rate exceeded.');
    await expect(send(url)).rejects.toThrow('Maximum sending rate exceeded.');
    await send(url);

    await demand(url, { fault: 'throttling', times: 5 });
    await demand(url, { fault: 'throttling', times: 0 });
    await send(url);
  });

  it('"hang" keeps the caller waiting, stores nothing, and affects one mail', async () => {
    const { url, failNext } = await startTestSes();
    failNext('hang');
    const command = new SendRawEmailCommand({ RawMessage: { Data: await compose({ subject: 'lost' }) } });

    const sending = clientOf(url).send(command, { abortSignal: AbortSignal.timeout(1_000) });
    await expect(sending).rejects.toMatchObject({ name: 'AbortError' });

    await send(url, { subject: 'taken' });
    expect(await readStore(url)).toMatchObject({ emails: [{ subject: 'taken' }] });
  });

  it('close() disconnects a waiting caller', async () => {
    const ses = await startSes({ dataDirectory: temporaryDirectory() });
    ses.failNext('hang');
    const sending = expect(send(ses.url)).rejects.toThrow();
    await ses.close();
    await sending;
  });

  it.each(['{"fault":"fire"}', '{"fault":"hang","times":-1}', 'hang'])('400 for %s', async (body) => {
    const { url } = await startTestSes();
    expect((await fetch(`${url}/faults`, { method: 'POST', body })).status).toBe(400);
  });
});

describe('where it listens', () => {
  it('is the requested port, at each address of localhost', async () => {
    const { url: free, close } = await startSes({ dataDirectory: temporaryDirectory() });
    await close();
    const { url } = await startTestSes({ ports: [Number(new URL(free).port)] });

    expect(url).toBe(free);
    for (const { address, family } of await lookup('localhost', { all: true })) {
      const host = family === 6 ? `[${address}]` : address;
      expect((await fetch(`${url.replace('localhost', host)}/health`)).status).toBe(200);
    }
  });

  it('is another port when the requested one is taken', async () => {
    const first = await startTestSes();
    const second = await startTestSes({ ports: [Number(new URL(first.url).port)] });
    await send(second.url);
    expect(await readStore(first.url)).toEqual({ emails: [] });
    expect(await readStore(second.url)).toMatchObject({ emails: [{}] });
  });

  it('reports an unusable directory in one line', async () => {
    const dataDirectory = temporaryDirectory();
    writeFileSync(join(dataDirectory, 'ses.sqlite'), 'no database, though long enough to look like one'.repeat(100));
    await expect(startSes({ dataDirectory })).rejects.toThrow(StartFailure);
    await expect(startSes({ dataDirectory })).rejects.toThrow(freshStart(dataDirectory));
  });
});
