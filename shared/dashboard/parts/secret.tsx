import { CopyButton } from './words.tsx';

/** A key or a secret that the server shows once. */
export const Secret = ({ value, what }: { readonly value: string; readonly what: string }) => (
  <>
    <p>Copy this {what} now and keep it in a safe place. You cannot see it again.</p>
    <p class="secret">
      <code>{value}</code>
      <CopyButton text={value} what={what} />
    </p>
  </>
);
