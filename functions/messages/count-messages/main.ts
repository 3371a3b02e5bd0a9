import * as live from '../../../shared/live.ts';
import { streamReader } from '../../../shared/work/stream-reader.ts';
import { countMessages } from './handler.ts';

export const handler = streamReader(countMessages({ analytics: live.analytics() }));
