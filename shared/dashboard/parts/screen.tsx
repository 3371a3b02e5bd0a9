import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useAccount } from '../session.ts';

export interface ScreenProps {
  /** The parts of the path in braces. */
  readonly params: Readonly<Record<string, string>>;
}

interface Props {
  readonly title: string;
  /** One line below the title: what this is for. */
  readonly intro?: ComponentChildren;
  /** The list that this thing is in. Where it was opened from there, the link leads back to the list as it was. */
  readonly back?: { readonly href: string; readonly label: string };
  /** Buttons beside the title. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

let isFirst = true;

/** The frame of every screen: its title, which gets the focus when the screen opens, and its buttons. */
export const Screen = ({ title, intro, back, actions, children }: Props) => {
  const { name } = useAccount();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = name && name !== title ? `${title} · ${name}` : title;
  }, [title, name]);
  useEffect(() => {
    // After a full load the browser's own order is expected.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <>
      {back ? (
        <p class="back">
          <a href={back.href} data-return>
            ← {back.label}
          </a>
        </p>
      ) : null}
      <header class="screen">
        <div>
          <h1 ref={heading} id="content" tabIndex={-1}>
            {title}
          </h1>
          {intro ? <p class="intro">{intro}</p> : null}
        </div>
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {children}
    </>
  );
};

/** The address of a screen of this account: `href('/messages')`. */
export const useHref = (): ((path: string) => string) => {
  const { id } = useAccount();
  return (path) => `/dashboard/${id}${path}`;
};
