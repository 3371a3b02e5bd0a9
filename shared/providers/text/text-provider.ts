/** One sms or whatsapp text, ready to be sent. */
export interface Text {
  /** Our message id. A provider with idempotency sends one text per id. */
  readonly messageId: string;
  readonly accountId: string;
  /** E.164, with its `+`. */
  readonly to: string;
  readonly text: string;
  /** Until when it is of use to its recipient, if its sender has said so. */
  readonly expiresMs?: number | undefined;
  /** The report URL, for providers that accept one per message. It contains the sealed message id. */
  readonly reportUrl: string;
}

/** The provider answered so because of the account's own setup, such as its credentials: it does the same to every text until a person acts. */
interface Concerning {
  readonly concernsSetup?: boolean;
}

/** The outcome of a text at its provider. */
export type TextOutcome =
  /** The provider accepted it. `reference`: its id in reports, if it is not ours. */
  | { readonly kind: 'accepted'; readonly reference: string | undefined }
  /** The provider refused it for good, and has sent nothing. */
  | ({ readonly kind: 'refused'; readonly code: string; readonly reason: string } & Concerning)
  /** Not accepted, but may be later: overloaded or not reached. `waitSeconds`: the provider's requested delay. */
  | ({ readonly kind: 'unavailable'; readonly waitSeconds?: number } & Concerning)
  /** Not accepted, because the sender is over its rate: it says nothing of this text. `waitSeconds`: the provider's requested delay. */
  | { readonly kind: 'throttled'; readonly waitSeconds?: number }
  /** The answer was lost, so the provider may have accepted it. Retry only with idempotency. */
  | { readonly kind: 'unknown' };

/** A provider of sms or whatsapp, for one account. */
export interface TextProvider {
  /** True when the provider sends one text per `messageId`, however often it is submitted. */
  readonly takesReference: boolean;
  /** Never throws for a failure of the provider or the network. */
  send(text: Text): Promise<TextOutcome>;
}
