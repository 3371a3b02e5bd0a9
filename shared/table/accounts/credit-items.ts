import type { Price } from '../../messages/new-message.ts';
import { itemKeys } from '../keys.ts';
import type { Write } from '../table.ts';

/** The only code that knows which item holds the credits of a send. */
const change = (accountId: string, { counter }: Price, credits: number) => ({
  Key: itemKeys.credits(accountId),
  UpdateExpression: 'ADD #counter :change',
  ExpressionAttributeNames: { '#counter': counter },
  ExpressionAttributeValues: { ':change': credits },
});

/** Subtracts a price from the account's credits; no write for a price of 0. Refused when the credits do not cover it. */
export const takeWrites = (accountId: string, price: Price): Write[] => {
  if (price.credits === 0) return [];
  const { ExpressionAttributeValues: values, ...update } = change(accountId, price, -price.credits);
  return [
    {
      Update: {
        ...update,
        ConditionExpression: '#counter >= :needed',
        ExpressionAttributeValues: { ...values, ':needed': price.credits },
      },
    },
  ];
};

/**
 * Gives a price back. The message's row goes in the same transaction, or says from then on that it cost nothing: the prices of all rows are
 * what sends have taken.
 */
export const giveBackWrites = (accountId: string, price: Price): Write[] =>
  price.credits === 0 ? [] : [{ Update: change(accountId, price, price.credits) }];
