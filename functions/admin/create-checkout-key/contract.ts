import * as z from 'zod';
import { keyLimit } from '../../../shared/accounts/raised-limit.ts';
import { checkoutKey, checkoutKeyKinds, checkoutKeyLimits } from '../../../shared/checkout/checkout-key.ts';
import { contract } from '../../../shared/http/contract.ts';
import { withRules } from '../../../shared/http/fields.ts';
import { line } from '../../../shared/kit/line.ts';

const fields = checkoutKeyLimits.extend({
  kind: z.enum(checkoutKeyKinds),
  livemode: z.boolean(),
  name: line(z.string().trim().min(1).max(100)),
  rateLimitPerMinute: keyLimit,
});

const key = z.string().meta({ examples: [`sk_test_${'0123456789abcdef'.repeat(4)}`] });
const limitNames = checkoutKeyLimits.keyof().options;

export const createCheckoutKeyContract = contract({
  summary: 'Create a checkout key; the key is shown only in this response',
  example: { kind: 'secret', livemode: false, name: 'Shop, test' },
  status: 201,
  path: z.object({ id: z.string() }),
  body: withRules(
    fields,
    limitNames.map((field) => ({
      field,
      what: 'is allowed for publishable keys only',
      isBroken: (body) => body.kind === 'secret' && body[field] !== undefined,
    })),
  ),
  reply: checkoutKey.extend({ key, secret: key.describe('The same as `key`.') }),
  refuses: ['invalid_request', 'account_not_found'],
});
