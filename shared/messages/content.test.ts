import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentOf } from './content.ts';

const filledText = (text: string, variables: Record<string, string>) =>
  contentOf('email', { subject: 's', text }, undefined, variables).text;
const filledHtml = (html: string, variables: Record<string, string>) =>
  contentOf('email', { subject: 's', html }, undefined, variables).html;
const filledSubject = (subject: string, variables: Record<string, string>) =>
  contentOf('email', { subject, text: 't' }, undefined, variables).subject;

const braceless = fc.string({ unit: 'grapheme' }).filter((text) => !/[{}]/.test(text));
const name = braceless.map((text) => text.trim()).filter(Boolean);
const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0'), maxLength: 3 });

describe('placeholders', () => {
  it.each([
    ['Hi {{name}}!', 'Hi Ada!'],
    ['{{name}}{{name}}', 'AdaAda'],
    ['{{ name }} {{\tname\n}}', 'Ada Ada'],
    ['{{{name}}}', '{Ada}'],
    ['{{first name}}', 'Augusta'],
    ['{{Name}} {{nam}} {{}} {{ }}', '{{Name}} {{nam}} {{}} {{ }}'],
    ['{name} {{name} {name}} {{na{me}}', '{name} {{name} {name}} {{na{me}}'],
    ['{{name}', '{{name}'],
    ['{{$name}} {{a.b}}', '{{$name}} {{a.b}}'],
    ['{{empty}}.', '.'],
  ])('%j becomes %j', (text, filled) => {
    expect(filledText(text, { name: 'Ada', 'first name': 'Augusta', empty: '' })).toBe(filled);
  });

  it('are filled wherever they are named, with any blanks', () => {
    const part = fc.oneof(braceless, fc.tuple(name, blanks, blanks));
    fc.assert(
      fc.property(fc.array(part), fc.dictionary(name, fc.string()), (parts, variables) => {
        const text = parts.map((piece) =>
          typeof piece === 'string' ? piece : `{{${piece[1]}${piece[0]}${piece[2]}}}`,
        );
        const filled = parts.map((piece, n) =>
          typeof piece === 'string' ? piece : Object.hasOwn(variables, piece[0]) ? variables[piece[0]] : text[n],
        );
        expect(filledText(`.${text.join('')}`, variables)).toBe(`.${filled.join('')}`);
      }),
    );
  });

  it('are not looked for in values', () => {
    expect(filledText('{{a}}', { a: '{{b}}', b: 'never' })).toBe('{{b}}');
    expect(filledText('{{a}}{{b}}', { a: '{', b: '{a}}' })).toBe('{{a}}');
    fc.assert(fc.property(fc.string(), (value) => filledText('.{{a}}', { a: `{{a}}${value}` }) === `.{{a}}${value}`));
  });

  it('take no special meaning from a value', () => {
    expect(filledText('{{a}}', { a: "$& $1 $$ $` $'" })).toBe("$& $1 $$ $` $'");
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '{{%s}} stays without a value of its own',
    (inherited) => {
      expect(filledText(`{{${inherited}}}`, {})).toBe(`{{${inherited}}}`);
      expect(filledText(`{{${inherited}}}`, JSON.parse(`{"${inherited}":"mine"}`))).toBe('mine');
    },
  );

  it('leave a text without them as it is', () => {
    fc.assert(fc.property(braceless, (text) => filledText(`.${text}`, { a: 'x' }) === `.${text}`));
  });
});

describe('values', () => {
  it('are escaped in HTML', () => {
    expect(filledHtml('<b>{{a}}</b>', { a: `<img src="x" onerror='y'>&amp;` })).toBe(
      '<b>&lt;img src=&quot;x&quot; onerror=&#39;y&#39;&gt;&amp;amp;</b>',
    );
    fc.assert(fc.property(fc.string(), (a) => !/[<>"']/.test(filledHtml('.{{a}}', { a }) ?? '')));
  });

  it('lose their line breaks in the subject', () => {
    expect(filledSubject('Hi {{a}}', { a: 'Ada\r\nBcc: eve@example.com\n\0!' })).toBe('Hi AdaBcc: eve@example.com !');
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\r', '\n', '\0', 'a', ':') }),
        (a) => !/[\r\n\0]/.test(filledSubject('.{{a}}', { a }) ?? ''),
      ),
    );
  });

  it('are as they are in text', () => {
    expect(filledText('{{a}}', { a: '<b>\r\n\u0000 "ü"' })).toBe('<b>\r\n\u0000 "ü"');
  });
});

describe('contentOf', () => {
  const template = { subject: 'Template {{x}}', html: '<p>{{x}}</p>', text: 'template {{x}}' };

  it('takes each field that is not blank from the message, or else from the template, and fills both', () => {
    const inline = { subject: 'Own {{x}}', html: ' ', text: '' };
    expect(contentOf('email', inline, template, { x: '&' })).toEqual({
      subject: 'Own &',
      html: '<p>&amp;</p>',
      text: 'template &',
    });
  });

  it.each([
    [{ subject: 's', text: 't' }, undefined],
    [{ subject: 's', html: 'h' }, undefined],
    [{}, 'subject: is required; html or text: at least one is required'],
    [{ subject: ' ', text: 't' }, 'subject: is required'],
    [{ subject: 's' }, 'html or text: at least one is required'],
    [{ subject: '{{x}}', text: 't' }, 'subject: must not be blank with its variables expanded'],
    [{ subject: 's', html: '{{x}}', text: '{{ x }}' }, 'html or text: must not be blank with its variables expanded'],
    [{ html: '{{x}}' }, 'subject: is required; html or text: must not be blank with its variables expanded'],
  ])('an email of %j: %s', (inline, message) => {
    const compose = () => contentOf('email', inline, undefined, { x: '' });
    if (message === undefined) expect(compose()).toMatchObject(inline);
    else expect(compose).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });

  it.each(['sms', 'whatsapp'] as const)('%s needs text, and says nothing else', (channel) => {
    const others = { subject: '{{x}}', html: '{{x}}' };
    expect(contentOf(channel, { ...others, text: 't' }, others, { x: 'x'.repeat(9_000_000) })).toEqual({ text: 't' });
    expect(() => contentOf(channel, others, undefined)).toThrow('text: is required');
    expect(() => contentOf(channel, {}, { text: '{{x}}' }, { x: ' ' })).toThrow(
      'text: must not be blank with its variables expanded',
    );
  });

  it.each([
    ['sms', 'x', 1_530, 'text: must be at most 10 segments with its variables expanded'],
    ['sms', 'অ', 670, 'text: must be at most 10 segments with its variables expanded'],
    ['sms', '€', 760, 'text: must be at most 10 segments with its variables expanded'],
    ['whatsapp', '😀', 4_096, 'text: must be at most 4096 characters with its variables expanded'],
  ] as const)('%s of %s may be %i characters long, and no more', (channel, letter, most, message) => {
    const of = (count: number) => contentOf(channel, { text: '{{x}}' }, undefined, { x: letter.repeat(count) });
    expect(of(most).text).toBe(letter.repeat(most));
    expect(() => of(most + 1)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });

  it('leaves out a part that is empty once filled', () => {
    expect(contentOf('email', { subject: 's', html: '{{x}}', text: 't' }, undefined, { x: '' }).html).toBeUndefined();
  });

  it.each(['html', 'text'] as const)('lets the values in %s have 1,500,000 characters, and not one more', (field) => {
    const of = (count: number) =>
      contentOf('email', { subject: 's', [field]: `${'{{x}}'.repeat(10)}{{y}}` }, undefined, {
        x: 'অ'.repeat(Math.floor(count / 10)),
        y: 'অ'.repeat(count % 10),
      });
    expect(of(1_500_000)[field]).toHaveLength(1_500_000);
    const message = 'variables: the expanded message is too long';
    expect(() => of(1_500_001)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });

  it('lets a subject grow to 500 characters by its variables, and not to one more', () => {
    const of = (count: number) =>
      contentOf('email', { subject: '{{x}}', text: 't' }, undefined, { x: '😀'.repeat(count) });
    expect([...(of(500).subject ?? '')].length).toBe(500);
    expect(() => of(501)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

describe('hostile texts', () => {
  it.each(['{', '{{', '{{a', '{{ ', '{{a}', '}}', '{{a ', '{{a}}', '{{\n'])(
    'a megabyte of %j is filled in linear time',
    (piece) => {
      // Quadratic time would exceed the time limit of the test.
      const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
      expect(filledText(text, { b: 'x' })).toBe(text);
      expect(filledText(`{{${text.replaceAll(/[{}]/g, ' ')}`, {})?.length).toBe(text.length + 2);
    },
  );

  it('400 refuses a long value that is named very often, before it fills the memory', () => {
    const bomb = () => filledText('{{a}}'.repeat(200_000), { a: 'x'.repeat(1_000_000) });
    expect(bomb).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('variables') }),
    );
  });

  it('a value that shrinks is shaped once, however often it is named', () => {
    expect(filledSubject(`x${'{{a}}'.repeat(100)}`, { a: '\t'.repeat(1_000_000) })).toBe(`x${' '.repeat(100)}`);
  });
});
