import { useState } from 'preact/hooks';
import { inkOn } from '../../checkout/branding.ts';
import type { Account } from '../../client/admin.ts';
import { money } from '../parts/amount.ts';
import { CheckFields, Form, TextField } from '../parts/form.tsx';
import { someTextIn } from '../parts/form-values.ts';
import { showSaved } from '../parts/unsaved.ts';
import { type CardProps, changed } from './setting-card.ts';

type Look = Account['branding'];

const usualColor = '#4338ca';
const lookIn = (values: FormData): Look => ({
  logoUrl: someTextIn(values, 'branding.logoUrl') ?? null,
  color: someTextIn(values, 'branding.color') ?? null,
  supportEmail: someTextIn(values, 'branding.supportEmail') ?? null,
  supportPhone: someTextIn(values, 'branding.supportPhone') ?? null,
  statementName: someTextIn(values, 'branding.statementName') ?? null,
});

/** What was changed, and the logo where it is to be read again: its URL may have another picture by now. */
const changesIn = (values: FormData, shown: Look): Partial<Look> => {
  const look = lookIn(values);
  return { ...changed(look, shown), ...(values.has('readsLogoAgain') && { logoUrl: look.logoUrl }) };
};

/** How the payment page and the receipts look, with a preview that follows the fields. */
export const Branding = ({ account, isOpen, save }: CardProps) => {
  const [typed, setTyped] = useState<Look>();
  const fields = <BrandingFields look={account.branding} />;
  return (
    <section class="card" aria-label="Branding">
      <h2>Branding</h2>
      <div class="halves">
        {isOpen ? (
          <Form
            submit="Save"
            onInput={(values) => setTyped(lookIn(values))}
            onSubmit={async (values, form) => {
              await save({ branding: changesIn(values, account.branding) });
              return () => {
                if (showSaved(form)) setTyped(undefined);
              };
            }}
          >
            {fields}
          </Form>
        ) : (
          <fieldset class="stack" disabled>
            {fields}
          </fieldset>
        )}
        <Preview name={account.name} look={typed ?? account.branding} />
      </div>
    </section>
  );
};

const BrandingFields = ({ look }: { readonly look: Look }) => (
  <>
    <TextField
      name="branding.logoUrl"
      label="Logo"
      type="url"
      isOptional
      value={look.logoUrl ?? ''}
      placeholder="https://shop.example/logo.png"
      hint="An https address. The page shows our own copy."
    />
    {look.logoUrl === null ? null : (
      <CheckFields name="readsLogoAgain" choices={[['true', 'Read the picture at this address again']]} />
    )}
    <div class="row">
      <TextField name="branding.color" label="Colour" isOptional value={look.color ?? ''} placeholder={usualColor} />
      <TextField
        name="branding.statementName"
        label="Name on bank statements"
        isOptional
        value={look.statementName ?? ''}
      />
      <TextField
        name="branding.supportEmail"
        label="Support email"
        type="email"
        isOptional
        value={look.supportEmail ?? ''}
      />
      <TextField name="branding.supportPhone" label="Support phone" isOptional value={look.supportPhone ?? ''} />
    </div>
  </>
);

/** Stands for the logo: the dashboard loads no picture from elsewhere. */
const LogoPlace = () => (
  <svg class="logo-place" viewBox="0 0 32 32" width="32" height="32" role="img" aria-label="Your logo">
    <rect width="32" height="32" rx="8" />
    <path
      d="M8 22l6-7 4 4 3-3 4 6M21 11.5a1.5 1.5 0 1 1-.01 0"
      fill="none"
      stroke-width="1.6"
      stroke-linejoin="round"
    />
  </svg>
);

/** The page as a customer would see it, in small. */
const Preview = ({ name, look }: { readonly name: string; readonly look: Look }) => {
  const color = /^#[0-9a-f]{6}$/i.test(look.color ?? '') ? (look.color ?? usualColor) : usualColor;
  return (
    <figure class="preview" aria-label="Preview of the payment page">
      <div class="payment-page">
        <p class="title">
          {look.logoUrl ? <LogoPlace /> : null}
          {name}
        </p>
        <p class="value">{money(125_000, 'BDT')}</p>
        <span class="pay" style={{ background: color, color: inkOn(color) }}>
          Pay with card
        </span>
        <p class="small quiet">{[look.supportEmail, look.supportPhone].filter(Boolean).join(' · ')}</p>
        {look.statementName ? <p class="small quiet">On your bank statement: {look.statementName}</p> : null}
      </div>
      <figcaption class="small quiet">
        Preview. The text on the colour is black or white, whichever is easier to read.
      </figcaption>
    </figure>
  );
};
