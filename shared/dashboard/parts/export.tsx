import { useEffect, useRef, useState } from 'preact/hooks';
import type { Export } from '../../client/messaging.ts';
import { isLost, problemOf } from '../apis.ts';
import { serverNow } from '../server-time.ts';
import { toast } from './toast.tsx';
import { grouped } from './words.tsx';

type Reply = Promise<{ readonly data: Export }>;

interface Props {
  readonly start: () => Reply;
  readonly look: (id: string) => Reply;
}

const lookEveryMs = 1_000;
const renewBeforeMs = 60_000;

/** Until it is ready, its progress is shown; after that, each look gives a new link, because a link expires. */
const nextLookMs = ({ expiresAt }: Export): number =>
  expiresAt === null
    ? lookEveryMs
    : Math.max(Date.parse(expiresAt) - serverNow().getTime() - renewBeforeMs, lookEveryMs);

/** Makes a CSV file of the list as it is filtered, and leads to it when it is ready. The filters are its key: other ones are another file. */
export const ExportButton = ({ start, look }: Props) => {
  const [job, setJob] = useState<Export>();
  const [isStarting, setStarting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const isRunning = isStarting || job?.status === 'processing';

  useEffect(() => {
    if (!job) return;
    const timer = setTimeout(async () => {
      try {
        const { data } = await look(job.id);
        if (data.status === 'failed') toast('The export failed. Try it again.', 'bad');
        setJob(data.status === 'failed' ? undefined : data);
      } catch (thrown) {
        // The export goes on at the server, so it is looked for again.
        if (isLost(thrown)) return setJob({ ...job });
        toast(problemOf(thrown).message, 'bad');
        setJob(undefined);
      }
    }, nextLookMs(job));
    return () => clearTimeout(timer);
  }, [job]);

  const begin = async () => {
    setStarting(true);
    try {
      setJob((await start()).data);
    } catch (thrown) {
      toast(problemOf(thrown).message, 'bad');
    } finally {
      setStarting(false);
    }
  };

  if (job?.url)
    return <Download url={job.url} rows={job.rows} takesFocus={document.activeElement === button.current} />;
  return (
    <button ref={button} type="button" aria-disabled={isRunning} onClick={() => !isRunning && begin()}>
      {isRunning ? `Exporting… ${grouped(job?.rows ?? 0)}` : 'Export'}
    </button>
  );
};

interface DownloadProps {
  readonly url: string;
  readonly rows: number;
  /** The button that it takes the place of has the focus. */
  readonly takesFocus: boolean;
}

const Download = ({ url, rows, takesFocus }: DownloadProps) => {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    toast('The file is ready');
    if (takesFocus) link.current?.focus();
  }, []);
  return (
    <a ref={link} class="button" href={url} download>
      Download {grouped(rows)} {rows === 1 ? 'row' : 'rows'}
    </a>
  );
};
