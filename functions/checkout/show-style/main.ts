import { colorIn, styleWith } from '../../../shared/checkout/page/style.ts';
import { pageFor } from '../../../shared/http/page.ts';

export const handler = pageFor((query) => ({ type: 'text/css', text: styleWith(colorIn(query)), isVersioned: true }));
