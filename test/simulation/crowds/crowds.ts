import { contactCrowd } from './contact-crowd.ts';
import { creditCrowd } from './credit-crowd.ts';
import type { Crowd } from './crowd.ts';
import { deliveryCrowd } from './delivery-crowd.ts';
import { eventCrowd } from './event-crowd.ts';
import { keyCrowd } from './key-crowd.ts';
import { rateCrowd } from './rate-crowd.ts';

export const crowds: readonly Crowd[] = [creditCrowd, keyCrowd, eventCrowd, deliveryCrowd, contactCrowd, rateCrowd];
