import { callersOf } from 'virtual:callers';
import { endpoint } from '../../../shared/http/endpoint.ts';
import * as live from '../../../shared/live.ts';
import { getMessageAnalyticsContract } from './contract.ts';
import { getMessageAnalytics } from './handler.ts';

export const handler = endpoint(
  getMessageAnalyticsContract,
  getMessageAnalytics({ analytics: live.analytics() }),
  callersOf('analytics/get-message-analytics'),
);
