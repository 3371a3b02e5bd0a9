/** Why a message was not sent, or did not arrive. */
export interface Failure {
  readonly code: string;
  readonly reason: string;
}

/** As it is recorded: without a reason, which may quote the address, where the recipient has been erased. */
export type RecordedFailure = Pick<Failure, 'code'> & Partial<Failure>;

/** Failures whose code is ours and no provider’s: code, and reason for people where the provider gives none. The documentation has a row for each code. */
export const failures = {
  blocked: { code: 'send_blocked', reason: 'A rule blocked the message at its time.' },
  noProvider: { code: 'no_provider', reason: 'The account has no provider for this channel.' },
  unavailable: {
    code: 'provider_unavailable',
    reason: 'The provider did not accept the message in several attempts, or has stopped responding.',
  },
  expired: { code: 'expired', reason: 'The message was not sent before it expired. Its credits were returned.' },
  outlived: {
    code: 'expired',
    reason:
      'The message could not be sent for so long after its time that its content was deleted. Its credits were returned.',
  },
  interrupted: {
    code: 'send_interrupted',
    reason: 'The send was interrupted before the provider responded. Its credits were returned.',
  },
  unconfirmed: {
    code: 'send_unconfirmed',
    reason:
      'The provider’s response was lost and no delivery report has arrived. The message may have been delivered, so its credits were not returned.',
  },
  restored: {
    code: 'restored',
    reason: 'The message was due while the service was restored, and was not sent since. Its credits were returned.',
  },
  unreported: {
    code: 'report_timeout',
    reason: 'No delivery report arrived within 72 hours. The message may have been delivered.',
  },
  misconfigured: { code: 'provider_misconfigured', reason: 'The provider cannot be called with these settings.' },
  addressSuppressed: {
    code: 'address_suppressed',
    reason: 'The email provider does not send to this address any more.',
  },
  contentRejected: { code: 'rejected', reason: 'The email provider rejected the content.' },
  notRendered: { code: 'rendering_failed', reason: 'The email could not be rendered.' },
  undelivered: { code: 'undelivered', reason: 'The gateway reported that the message was not delivered.' },
  failedAtMeta: { code: 'failed', reason: 'Meta reported a failure.' },
} as const;

export type OwnFailureCode = (typeof failures)[keyof typeof failures]['code'];

/** A failure with the reason that the provider gives, if it gives one. */
export const because = (failure: Failure, reason = failure.reason): Failure => ({ code: failure.code, reason });

/** Carriers report within this time or never. */
export const reportPatienceMs = 72 * 3_600_000;

/** A rule blocks a scheduled message at its time. */
export const blockedAtItsTime = (reason: string): Failure => because(failures.blocked, reason);

interface Expiring {
  readonly expiresMs: number | undefined;
}

export const isExpired = ({ expiresMs }: Expiring, nowMs: number): boolean =>
  expiresMs !== undefined && nowMs >= expiresMs;

/** Why a text that was not sent ends. */
export const unsentFailure = (message: Expiring, otherwise: Failure, nowMs: number): Failure =>
  isExpired(message, nowMs) ? failures.expired : otherwise;
