import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../test/any-character.ts';
import { fillIn, type Values } from './fill-in.ts';

const values: Values = {
  to: '+8801700000000',
  toDigits: '8801700000000',
  from: 'Shop & Co',
  text: 'Hi "Zoë" {{to}} 100%\nনমস্কার',
  encoding: 'ucs2',
  messageId: 'm-1',
  reportUrl: 'https://api.example.com/callbacks/sms-reports/t',
};
const templates = { url: 'https://gateway.example/send', headers: {}, body: '' };
const everything = '{{to}}|{{toDigits}}|{{from}}|{{text}}|{{encoding}}|{{messageId}}|{{reportUrl}}';
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom('\ud800', 'a\udfffb', '\u2028'),
);

describe('fillIn', () => {
  it('percent-encodes values in the URL, so that they cannot change its parts', () => {
    const url = 'https://gateway.example/send?to={{to}}&text={{text}}&from={{from}}';
    fc.assert(
      fc.property(anyText, (text) => {
        const filled = new URL(fillIn({ ...templates, url }, { ...values, text }).url);
        expect([...filled.searchParams]).toEqual([
          ['to', values.to],
          ['text', text.toWellFormed()],
          ['from', values.from],
        ]);
        expect(filled.origin + filled.pathname + filled.hash).toBe('https://gateway.example/send');
      }),
    );
  });

  it.each(['application/json', 'application/vnd.gateway+json; charset=utf-8', undefined])(
    'escapes values in JSON (%s)',
    (contentType) => {
      const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType };
      const body = '{"messages":[{"to":"{{to}}","content":{"text":"{{text}}"}}],"callback":"{{reportUrl}}"}';
      fc.assert(
        fc.property(anyText, (text) => {
          const filled = fillIn({ ...templates, headers, body }, { ...values, text });
          expect(JSON.parse(filled.body)).toEqual({
            messages: [{ to: values.to, content: { text: text.toWellFormed() } }],
            callback: values.reportUrl,
          });
          expect(filled.headers['Content-Type']).toBe(contentType ?? 'application/json');
        }),
      );
    },
  );

  it.each(['application/x-www-form-urlencoded', undefined])('percent-encodes values in a form (%s)', (type) => {
    const headers: Record<string, string> = type === undefined ? {} : { 'Content-Type': type };
    fc.assert(
      fc.property(anyText, (text) => {
        const filled = fillIn({ ...templates, headers, body: 'number={{to}}&msg={{text}}' }, { ...values, text });
        expect([...new URLSearchParams(filled.body)]).toEqual([
          ['number', values.to],
          ['msg', text.toWellFormed()],
        ]);
        expect(filled.headers['Content-Type']).toBe('application/x-www-form-urlencoded');
      }),
    );
  });

  it('escapes values in XML, and drops characters that XML cannot contain', () => {
    const filled = fillIn(
      { ...templates, headers: { 'Content-Type': 'text/xml' }, body: '<sms to="{{to}}">{{text}}</sms>' },
      { ...values, text: '</sms>&"\'\u0000\u001f é' },
    );
    expect(filled.body).toBe('<sms to="+8801700000000">&#60;/sms&#62;&#38;&#34;&#39; é</sms>');
  });

  it('leaves plain text unchanged', () => {
    const headers = { 'Content-Type': 'text/plain' };
    expect(fillIn({ ...templates, headers, body: '{{text}}' }, values).body).toBe(values.text);
  });

  it('keeps values inside their header', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { headers } = fillIn({ ...templates, headers: { 'X-Text': 'a {{text}} b' } }, { ...values, text });
        expect(headers['X-Text']).toMatch(/^a [\x20-\x7e]* b$/);
      }),
    );
    const { headers } = fillIn(
      { ...templates, headers: { 'Idempotency-Key': '{{messageId}}', 'X-To': '{{to}}' } },
      values,
    );
    expect(headers).toEqual({ 'Idempotency-Key': 'm-1', 'X-To': '+8801700000000' });
  });

  it('fills each placeholder once, and none inside a value', () => {
    const headers = { 'Content-Type': 'text/plain' };
    const { body } = fillIn({ ...templates, headers, body: everything }, { ...values, text: '{{from}}' });
    expect(body).toBe(
      '+8801700000000|8801700000000|Shop & Co|{{from}}|ucs2|m-1|https://api.example.com/callbacks/sms-reports/t',
    );
  });

  it('leaves unknown placeholders unchanged', () => {
    expect(fillIn({ ...templates, body: '{"a":"{{constructor}}{{nothing}}"}' }, values).body).toBe(
      '{"a":"{{constructor}}{{nothing}}"}',
    );
  });
});
