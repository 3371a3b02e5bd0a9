/** How a text ends when no provider says how: its code and, for people, its reason. */
export const failures = {
  noProvider: { code: 'no_provider', reason: 'The account has no provider for this channel.' },
  unavailable: {
    code: 'provider_unavailable',
    reason: 'The provider did not take the message, however often it was asked.',
  },
  interrupted: {
    code: 'send_interrupted',
    reason: 'The send was interrupted before the provider answered. What it cost was given back.',
  },
  unconfirmed: {
    code: 'send_unconfirmed',
    reason: 'The provider’s answer was lost and no report has come; the message may have arrived. It keeps its price.',
  },
  unreported: { code: 'report_timeout', reason: 'No report came within 72 hours; the message may have arrived.' },
} as const;
