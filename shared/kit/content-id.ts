import { patternOf } from './pattern-of.ts';

/**
 * A pattern of the URLs in HTML that refer to the file with this Content-ID. The id in a URL may be percent-encoded (RFC 2392), and its `&` escaped in
 * HTML. A longer id that begins with it is another one.
 */
export const referencesTo = (cid: string): RegExp => {
  const forms = [cid, encodeURIComponent(cid), cid.replaceAll('&', '&amp;')].map(patternOf);
  return new RegExp(String.raw`cid:(?:${forms.join('|')})(?![\w%+.@-])`, 'gi');
};
