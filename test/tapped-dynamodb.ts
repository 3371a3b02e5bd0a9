import type { CallName, DynamoDb } from '../shared/aws/dynamodb.ts';

type Send = (name: CallName, input: object) => Promise<object>;

/** What stands between a table and DynamoDB: it sees a call before and its answer after, and may change either. */
export type Tap = (next: Send) => Send;

/** DynamoDB, with taps that tests set: the latest stands next to the table. */
export const tapped = (dynamodb: DynamoDb) => {
  const taps = new Map<string, Tap>();
  const sendAll: Send = (name, input) =>
    [...taps.values()].reduce<Send>((next, tap) => tap(next), dynamodb.send as Send)(name, input);
  return {
    send: sendAll as DynamoDb['send'],

    /** Sets a tap in place of one with this name. Returns what removes it. */
    tap: (name: string, tap: Tap): (() => void) => {
      taps.set(name, tap);
      return () => void taps.delete(name);
    },
  };
};

export type TappedDynamoDb = ReturnType<typeof tapped>;
