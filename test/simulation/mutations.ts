import { capMistakes } from './cap-mistakes.ts';
import { carrierMistakes } from './carrier-mistakes.ts';
import { checkoutMistakes } from './checkout-mistakes.ts';
import { contactMistakes } from './contact-mistakes.ts';
import { daysMistakes } from './days-mistakes.ts';
import { developerMistakes } from './developer-mistakes.ts';
import { expiryMistakes } from './expiry-mistakes.ts';
import { fileMistakes } from './file-mistakes.ts';
import { founderMistakes } from './founder-mistakes.ts';
import { keyMistakes } from './key-mistakes.ts';
import { listMistakes } from './list-mistakes.ts';
import { messagingMistakes } from './messaging-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { newsMistakes } from './news-mistakes.ts';
import { peopleMistakes } from './people-mistakes.ts';
import { previewMistakes } from './preview-mistakes.ts';
import { quietMistakes } from './quiet-mistakes.ts';
import { readerMistakes } from './reader-mistakes.ts';
import { receiptMistakes } from './receipt-mistakes.ts';
import { recipientMistakes } from './recipient-mistakes.ts';
import { reviewLogMistakes } from './review-log-mistakes.ts';
import { reviewMistakes } from './review-mistakes.ts';
import { shopkeeperMistakes } from './shopkeeper-mistakes.ts';
import { subscriberMistakes } from './subscriber-mistakes.ts';
import { templateMistakes } from './template-mistakes.ts';
import { unsubscribeMistakes } from './unsubscribe-mistakes.ts';
import { watcherMistakes } from './watcher-mistakes.ts';
import { webhookMistakes } from './webhook-mistakes.ts';
import { whatsappMistakes } from './whatsapp-mistakes.ts';

/** Mistakes that the simulation must find: one for each invariant at least. */
export const mistakes: readonly Mistake[] = [
  ...messagingMistakes,
  ...webhookMistakes,
  ...newsMistakes,
  ...checkoutMistakes,
  ...receiptMistakes,
  ...contactMistakes,
  ...developerMistakes,
  ...expiryMistakes,
  ...capMistakes,
  ...quietMistakes,
  ...recipientMistakes,
  ...templateMistakes,
  ...keyMistakes,
  ...listMistakes,
  ...reviewLogMistakes,
  ...reviewMistakes,
  ...watcherMistakes,
  ...peopleMistakes,
  ...fileMistakes,
  ...founderMistakes,
  ...subscriberMistakes,
  ...shopkeeperMistakes,
  ...unsubscribeMistakes,
  ...whatsappMistakes,
  ...carrierMistakes,
  ...previewMistakes,
  ...readerMistakes,
  ...daysMistakes,
];
