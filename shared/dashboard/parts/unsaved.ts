/** The forms that have something typed that is not saved, and how often something was typed in each. */
const typed = new Map<HTMLFormElement, number>();

let secret: Element | null = null;

/** Notes a secret that is shown, and cannot be seen again. `null`: it was copied. */
export const noteSecret = (shown: Element | null): void => {
  secret = shown;
};

/** Whether the page shows a secret that was not copied. */
export const hasSecret = (): boolean => secret?.isConnected === true;

const hasTyped = (): boolean => {
  for (const form of typed.keys()) if (!form.isConnected) typed.delete(form);
  return typed.size > 0;
};

/** Whether leaving the screen loses something that a person typed, or a secret. */
export const hasUnsaved = (): boolean => hasTyped() || hasSecret();

/** Whether a part of the page has a secret that was not copied, or something typed that is not saved, and is not being sent either. */
export const hasUnsavedIn = (part: Element | null): boolean =>
  (hasSecret() && part?.contains(secret)) ||
  (hasTyped() && [...typed.keys()].some((form) => part?.contains(form) && form.getAttribute('aria-busy') !== 'true'));

let isClosing = false;

/** The person was asked already, so the browser does not ask once more. */
export const closeUnasked = (): void => {
  isClosing = true;
};

/** Sends a form. It is saved unless it is refused, or something is typed meanwhile. */
export const savingTyped = async <T>(form: HTMLFormElement, send: () => Promise<T>): Promise<T> => {
  const sent = typed.get(form);
  const answer = await send();
  if (typed.get(form) === sent) typed.delete(form);
  return answer;
};

/** Shows in a form that was saved what the screen knows now, unless something was typed meanwhile. Returns whether it does. */
export const showSaved = (form: HTMLFormElement): boolean => {
  const isSaved = !typed.has(form);
  if (isSaved) form.reset();
  return isSaved;
};

let works = 0;

/** Whether this page does something that ends when it is closed. */
export const isWorking = (): boolean => works > 0;

/** Does something that ends when the page is closed, also while the person looks at other screens. */
export const workingOn = async <T>(work: () => Promise<T>): Promise<T> => {
  works += 1;
  return work().finally(() => {
    works -= 1;
  });
};

/** Notes what is typed in forms, and has the browser ask before it closes the page with it, or in the middle of its work. */
export const followTyping = (): void => {
  document.addEventListener('input', ({ target }) => {
    const form = target instanceof Element ? target.closest('form') : null;
    if (form) typed.set(form, (typed.get(form) ?? 0) + 1);
  });
  addEventListener('beforeunload', (event) => {
    if (isClosing || !(hasUnsaved() || isWorking())) return;
    event.preventDefault();
    // Chromium before 119 asks only by this.
    event.returnValue = true;
  });
};
