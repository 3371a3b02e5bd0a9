import { expect, it } from 'vitest';
import { startWorld, tableSpec } from '../../test/world.ts';
import { seedOperatorToken } from './demo-people.ts';
import { startKms } from './emulators/kms.ts';
import { closedAfterTest, temporaryDirectory } from './emulators-fixture.ts';
import { StartFailure } from './start-failure.ts';

it('a table of another data directory, or left by --fresh at DYNAMODB_ENDPOINT, is reported in a line', async () => {
  const world = closedAfterTest(await startWorld());
  const seed = async () => {
    const dataDirectory = await temporaryDirectory();
    const { url: kms } = closedAfterTest(await startKms({ dataDirectory }));
    const aws = { dynamodb: world.dynamodb.url, kms, table: tableSpec.name };
    return seedOperatorToken({ aws, dataDirectory }, 'test-key');
  };
  expect(await seed()).toMatch(/^ot_/);
  const again = seed();
  await expect(again).rejects.toThrow(StartFailure);
  await expect(again).rejects.toThrow(
    /^The table test at .+ is encrypted under the key of another data directory.+--data-dir <path>$/,
  );
});
