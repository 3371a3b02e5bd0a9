import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { queueTexts } from './handler.ts';

export const handler = streamReader(queueTexts({ texts: live.textQueues() }));
