import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { leaving } from '../place.ts';
import { Form, type Submitted } from './form.tsx';
import { Toasts } from './toast.tsx';
import { hasUnsavedIn } from './unsaved.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog. Escape, its cross and a click beside it close it; the focus returns to where it was. Where something is typed, or a secret
 * was not copied, Escape and the cross ask first, and a click beside it does nothing: it may have slipped. Nor does it where the secret was copied.
 */
export const Dialog = ({ title, onClose, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const pressed = useRef<EventTarget>(null);
  const heading = useId();
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    // Not the cross: a person came to fill in the form. Nor what cannot be undone, such as leaving a secret: the key that opened the
    // dialog may still be down.
    dialog.current
      ?.querySelector<HTMLElement>('input, select, textarea, .secret button, .actions button:not(.danger)')
      ?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  const isLeft = useRef(false);
  const leave = (): void => {
    isLeft.current = true;
    dialog.current?.close();
  };
  const close = (): void => {
    if (hasUnsavedIn(dialog.current)) leaving.set(leave);
    else leave();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      // Of several presses without anything between, Chromium lets no page prevent the last; nor does Android, of several gestures to go back.
      onClose={() => {
        if (isLeft.current || !hasUnsavedIn(dialog.current)) return onClose();
        dialog.current?.showModal();
        close();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !hasUnsavedIn(dialog.current)) return;
        event.preventDefault();
        if (!event.repeat) close();
      }}
      onCancel={(event) => {
        // A file field has this event too.
        if (event.target !== dialog.current || !hasUnsavedIn(dialog.current)) return;
        event.preventDefault();
        close();
      }}
      onPointerDown={({ target }) => {
        pressed.current = target;
      }}
      onClick={({ target, detail }) => {
        // Not where a selection of text ends, nor the second half of a double click that opened the dialog.
        const isBeside = target === dialog.current && pressed.current === dialog.current;
        const isKept = hasUnsavedIn(dialog.current) || dialog.current?.querySelector('.secret');
        if (isBeside && detail === 1 && !isKept) leave();
      }}
    >
      <div class="dialog">
        <div class="head">
          <h2 id={heading}>{title}</h2>
          <button type="button" class="icon" aria-label="Close" onClick={close}>
            <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
              <path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" stroke-width="1.6" stroke-linecap="round" />
            </svg>
          </button>
        </div>
        {children}
      </div>
      {/* A screen reader hears nothing from outside, and there it is behind the backdrop. */}
      <Toasts />
    </dialog>
  );
};

interface ConfirmProps extends DialogProps {
  /** The button, a verb: "Revoke key". */
  readonly action: string;
  /** A refusal is shown in the dialog. Closes it when done, and returns what the screen does next, if the dialog is still on it. */
  readonly onConfirm: () => Submitted;
}

/** Asks before something that cannot be undone. */
export const Confirm = ({ title, action, onConfirm, onClose, children }: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    <Form
      submit={action}
      isDangerous
      onCancel={onClose}
      onSubmit={async () => {
        const next = await onConfirm();
        return () => {
          onClose();
          next?.();
        };
      }}
    >
      {children}
    </Form>
  </Dialog>
);
