import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KMSClient } from '@aws-sdk/client-kms';
import { retriedSettings } from './aws/aws-retry.ts';
import { openVault } from './aws/vault.ts';
import type { Vault } from './kit/cipher.ts';
import { once } from './kit/once.ts';
import { setting } from './kit/setting.ts';
import { openTable, type Table } from './table/table.ts';

/** What every store is made of: the table, and the vault that opens the data keys of accounts. */
export interface Connection {
  readonly table: Table;
  readonly vault: Vault;
}

export const kms = /* @__PURE__ */ once(() => new KMSClient(retriedSettings));
const table = /* @__PURE__ */ once(() => openTable(new DynamoDBClient(retriedSettings), setting('TABLE_NAME')));
const vault = /* @__PURE__ */ once(() => openVault(kms()));

/** The part of a connection; without one, of the deployment that the environment names. */
export const tableOf = (on?: Connection): Table => on?.table ?? table();
export const vaultOf = (on?: Connection): Vault => on?.vault ?? vault();
