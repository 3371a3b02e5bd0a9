import { colorIn, styleVersion, styleWith } from '../../../shared/checkout/page/style.ts';
import { pageFor } from '../../../shared/http/page.ts';

// While a deployment runs, a page of the one release may ask the function of the other.
export const handler = pageFor((query) => ({
  type: 'text/css',
  text: styleWith(colorIn(query)),
  isVersioned: query['v'] === styleVersion,
}));
