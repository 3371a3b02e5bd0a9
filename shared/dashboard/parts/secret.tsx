import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';
import { CopyButton } from './words.tsx';

interface Props {
  readonly title: string;
  /** The button: "Create key". */
  readonly submit: string;
  /** What the secret is: "key". */
  readonly what: string;
  /** Below the secret: what it is good for. */
  readonly hint?: ComponentChildren;
  /** Returns the secret. Without one, the dialog closes. */
  readonly onSubmit: (values: FormData) => Promise<string | undefined>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form that makes a key or a secret, and then shows it: the server shows it only once. */
export const SecretDialog = ({ title, submit, what, hint, onSubmit, onClose, children }: Props) => {
  const [secret, setSecret] = useState<string>();
  if (secret)
    return (
      <Dialog title={`Your new ${what}`} onClose={onClose}>
        <p>Copy this {what} now and keep it in a safe place. You cannot see it again.</p>
        <p class="secret">
          <code>{secret}</code>
          <CopyButton text={secret} what={what} />
        </p>
        {hint}
        <div class="actions">
          <button type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={submit}
        onCancel={onClose}
        onSubmit={async (values) => {
          const made = await onSubmit(values);
          if (made) setSecret(made);
          else onClose();
        }}
      >
        {children}
      </Form>
    </Dialog>
  );
};
