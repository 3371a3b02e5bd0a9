import type { AccountRef } from '../../kit/account-ref.ts';
import type { Vault } from '../../kit/cipher.ts';
import { longestRunMs } from '../../kit/longest-run.ts';
import type { Failure } from '../../messages/failures.ts';
import type { TextJob } from '../../messages/jobs.ts';
import type { TextChannel } from '../../messages/message.ts';
import type { Trigger } from '../../messages/moves.ts';
import type { Item, Table } from '../table.ts';
import { endUnsent } from './end-unsent.ts';
import { moveUpdate, type StoredMessage, stepIn, textFrom } from './message-items.ts';
import { openings } from './message-openings.ts';
import { placing } from './message-places.ts';
import type { SpreadStore } from './spread-store.ts';

/** A message that one run, and no other, may send. */
export interface Claimed {
  readonly message: StoredMessage;
  readonly text: string;
  /** The fencing token: a run that has lost its claim can write nothing to the message. */
  readonly token: string;
  /** How often the message has been tried, this time included. */
  readonly attempt: number;
}

/**
 * `claimed-elsewhere`: another run is at work on it. `uncertain`: a run has called the provider and not recorded the answer. `over`: it was sent
 * already, was ended otherwise, or was never there.
 */
export type PickUp =
  | ({ readonly kind: 'claimed' } & Claimed)
  | { readonly kind: 'claimed-elsewhere'; readonly untilMs: number }
  | { readonly kind: 'uncertain' }
  | { readonly kind: 'over' };

interface PickUpWishes {
  /** The claim's unique id. */
  readonly token: string;
  readonly isRepeatable: boolean;
  readonly nowMs: number;
}

/** Why a message was not claimed. */
const notClaimed = (item: Item, channel: TextChannel, nowMs: number): Exclude<PickUp, { readonly kind: 'claimed' }> => {
  if (item['status'] !== 'sending' || item['channel'] !== channel) return { kind: 'over' };
  const untilMs = Number(item['claimedUntil']);
  return untilMs < nowMs ? { kind: 'uncertain' } : { kind: 'claimed-elsewhere', untilMs };
};

/**
 * Texts between being accepted and being sent. As long as a message is `sending` and has no claim, its provider has taken nothing; a claim
 * that is there, in force or run out, says that it was called and may have taken it.
 */
export const textSendStore = (table: Table, vault: Vault, spreads: SpreadStore) => {
  const placeOf = placing(vault, spreads);
  const { open } = openings(table, vault);

  return {
    /** Claims a message. One that a provider may have taken is claimed again only where `isRepeatable`: where the provider sends it once. */
    pickUp: async (
      account: AccountRef,
      { message: id, channel }: Pick<TextJob, 'message' | 'channel'>,
      { token, isRepeatable, nowMs }: PickUpWishes,
    ): Promise<PickUp> => {
      const place = await placeOf(account, { id, channel });
      const { cipher } = place;
      const move = moveUpdate(place, 'pickedUp', nowMs);
      const isFree = 'attribute_not_exists(claim) OR claimedUntil < :free';
      const taken = await table.update({
        ...move,
        UpdateExpression: `${move.UpdateExpression}, claim = :token, claimedUntil = :until, earlierClaim = if_not_exists(claim, :none) ADD attempts :one`,
        ConditionExpression: `channel = :channel AND attribute_exists(content) AND (${move.ConditionExpression} OR #status = :to AND (${isFree}))`,
        ExpressionAttributeValues: {
          ...move.ExpressionAttributeValues,
          ':channel': channel,
          ':token': token,
          ':until': nowMs + longestRunMs,
          ':free': isRepeatable ? nowMs : 0,
          ':none': '',
          ':one': 1,
        },
      });
      const item = taken.item ?? {};
      if (!taken.done) return notClaimed(item, channel, nowMs);
      const message = await open(account, item);
      if (!message) return { kind: 'over' };
      const text = textFrom(account.id, cipher, item) ?? '';
      const isUncertain = item['earlierClaim'] !== '';
      return { kind: 'claimed', message: { ...message, isUncertain }, text, token, attempt: Number(item['attempts']) };
    },

    /** Releases a claim under which the provider accepted nothing, and restores the state before it. */
    undoClaim: async (
      account: AccountRef,
      message: Pick<StoredMessage, 'id' | 'channel'>,
      unusedClaim: string,
    ): Promise<void> => {
      const claim = {
        Key: (await placeOf(account, message)).item,
        ExpressionAttributeValues: { ':unused': unusedClaim, ':none': '' },
      };
      const undone = await table.update({
        ...claim,
        UpdateExpression: 'REMOVE claim, claimedUntil',
        ConditionExpression: 'claim = :unused AND earlierClaim = :none',
      });
      if (undone.done) return;
      await table.update({
        ...claim,
        UpdateExpression: 'SET claim = earlierClaim, claimedUntil = :ended',
        ConditionExpression: 'claim = :unused AND earlierClaim <> :none',
        ExpressionAttributeValues: { ...claim.ExpressionAttributeValues, ':ended': 0 },
      });
    },

    /** Gives a message back that another run is to send. `isUnanswered`: the provider's answer to this attempt was lost. */
    releaseClaim: async (
      account: AccountRef,
      { message, token }: Claimed,
      { isUnanswered, nowMs }: { readonly isUnanswered: boolean; readonly nowMs: number },
    ): Promise<void> => {
      // An earlier attempt may still have been accepted.
      const mayBeOut = isUnanswered || message.isUncertain;
      const place = await placeOf(account, message);
      const step = stepIn(place, isUnanswered ? 'unanswered' : 'refusedForNow', nowMs);
      await table.update({
        Key: place.item,
        UpdateExpression: `SET ${step.assignment}${mayBeOut ? ', claimedUntil = :ended' : ' REMOVE claim, claimedUntil'}`,
        ConditionExpression: 'claim = :token',
        ExpressionAttributeValues: {
          ...step.values,
          ':token': token,
          ...(mayBeOut && { ':ended': nowMs - 1 }),
        },
      });
    },

    /** Gives a message back as if it had not been claimed: its sender takes no texts now, so this does not count as an attempt. */
    undoAttempt: async (account: AccountRef, { message, token }: Claimed, nowMs: number): Promise<void> => {
      const { isUncertain, steps = [] } = message;
      const begun = `steps[${Math.max(0, steps.length - 1)}]`;
      await table.update({
        Key: (await placeOf(account, message)).item,
        UpdateExpression: `${isUncertain ? `SET claimedUntil = :ended REMOVE ${begun}` : `REMOVE ${begun}, claim, claimedUntil`} ADD attempts :back`,
        ConditionExpression: 'claim = :token',
        ExpressionAttributeValues: { ':token': token, ':back': -1, ...(isUncertain && { ':ended': nowMs - 1 }) },
      });
    },

    /** Ends a claimed message that its provider has not accepted. */
    fail: async (
      account: AccountRef,
      { message, token }: Claimed,
      trigger: Trigger,
      failure: Failure,
      nowMs: number,
    ): Promise<void> => {
      const ownsClaim = { condition: 'claim = :token', values: { ':token': token } };
      await endUnsent(table, await placeOf(account, message), message, { trigger, failure, nowMs }, ownsClaim);
    },
  };
};

export type TextSendStore = ReturnType<typeof textSendStore>;
