import { startWorld } from '../world.ts';
import { benchBundles } from './bundles.ts';
import { benchRequests } from './requests.ts';

// Reports counts and ratios; how fast this machine is, is not the point.
process.env['LOG_LEVEL'] = 'off';

const world = await startWorld();
console.log('DynamoDB calls and capacity units per request');
console.table(await benchRequests(world));
await world.close();

console.log('Bundles');
console.table(await benchBundles());
