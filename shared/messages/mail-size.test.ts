import { describe, expect, it } from 'vitest';
import { mimeOf } from '../providers/email/mime.ts';
import { checkMailSize, leastMailBytes } from './mail-size.ts';

const mail = {
  ...{ messageId: 'm', accountId: 'a', from: { address: 'hello@example.com', name: undefined } },
  ...{ to: 'ada@example.com', replyTo: undefined, subject: 's' },
};

const words = 'Dear Ada, your order has been sent; it will be with you in two or three days, as a rule. ';

describe('the size of an email', () => {
  it.each([
    ['short lines', `${words.slice(0, 70)}\n`.repeat(1_000)],
    ['short lines that are many', `${words.slice(0, 70)}\n`.repeat(4_000)],
    ['line breaks of all kinds', 'one\rtwo\nthree\r\n'.repeat(30_000)],
    ['long lines', `${words.repeat(50)}\n`.repeat(100)],
    ['one line', 'x'.repeat(500_000)],
    ['equals signs', `${'a='.repeat(100)}\n`.repeat(2_000)],
    ['equals signs alone', '='.repeat(300_000)],
    ['equals signs in short lines', '=a\n'.repeat(30_000)],
    ['some letters that are not ASCII', `${words.repeat(5)}Grüße, 名\n`.repeat(500)],
    ['few letters that are ASCII', 'আপনার অর্ডার পাঠানো হয়েছে, a '.repeat(10_000)],
    ['few letters that are ASCII, in short lines', 'আপনার অর্ডার\na\n'.repeat(10_000)],
    ['lines whose ends make them too many to be sent as they are', `${'a='.repeat(20)}\n`.repeat(3_150)],
    ['emoji', `${words}😀\n`.repeat(3_000)],
    ['tabs and control characters', `\t${words}\x7f\x01\n`.repeat(3_000)],
    ['blanks at the ends of lines', `${words.repeat(3)}  \n`.repeat(2_000)],
  ])('is that of its encoded bytes, or at most 1% less, with %s', (_, written) => {
    const content = { subject: 's', html: written, text: written };
    const attachments = [{ filename: 'a.bin', content: Buffer.alloc(1_000) }];
    const sent = mimeOf({ ...mail, ...content, attachments }).length;
    const headers = mimeOf({ ...mail, ...{ subject: 's', html: 'x', text: 'x' }, attachments }).length;
    const least = leastMailBytes(content, attachments);
    expect(least).toBeLessThanOrEqual(sent);
    expect(least).toBeGreaterThan(0.99 * (sent - headers));
  });

  it('is refused where only its encoding makes it too large', () => {
    const content = (text: string) => ({ subject: 's', html: undefined, text });
    expect(() => checkMailSize(content('a=b '.repeat(1_600_000)), [])).not.toThrow();
    expect(() => checkMailSize(content('a=b '.repeat(1_700_000)), [])).toThrow('html, text, attachments: ');
  });
});
