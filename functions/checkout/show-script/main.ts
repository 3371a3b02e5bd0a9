import { script } from '../../../shared/checkout/page/script.ts';
import { page } from '../../../shared/http/page.ts';

export const handler = page({ type: 'text/javascript', text: script, isVersioned: true });
