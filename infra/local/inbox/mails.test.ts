import { describe, expect, it } from 'vitest';
import { send, startTestSes } from '../emulators/ses-fixture.ts';

const read = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('the list', () => {
  it('explains its purpose while there is no mail', async () => {
    const { url } = await startTestSes();
    const { status, text, headers } = await read(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain('No emails yet');
    expect(text).toContain('<html lang="en">');
  });

  it('shows the newest mail first, each with a link to it', async () => {
    const { url } = await startTestSes();
    const older = await send(url, { subject: 'Older' });
    const newer = await send(url, { subject: 'Newer', to: 'bob@example.org' });
    const { text } = await read(url);
    expect(text.indexOf(`href="/mails/${newer}"`)).toBeGreaterThan(0);
    expect(text.indexOf(`href="/mails/${older}"`)).toBeGreaterThan(text.indexOf(`href="/mails/${newer}"`));
    expect(text).toContain('<bdi>bob@example.org</bdi>');
  });

  it('is narrowed to mails that contain all words of a search, in any letter case and with no wildcards', async () => {
    const { url } = await startTestSes();
    const invoice = await send(url, { subject: 'Your Invoice', text: '100% paid', to: 'ada@example.org' });
    const other = await send(url, { subject: 'Your invoice', html: '<b>Unpaid</b>', to: 'bob@example.org' });
    const found = async (search: string) => {
      const { text } = await read(`${url}/?${new URLSearchParams({ search })}`);
      return [invoice, other].filter((id) => text.includes(`id="mail-${id}"`));
    };
    expect(await found('invoice')).toEqual([invoice, other]);
    expect(await found('INVOICE ada@')).toEqual([invoice]);
    expect(await found('unpaid')).toEqual([other]);
    expect(await found('0% paid')).toEqual([invoice]);
    expect(await found('i_voice')).toEqual([]);
    expect(await found(other)).toEqual([other]);
  });

  it('answers 304 until something is written', async () => {
    const { url } = await startTestSes();
    const etag = (await read(url)).headers.get('etag') ?? '';
    const again = () => fetch(url, { headers: { 'if-none-match': etag } });
    expect((await again()).status).toBe(304);
    await send(url);
    expect((await again()).status).toBe(200);
  });
});

it('serves additional routes, and links to the phones', async () => {
  const { url } = await startTestSes({ routes: { 'GET /phones': () => ({ status: 200, body: 'phones' }) } });
  expect((await read(`${url}/phones`)).text).toBe('phones');
  expect((await read(url)).text).toContain('<a href="/phones">Phones</a>');
});

describe('a mail', () => {
  it('shows its sender, recipients, subject, time, text and headers, and links to its source', async () => {
    const { url } = await startTestSes();
    const messageId = await send(
      url,
      { cc: 'cy@example.org', text: 'Café & more', headers: { 'List-Unsubscribe': '<https://example.com/u>' } },
      { Tags: [{ Name: 'order', Value: '17' }] },
    );
    const views = await Promise.all(
      ['text', 'headers', 'source'].map(async (view) => (await read(`${url}/mails/${messageId}?view=${view}`)).text),
    );
    const text = views.join('');
    for (const shown of [
      '<h1 tabindex="-1"><bdi>Hello</bdi></h1>',
      '<dt>From</dt><dd><bdi>&quot;Shop&quot; &lt;shop@example.com&gt;</bdi></dd>',
      '<dt>To</dt><dd><bdi>ada@example.org</bdi></dd>',
      '<dt>Cc</dt><dd><bdi>cy@example.org</bdi></dd>',
      '<dt>Tags</dt><dd><bdi>order=17</bdi></dd>',
      '<pre tabindex="0">Café &amp; more\n</pre>',
      '<dt>List-Unsubscribe</dt><dd><bdi>&lt;https://example.com/u&gt;</bdi></dd>',
      `<a href="/store/${messageId}/raw" download="${messageId}.eml">`,
      'List-Unsubscribe: &lt;https://example.com/u&gt;',
    ])
      expect(text).toContain(shown);
    expect(text).toMatch(/<time datetime="[^"]+">\d+ \w+ \d{4}, [\d:]{8} [\w+:-]+<\/time>/);
    expect(text).not.toContain('<iframe');
  });

  it('shows its HTML in a sandboxed frame, inline images in it', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, {
      html: `<p style="background:url(cid:logo@shop)"><img src="cid:logo@shop"><img src='CID:logo%40shop'><img src="cid:none">`,
      attachments: [{ filename: 'logo.png', content: Buffer.from('png'), cid: 'logo@shop' }],
    });
    const { text: pageText } = await read(`${url}/mails/${messageId}`);
    expect(pageText).toContain(
      `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="The email as HTML" src="/mails/${messageId}/html">`,
    );

    const { headers, text } = await read(`${url}/mails/${messageId}/html`);
    const image = 'data:image/png;base64,cG5n';
    expect(text).toContain(
      `<base target="_blank"><p style="background:url(${image})"><img src="${image}"><img src='${image}'><img src="cid:none">`,
    );
    expect(headers.get('content-security-policy')).toMatch(
      /^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:;/,
    );
  });

  it('shows each inline image that its HTML refers to, in any spelling of its Content-ID', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, {
      html: `<img src="cid:A&amp;b@shop"><img src=cid:a%26B%40shop><p style="background:url(&quot;cid:a&b@shop&quot;)"><img src="cid:b@shop.example"><img src="cid:A">`,
      attachments: [
        { filename: 'two.png', content: Buffer.from('two'), cid: 'a' },
        { filename: 'one.png', content: Buffer.from('png'), cid: 'a&b@shop' },
        { filename: 'three.png', content: Buffer.from('three'), cid: 'b@shop' },
      ],
    });
    const { text } = await read(`${url}/mails/${messageId}/html`);
    const [one, two] = ['data:image/png;base64,cG5n', 'data:image/png;base64,dHdv'];
    expect(text).toContain(
      `<img src="${one}"><img src=${one}><p style="background:url(&quot;${one}&quot;)"><img src="cid:b@shop.example"><img src="${two}">`,
    );
  });

  it('lists the web links of its HTML, and no others', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, {
      html: '<a href="https://example.com/?a=1&amp;b=2">a</a> <a href="javascript:alert(1)">b</a>',
    });
    const { text } = await read(`${url}/mails/${messageId}?view=links`);
    expect(text).toContain('<a href="https://example.com/?a=1&amp;b=2" rel="noreferrer" target="_blank">');
    expect(text).not.toContain('javascript:');
  });

  it('loads remote pictures only when asked', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, { html: '<!doctype html><img src="https://example.com/p.png">' });
    const policyOf = async (query: string) =>
      (await read(`${url}/mails/${messageId}/html${query}`)).headers.get('content-security-policy');
    expect(await policyOf('')).toContain("default-src 'none'; img-src data:; ");
    expect(await policyOf('?pictures=on')).toContain("default-src 'none'; img-src data: https: http:; ");
    const offers = async (query: string) =>
      (await read(`${url}/mails/${messageId}${query}`)).text.includes('Show remote pictures');
    expect([await offers(''), await offers('?pictures=on')]).toEqual([true, false]);
  });

  it('keeps its doctype before the base that opens links in a tab of their own', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, { html: '<!DOCTYPE html><p>Hi' });
    const { text } = await read(`${url}/mails/${messageId}/html`);
    expect(text.trim()).toBe('<!DOCTYPE html><base target="_blank"><p>Hi');
  });

  it('offers its attachments for download, never for display', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url, {
      attachments: [{ filename: "It's café.html", content: '<script>alert(1)</script>', contentType: 'text/html' }],
    });
    const { text: pageText } = await read(`${url}/mails/${messageId}?view=files`);
    expect(pageText).toContain(
      `<a href="/mails/${messageId}/attachments/0" download><bdi>It&#39;s café.html</bdi></a>`,
    );

    const { headers, text } = await read(`${url}/mails/${messageId}/attachments/0`);
    expect(text).toBe('<script>alert(1)</script>');
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''It%27s%20caf%C3%A9.html");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is inert when every field is hostile', async () => {
    const { url } = await startTestSes();
    const attack = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
    const messageId = await send(url, {
      from: { name: attack, address: 'shop@example.com' },
      to: { name: attack, address: 'ada@example.org' },
      replyTo: { name: attack, address: 'shop@example.com' },
      subject: attack,
      text: `</pre>${attack}`,
      html: `<a href='https://example.com/"onclick="alert(1)'>a</a></iframe>${attack}`,
      headers: { 'X-Attack': attack },
      attachments: [{ filename: attack, content: 'x' }],
    });
    const views = ['html', 'text', 'links', 'files', 'headers', 'source'];
    for (const path of [
      '/',
      ...views.map((view) => `/mails/${messageId}?view=${view}&search=${encodeURIComponent(attack)}`),
    ]) {
      const { headers, text } = await read(url + path);
      expect(text).toContain('&lt;script&gt;alert(1)');
      expect(text.replace('<script type="module" src="/inbox.js"></script>', '')).not.toMatch(/<script|<img|"onclick/i);
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'self'; script-src 'self';/,
      );
    }
  });

  it.each(['/mails/none', '/mails/none/html', '/mails/%zz', '/store/none/raw', '/nowhere'])(
    '404 for %s',
    async (path) => {
      const { url } = await startTestSes();
      expect((await fetch(url + path)).status).toBe(404);
    },
  );

  it('404 for an attachment that it does not have', async () => {
    const { url } = await startTestSes();
    const messageId = await send(url);
    expect((await fetch(`${url}/mails/${messageId}/attachments/0`)).status).toBe(404);
  });
});
