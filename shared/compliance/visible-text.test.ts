import { expect, it } from 'vitest';
import { asRead, readReferences, visibleTextOf } from './visible-text.ts';

const read = (html: string) => asRead(visibleTextOf(html)).trim();

it.each([
  ['next&nbsp;of&#160;kin'],
  ['ne&#120;t &#x6F;f kin'],
  ['next o<!-- > -->f kin'],
  ['next o<!-->f kin'],
  ['ne<b></b>xt <a href="/x">o</a>f <span\nclass="x">k</span>in'],
  ['ne&shy;xt o\u200Bf k\u00ADin'],
  ['\uFF4E\uFF45\uFF58\uFF54 \uFF4F\uFF46 kin'],
  ['<p>NEXT</p><td>of</td>\n<br>kin<!-- the rest'],
])('%j reads as it is seen', (html) => {
  expect(read(html)).toContain('next of kin');
});

it.each([
  '<img alt="<!--"><p>next of kin</p>',
  '<!-- x --!><p>next of kin</p>',
  '<style><!--</style><p>next of kin</p><!-- -->',
  '<textarea><!--</textarea>next of kin-->',
])('what looks like a comment hides nothing: %j', (html) => {
  expect(read(html)).toContain('next of kin');
});

it('keeps tags apart that begin like those inside of words, and what is no tag', () => {
  expect(read('<article>next</article><aside>of</aside>kin 1 < 2')).toBe('next of kin 1 < 2 next of kin 1 < 2');
});

it('reads references but those of markup, and leaves what is none', () => {
  expect(readReferences('&lt;input&gt; &#60;b&#x3e; &amp;nbsp; &#1114112; &#9999999 &unknown; R&D')).toBe(
    '&lt;input&gt; &#60;b&#x3e; &nbsp; &#1114112; &#9999999 &unknown; R&D',
  );
});
