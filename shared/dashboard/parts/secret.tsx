import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { lostAnswer } from '../apis.ts';
import { Dialog } from './dialog.tsx';
import { Form, type Submitted } from './form.tsx';
import { toast } from './toast.tsx';
import { noteSecret } from './unsaved.ts';
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
  /** What to do when it may have been made, and its secret cannot be shown: the answer was lost, or came after the dialog was closed. */
  readonly remedy?: string;
  /** It may have been made, although the answer was lost. */
  readonly onLost?: () => void;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form that makes a key or a secret, and then shows it: the server shows it only once. */
export const SecretDialog = ({ title, submit, what, hint, onSubmit, remedy, onLost, onClose, children }: Props) => {
  const [secret, setSecret] = useState<string>();
  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );
  const send = async (values: FormData): Submitted => {
    try {
      const made = await onSubmit(values);
      if (!made) return onClose;
      if (!isOpen.current) toast(`The dialog was closed too early to show the ${what}. ${remedy}`, 'bad');
      return () => setSecret(made);
    } catch (thrown) {
      const lost = remedy && lostAnswer(thrown, remedy);
      if (lost) onLost?.();
      throw lost || thrown;
    }
  };
  if (secret)
    return (
      <Dialog key="secret" title={`Your new ${what}`} onClose={onClose}>
        <p>Copy this {what} now and keep it in a safe place. You cannot see it again.</p>
        <Secret secret={secret} what={what} />
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
      <Form submit={submit} onCancel={onClose} onSubmit={send}>
        {children}
      </Form>
    </Dialog>
  );
};

/** Until it is copied, by its button or as any text, the page asks before it goes. */
const Secret = ({ secret, what }: { readonly secret: string; readonly what: string }) => {
  const shown = useRef<HTMLParagraphElement>(null);
  useEffect(() => noteSecret(shown.current), []);
  const noteCopied = () => noteSecret(null);
  return (
    <p ref={shown} class="secret" onCopy={noteCopied}>
      <code>{secret}</code>
      <CopyButton text={secret} what={what} onCopied={noteCopied} />
    </p>
  );
};
