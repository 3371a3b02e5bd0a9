import { openAwsService } from './aws/aws-service.ts';
import { openDynamoDb } from './aws/dynamodb.ts';
import { endpointForFunction } from './aws/signed-post.ts';
import { openVault } from './aws/vault.ts';
import type { Vault } from './kit/cipher.ts';
import { once } from './kit/once.ts';
import { setting } from './kit/setting.ts';
import { keyRingStore } from './table/accounts/key-ring-store.ts';
import { type SpreadStore, spreadStore } from './table/messages/spread-store.ts';
import { openTable, type Table } from './table/table.ts';

/** What every store is made of: the table, the vault that opens the data keys of accounts, and what is known of how their messages are spread. */
export interface Connection {
  readonly table: Table;
  readonly vault: Vault;
  readonly spreads: SpreadStore;
}

export const kms = /* @__PURE__ */ once(() => openAwsService('kms', endpointForFunction('kms')));
const table = /* @__PURE__ */ once(() =>
  openTable(openDynamoDb(endpointForFunction('dynamodb')), setting('TABLE_NAME')),
);
const vault = /* @__PURE__ */ once(() => openVault(kms(), keyRingStore(table())));
const spreads = /* @__PURE__ */ once(() => spreadStore(table()));

/** The part of a connection; without one, of the deployment that the environment names. */
export const tableOf = (on?: Connection): Table => on?.table ?? table();
export const vaultOf = (on?: Connection): Vault => on?.vault ?? vault();
export const spreadsOf = (on?: Connection): SpreadStore => on?.spreads ?? spreads();
