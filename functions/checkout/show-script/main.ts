import { script, scriptVersion } from '../../../shared/checkout/page/script.ts';
import { pageFor } from '../../../shared/http/page.ts';

// While a deployment runs, a page of the one release may ask the function of the other.
export const handler = pageFor(({ v }) => ({
  type: 'text/javascript',
  text: script,
  isVersioned: v === scriptVersion,
}));
