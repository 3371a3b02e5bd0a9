import { browser } from '../../../shared/http/browser.ts';
import * as live from '../../../shared/live.ts';
import { signIn } from './handler.ts';

export const handler = browser(signIn({ signIns: live.signIns() }));
