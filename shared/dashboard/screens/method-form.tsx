import { useState } from 'preact/hooks';
import { type GatewayCode, isGatewayCode, supportedGateways } from '../../checkout/supported-gateways.ts';
import type { AcceptanceMethod } from '../../client/admin.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Form, SelectField, TextField } from '../parts/form.tsx';
import { someTextIn, textIn } from '../parts/form-values.ts';
import { toast } from '../parts/toast.tsx';
import { sentence } from '../parts/words.tsx';
import type { Wish } from './method-changes.ts';

const gatewayNames: Readonly<Record<GatewayCode, string>> = {
  sim_card: 'Simulated card',
  sim_wallet: 'Simulated wallet',
  sim_bank: 'Simulated bank',
  sslcommerz: 'SSLCommerz',
  bkash: 'bKash',
};

const codes = Object.keys(supportedGateways).filter(isGatewayCode);

/** `storePassword` as words. */
const wordsOf = (name: string): string => sentence(name.replace(/([A-Z])/g, ' $1'));

interface Props {
  readonly method?: AcceptanceMethod;
  readonly isLive: boolean;
  readonly onClose: () => void;
  readonly onSave: (wish: Omit<Wish, 'sortOrder'>) => Promise<void>;
}

/** Adds or changes a payment method. Stored credentials are never shown, only replaced. */
export const MethodForm = ({ method, isLive, onClose, onSave }: Props) => {
  const choices = codes.filter((code) => !isLive || !supportedGateways[code].isSimulator);
  const [code, setCode] = useState<GatewayCode>(method?.gatewayCode ?? choices[0] ?? 'sim_card');
  const names: readonly string[] = supportedGateways[code].credentials;
  return (
    <Dialog title={method ? 'Edit payment method' : `Add a ${isLive ? 'live' : 'test'} method`} onClose={onClose}>
      <Form
        submit={method ? 'Save' : 'Add method'}
        onCancel={onClose}
        onSubmit={async (values) => {
          const given = names.flatMap((name) => {
            const text = someTextIn(values, `credentials.${name}`);
            return text === undefined ? [] : [[name, text] as const];
          });
          const displayLabelBn = someTextIn(values, 'displayLabelBn');
          await onSave({
            ...(method && { acceptanceMethodId: method.acceptanceMethodId }),
            gatewayCode: code,
            displayLabel: textIn(values, 'displayLabel'),
            ...(displayLabelBn && { displayLabelBn }),
            livemode: isLive,
            enabled: method?.enabled ?? true,
            ...(given.length > 0 && { credentials: Object.fromEntries(given) }),
          });
          toast(method ? 'The method was changed' : 'The method was added');
          return onClose;
        }}
      >
        {method ? null : (
          <SelectField
            name="gatewayCode"
            label="Gateway"
            value={code}
            choices={choices.map((each) => [each, gatewayNames[each]])}
            onInput={(value) => isGatewayCode(value) && setCode(value)}
          />
        )}
        <TextField
          name="displayLabel"
          label="Label"
          value={method?.displayLabel}
          hint="What the customer chooses, for example Card."
        />
        <TextField
          name="displayLabelBn"
          label="Label in Bangla"
          value={method?.displayLabelBn}
          hint="On pages in Bangla. Without it, they show the other label."
          isOptional
        />
        {names.map((name) => (
          <TextField
            key={name}
            name={`credentials.${name}`}
            label={wordsOf(name)}
            type="password"
            autoComplete="new-password"
            isOptional={method?.hasCredentials ?? false}
          />
        ))}
        {names.length > 0 && method?.hasCredentials ? (
          <p class="small quiet">
            Credentials are stored and cannot be shown. Leave these fields empty to keep them, or fill in all of them.
          </p>
        ) : null}
      </Form>
    </Dialog>
  );
};
