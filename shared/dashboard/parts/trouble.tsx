import type { ComponentChildren } from 'preact';
import type { Problem } from '../apis.ts';

/** Codes that our own pages make have no entry on the errors page. */
const undocumented = ['offline', 'unexpected', 'unknown'];

/** A failed call: what went wrong, its code with a link to the cause and the cure, and how to try again. */
export const Trouble = ({
  problem,
  retry,
}: {
  readonly problem: Problem;
  readonly retry?: (() => void) | undefined;
}) => (
  <div class="notice bad" role="alert">
    {problem.code === 'unauthorized' ? <Ended /> : <p>{problem.message}</p>}
    <p class="small">
      {undocumented.includes(problem.code) ? null : (
        <a href={`/docs/errors#${problem.code}`} target="_blank" rel="noreferrer">
          {problem.code}
        </a>
      )}
      {problem.requestId ? <span> · request {problem.requestId}</span> : null}
    </p>
    {retry ? (
      <button
        type="button"
        onClick={() => {
          // It vanishes, with the focus.
          document.querySelector('h1')?.focus({ preventScroll: true });
          retry();
        }}
      >
        Try again
      </button>
    ) : null}
  </div>
);

/** The session has ended, and what is on the screen stays. */
const Ended = () => (
  <p>
    Your session has ended.{' '}
    <a href="/dashboard/sign-in" target="_blank" rel="noreferrer">
      Sign in in another tab
    </a>
    , then try again here.
  </p>
);

/** Grey lines in the place of what is being loaded. */
export const Loading = ({ lines = 5 }: { readonly lines?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, i) => (
      <i key={i} />
    ))}
  </div>
);

/** Nothing to show: what would be here, and how it gets here. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children}
  </div>
);
