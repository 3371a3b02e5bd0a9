import { useEffect, useState } from 'preact/hooks';
import type { Export } from '../../client/messaging.ts';
import { problemOf } from '../apis.ts';
import { toast } from './toast.tsx';
import { grouped } from './words.tsx';

type Reply = Promise<{ readonly data: Export }>;

interface Props {
  readonly start: () => Reply;
  readonly look: (id: string) => Reply;
}

const lookEveryMs = 1_000;

/** Makes a CSV file of the list as it is filtered, and leads to it when it is ready. */
export const ExportButton = ({ start, look }: Props) => {
  const [job, setJob] = useState<Export>();
  const isRunning = job?.status === 'processing';

  useEffect(() => {
    if (!isRunning || !job) return;
    const timer = setTimeout(async () => {
      try {
        setJob((await look(job.id)).data);
      } catch (thrown) {
        toast(problemOf(thrown).message, 'bad');
        setJob(undefined);
      }
    }, lookEveryMs);
    return () => clearTimeout(timer);
  }, [job]);

  const begin = async () => {
    try {
      setJob((await start()).data);
    } catch (thrown) {
      toast(problemOf(thrown).message, 'bad');
    }
  };

  if (job?.url)
    return (
      <a class="button" href={job.url} download>
        Download {grouped(job.rows)} {job.rows === 1 ? 'row' : 'rows'}
      </a>
    );
  return (
    <button type="button" aria-disabled={isRunning} onClick={() => !isRunning && begin()}>
      {isRunning ? `Exporting… ${grouped(job.rows)}` : 'Export'}
    </button>
  );
};
