import { useState } from 'preact/hooks';
import { adminApi } from '../apis.ts';
import { minorIn } from '../parts/amount.ts';
import { CheckFields, SelectField, TextField } from '../parts/form.tsx';
import { FieldError, linesIn, someTextIn, textIn } from '../parts/form-values.ts';
import { SecretDialog } from '../parts/secret.tsx';
import { useAccount } from '../session.ts';
import { RateLimitField, rateLimitIn } from './rate-limit-field.tsx';

interface Props {
  readonly onClose: () => void;
  readonly onCreated: () => void;
}

/** The limits of a publishable key: each is left out where its field is empty. */
const limitsIn = (values: FormData) => {
  const [origins, hosts] = [linesIn(values, 'allowedOrigins'), linesIn(values, 'redirectHosts')];
  const typed = someTextIn(values, 'maxAmountMinor');
  const maxAmountMinor = typed === undefined ? undefined : minorIn(typed);
  if (typed !== undefined && !maxAmountMinor)
    throw new FieldError('maxAmountMinor', 'must be an amount such as 500.00');
  return {
    ...(origins.length > 0 && { allowedOrigins: origins }),
    ...(hosts.length > 0 && { redirectHosts: hosts }),
    ...(maxAmountMinor && { maxAmountMinor }),
  };
};

/** Creates a key of the checkout, and shows it once. */
export const CreateCheckoutKey = ({ onClose, onCreated }: Props) => {
  const { id } = useAccount();
  const [kind, setKind] = useState<'secret' | 'publishable'>('secret');
  return (
    <SecretDialog
      title="Create a checkout key"
      submit="Create key"
      what="key"
      remedy="If the key is in the list, revoke it and create another one."
      onLost={onCreated}
      onClose={onClose}
      onSubmit={async (values) => {
        const body = {
          name: textIn(values, 'name'),
          kind,
          livemode: textIn(values, 'livemode') === 'true',
          ...rateLimitIn(values),
          ...(kind === 'publishable' && limitsIn(values)),
        };
        const { data } = await adminApi.call('POST /accounts/{id}/checkout-keys', { path: { id }, body });
        onCreated();
        return data.key;
      }}
    >
      <TextField name="name" label="Name" hint="Where it is used, for example Shop." />
      <SelectField
        name="kind"
        label="Kind"
        value={kind}
        choices={[
          ['secret', 'Secret: for servers, may do everything'],
          ['publishable', 'Publishable: for pages, creates sessions only'],
        ]}
        onInput={(value) => setKind(value === 'publishable' ? 'publishable' : 'secret')}
      />
      <CheckFields
        name="livemode"
        label="Mode"
        isSingle
        choices={[
          ['false', 'Test', 'No money moves'],
          ['true', 'Live', 'Customers really pay'],
        ]}
        checked={['false']}
      />
      <RateLimitField />
      {kind === 'publishable' ? <LimitFields /> : null}
    </SecretDialog>
  );
};

const LimitFields = () => (
  <>
    <TextField
      name="allowedOrigins"
      label="Origins"
      rows={2}
      isOptional
      isCode
      placeholder="https://shop.example"
      hint="The pages that may use it, one per line. Empty: any."
    />
    <TextField
      name="redirectHosts"
      label="Hosts to return to"
      rows={2}
      isOptional
      isCode
      placeholder="shop.example"
      hint="The hosts that successUrl and cancelUrl may have, one per line. Empty: any."
    />
    <TextField
      name="maxAmountMinor"
      label="Highest amount"
      inputMode="decimal"
      isOptional
      hint="The most that a session of this key may ask for, for example 500.00."
    />
  </>
);
