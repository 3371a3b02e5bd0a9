import { expect, it } from 'vitest';
import { AwsNotCalled, openAwsCalls, queryCall } from './aws-calls.ts';
import { freePort } from './local/free-port.ts';

const describe = queryCall('cloudformation', { Action: 'DescribeStacks' });
const nobody = `127.0.0.1:${await freePort()}`;
const keys = { accessKeyId: 'a', secretAccessKey: 'b' };

it.each([
  ['Region is missing', () => Promise.reject(new Error('Region is missing')), () => Promise.resolve(keys)],
  ['No credentials', () => Promise.resolve('us-east-1'), () => Promise.reject(new Error('No credentials.'))],
  [`connect ECONNREFUSED ${nobody}`, () => Promise.resolve('us-east-1'), () => Promise.resolve(keys)],
])('a call that never reached AWS says why in a line: %s', async (reason, region, credentials) => {
  const called = openAwsCalls({ config: { region, credentials } }, `http://${nobody}`)(describe);
  await expect(called).rejects.toThrow(
    new AwsNotCalled(
      `AWS cannot be called: ${reason}. Set AWS_REGION, and AWS_PROFILE or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
    ),
  );
  await expect(called).rejects.toBeInstanceOf(AwsNotCalled);
});
