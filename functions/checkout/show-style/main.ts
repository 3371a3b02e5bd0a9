import { style } from '../../../shared/checkout/page/style.ts';
import { page } from '../../../shared/http/page.ts';

export const handler = page({ type: 'text/css', text: style, isVersioned: true });
