import type { ComponentChildren, ComponentProps, ComponentType } from 'preact';
import type { Account } from '../../client/admin.ts';
import { CheckFields, SelectField, TextField } from '../parts/form.tsx';
import { isOn, linesIn, someTextIn, textIn } from '../parts/form-values.ts';
import { useAccount } from '../session.ts';
import { quietHoursIn } from './quiet-hours.ts';
import { type Changes, changed } from './setting-card.ts';

/** Settings that are saved together: their fields, and what these change. */
export interface Group {
  readonly title: string;
  readonly isOperators?: boolean;
  readonly Fields: ComponentType<{ readonly account: Account }>;
  readonly read: (values: FormData, account: Account) => Changes;
}

const Switch = ({
  name,
  label,
  isOn: on,
}: {
  readonly name: string;
  readonly label: string;
  readonly isOn: boolean;
}) => <CheckFields name={name} choices={[['true', label]]} checked={on ? ['true'] : []} />;

/** How a field is that an account may not decide on itself. Others than operators can read it. */
const useOperatorsField = <Props extends { readonly hint?: ComponentChildren }>(props: Props) => {
  const isFixed = useAccount().role !== 'operator';
  return { ...props, isFixed, hint: isFixed ? 'Operators of the platform set this.' : props.hint };
};

const OperatorsText = (props: ComponentProps<typeof TextField>) => <TextField {...useOperatorsField(props)} />;

const OperatorsSelect = (props: ComponentProps<typeof SelectField>) => <SelectField {...useOperatorsField(props)} />;

const general: Group = {
  title: 'General',
  Fields: ({ account }) => (
    <>
      <TextField name="name" label="Name" value={account.name} hint="Customers see it on the payment page." />
      <TextField
        name="adminEmails"
        label="Who is notified"
        rows={2}
        isOptional
        value={account.adminEmails.join('\n')}
        hint="Email addresses, one per line. They are notified when a webhook is paused, for example."
      />
    </>
  ),
  read: (values, account) =>
    changed({ name: textIn(values, 'name'), adminEmails: linesIn(values, 'adminEmails') }, account),
};

const email: Group = {
  title: 'Email',
  Fields: ({ account: { email: own } }) => (
    <>
      <div class="row">
        <TextField
          name="email.fromAddress"
          label="Sender address"
          type="email"
          isOptional
          value={own.fromAddress ?? ''}
        />
        <TextField name="email.fromName" label="Sender name" isOptional value={own.fromName ?? ''} />
      </div>
      <OperatorsText
        name="email.verifiedDomains"
        label="Verified domains"
        rows={2}
        isOptional
        isCode
        value={own.verifiedDomains.join('\n')}
        hint="Domains that senders may use, one per line."
      />
      <Switch name="listUnsubscribe" label="Offer “Unsubscribe” in mail programs" isOn={own.listUnsubscribe} />
    </>
  ),
  read: (values, account) => ({
    email: changed(
      {
        fromAddress: someTextIn(values, 'email.fromAddress') ?? null,
        fromName: someTextIn(values, 'email.fromName') ?? null,
        ...(values.has('email.verifiedDomains') && { verifiedDomains: linesIn(values, 'email.verifiedDomains') }),
        listUnsubscribe: isOn(values, 'listUnsubscribe'),
      },
      account.email,
    ),
  }),
};

const sms: Group = {
  title: 'Sms',
  Fields: ({ account: { sms: own } }) => (
    <div class="row">
      <OperatorsText name="sms.sender" label="Sender" value={own.sender} />
      <OperatorsSelect
        name="sms.senderKind"
        label="Kind"
        value={own.senderKind}
        choices={[
          ['masked', 'Masked: a name'],
          ['non_masked', 'Not masked: a number'],
        ]}
      />
    </div>
  ),
  read: (values, account) => ({
    sms: changed(
      {
        ...(values.has('sms.sender') && { sender: textIn(values, 'sms.sender') }),
        ...(values.has('sms.senderKind') && {
          senderKind: textIn(values, 'sms.senderKind') === 'masked' ? ('masked' as const) : ('non_masked' as const),
        }),
      },
      account.sms,
    ),
  }),
};

const sending: Group = {
  title: 'When messages may be sent',
  Fields: ({ account: { quietHours, frequencyCap, suppressions } }) => (
    <>
      <Switch name="isQuiet" label="Apply quiet hours" isOn={quietHours !== null} />
      <div class="row">
        <TextField
          name="quietHours.start"
          label="Quiet from"
          type="time"
          value={quietHours?.start ?? '21:00'}
          hint="In the recipient’s time zone."
        />
        <TextField
          name="quietHours.end"
          label="Quiet until"
          type="time"
          value={quietHours?.end ?? '08:00'}
          hint="In the recipient’s time zone."
        />
        <TextField
          name="quietHours.countries"
          label="In countries"
          isOptional
          value={quietHours?.countries?.join(', ') ?? ''}
          placeholder="All"
          hint="Codes such as BD, GB."
        />
      </div>
      <Switch
        name="withCountryRules"
        label="Also apply each country’s own hours for advertising"
        isOn={quietHours?.withCountryRules ?? false}
      />
      <Switch name="isCapped" label="Limit how often a contact receives messages" isOn={frequencyCap !== null} />
      <div class="row">
        <TextField
          name="frequencyCap.max"
          label="At most"
          type="number"
          min={1}
          value={String(frequencyCap?.max ?? 5)}
        />
        <TextField
          name="frequencyCap.windowSeconds"
          label="In seconds"
          type="number"
          min={1}
          value={String(frequencyCap?.windowSeconds ?? 86_400)}
          hint="3600 is an hour, 86400 a day."
        />
      </div>
      <Switch name="enforced" label="Block sends to suppressed addresses" isOn={suppressions === 'enforced'} />
    </>
  ),
  read: (values, account) =>
    changed(
      {
        quietHours: isOn(values, 'isQuiet') ? quietHoursIn(values, account.quietHours) : null,
        frequencyCap: isOn(values, 'isCapped')
          ? {
              max: Number(textIn(values, 'frequencyCap.max')),
              windowSeconds: Number(textIn(values, 'frequencyCap.windowSeconds')),
            }
          : null,
        suppressions: isOn(values, 'enforced') ? ('enforced' as const) : ('off' as const),
      },
      account,
    ),
};

const checkout: Group = {
  title: 'Checkout',
  Fields: ({ account: { checkout: own } }) => (
    <>
      <Switch name="sendsReceipts" label="Send receipts by email" isOn={own.sendsReceipts} />
      <Switch
        name="acceptsLatePayments"
        label="Accept payments that succeed after their session has expired, instead of refunding them"
        isOn={own.acceptsLatePayments}
      />
    </>
  ),
  read: (values, account) => ({
    checkout: changed(
      {
        sendsReceipts: isOn(values, 'sendsReceipts'),
        acceptsLatePayments: isOn(values, 'acceptsLatePayments'),
      },
      account.checkout,
    ),
  }),
};

const status: Group = {
  title: 'Status',
  isOperators: true,
  Fields: ({ account }) => (
    <SelectField
      name="status"
      label="Status of the account"
      value={account.status}
      choices={[
        ['active', 'Active'],
        ['frozen', 'Frozen: sends are blocked, and the checkout takes no payments'],
      ]}
    />
  ),
  read: (values) => ({ status: textIn(values, 'status') === 'frozen' ? 'frozen' : 'active' }),
};

export const groups: readonly Group[] = [general, email, sms, sending, checkout, status];
