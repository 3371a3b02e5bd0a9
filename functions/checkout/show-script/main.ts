import { script } from '../../../shared/checkout/page/script.ts';
import { pageFor } from '../../../shared/http/page.ts';

// Pages have their script in them. Those of the release before, which payers have open during an upgrade, load it; and to remove a route takes a step by hand.
export const handler = pageFor(() => ({ type: 'text/javascript', text: script }));
