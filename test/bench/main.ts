import { startWorld } from '../world.ts';
import { benchAnalytics } from './analytics.ts';
import { benchBundles } from './bundles.ts';
import { benchContacts } from './contacts.ts';
import { benchMessages } from './messages.ts';
import { benchOutbox } from './outbox.ts';
import { benchRequests } from './requests.ts';
import { benchTexts } from './texts.ts';

// Reports counts and ratios, which do not depend on the machine, and the lag of the outbox, which does. `npm run bench -- 100000` adds that many rows to the accounts.
process.env['LOG_LEVEL'] = 'off';
const sizes = [1_000, 10_000, ...process.argv.slice(2).map(Number)];

const world = await startWorld();
console.log('DynamoDB calls and capacity units per request');
console.table(await benchRequests(world));
console.log('DynamoDB calls and capacity units of an sms after it is accepted');
console.table(await benchTexts(world));
console.log('Capacity units of the first page of GET /messages, by messages in the account');
console.table(await benchMessages(world, sizes));
console.log('Capacity units of the first page of GET /contacts, by contacts in the account');
console.table(await benchContacts(world, sizes));
console.log('Capacity units of GET /analytics/messages, and of counting its messages');
const { ranges, changes } = await benchAnalytics(world);
console.table(ranges);
console.table(changes);
console.log('Milliseconds from a write to its job in a queue, at 50 changes a second');
console.table(await benchOutbox(world));
await world.close();

console.log('Bundles');
console.table(await benchBundles());
