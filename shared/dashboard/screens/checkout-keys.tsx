import type { CheckoutKey } from '../../client/admin.ts';
import { adminApi } from '../apis.ts';
import { money } from '../parts/amount.ts';
import { type Column, pageOf } from '../parts/list.tsx';
import { Empty } from '../parts/trouble.tsx';
import { grouped, sentence } from '../parts/words.tsx';
import { mayBuild, useAccount } from '../session.ts';
import { CreateCheckoutKey } from './checkout-key-form.tsx';
import { KeyScreen } from './key-screen.tsx';

/** A key has no currency of its own: sessions have no other. */
const onlyCurrency = 'BDT';

/** What a publishable key may do; a secret key has no such limits. */
const limitsOf = ({ allowedOrigins, redirectHosts, maxAmountMinor, rateLimitPerMinute }: CheckoutKey): string =>
  [
    `${grouped(rateLimitPerMinute)} a minute`,
    ...(allowedOrigins ?? []),
    ...(redirectHosts ?? []).map((host) => `to ${host}`),
    ...(maxAmountMinor === undefined ? [] : [`up to ${money(maxAmountMinor, onlyCurrency)}`]),
  ].join(', ');

const columns: readonly Column<CheckoutKey>[] = [
  { label: 'Kind', cell: ({ kind }) => <span class="nowrap">{sentence(kind)}</span> },
  { label: 'Mode', cell: ({ livemode }) => (livemode ? 'Live' : 'Test') },
  { label: 'Limits', cell: limitsOf },
];

export const CheckoutKeys = () => {
  const account = useAccount();
  return (
    <KeyScreen<CheckoutKey>
      title="Checkout keys"
      intro="Secret keys are for your servers. Publishable keys are for pages, and only create sessions."
      what="key"
      hasStatus
      mayChange={mayBuild(account)}
      read={async (query) =>
        pageOf(await adminApi.call('GET /accounts/{id}/checkout-keys', { path: { id: account.id }, query }))
      }
      columns={columns}
      revoke={(keyId) => adminApi.call('DELETE /checkout-keys/{keyId}', { path: { keyId } })}
      empty={<Empty title="No keys yet">Create a test key, and make a first session with it.</Empty>}
      creating={(dialog) => <CreateCheckoutKey {...dialog} />}
    />
  );
};
