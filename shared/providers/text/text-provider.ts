/** One sms or whatsapp text, ready to be handed over. */
export interface Text {
  /** Ours: where the provider takes a reference, it sends a message of one id once. */
  readonly messageId: string;
  readonly accountId: string;
  /** E.164, with its `+`. */
  readonly to: string;
  readonly text: string;
  /** Where a provider that is told per message reports to; it names the message under a seal. */
  readonly reportUrl: string;
}

/** What a provider made of a text. */
export type TextOutcome =
  /** It has it. `reference`: what its reports will call it, if not by our id. */
  | { readonly kind: 'accepted'; readonly reference: string | undefined }
  /** It will not have it, now or later, and has sent nothing. */
  | { readonly kind: 'refused'; readonly code: string; readonly reason: string }
  /** It has taken nothing and may take it later: throttled, overloaded, not reached. `waitSeconds`: what it asked for. */
  | { readonly kind: 'unavailable'; readonly waitSeconds?: number }
  /** Its answer was lost: it may have it. Worth asking again only where it takes our reference. */
  | { readonly kind: 'unknown' };

/** A provider of sms or whatsapp, for one account. */
export interface TextProvider {
  /** Sends a text of one `messageId` once, however often it is asked. */
  readonly takesReference: boolean;
  /** Never throws for what the provider or the network does. */
  send(text: Text): Promise<TextOutcome>;
}
