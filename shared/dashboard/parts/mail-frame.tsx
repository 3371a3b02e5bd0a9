import { useEffect, useRef } from 'preact/hooks';

/** The HTML of a mail, in a frame without an origin: its styles apply, its scripts do not run, and nothing is loaded. */
export const MailFrame = ({ html }: { readonly html: string }) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const send = () => frame.current?.contentWindow?.postMessage(html, '*');
  useEffect(send, [html]);
  return (
    <iframe
      ref={frame}
      title="Preview of the mail"
      sandbox="allow-scripts"
      src="/dashboard/assets/frame.html"
      onLoad={send}
    />
  );
};
