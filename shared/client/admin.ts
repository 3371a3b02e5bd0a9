// Generated from the API’s description by generate.ts. Do not edit.

/** The body of an error response: `error` takes the place of `data`. */
export type ErrorResponse = { error: { code: "invalid_request" | "unauthorized" | "forbidden_scope" | "contact_not_found" | "webhook_not_found" | "not_found" | "conflict" | "idempotency_conflict" | "rate_limited" | "internal_error" | "session_not_found" | "payment_not_refundable" | "account_not_found" | "api_key_not_found" | "checkout_key_not_found" | "payment_not_found" | "refund_not_found" | "delivery_not_found" | "upstream_unavailable"; message: string; docsUrl: string } };

/** A person who may use an account. */
export type Member = { id: string; email: string; createdAt: string; invitedBy: string; role: "viewer" | "developer" | "owner" };

/** A change that a person or a token made or tried. */
export type AuditEntry = { id: string; at: string; actor: { kind: "session" | "token"; email: string | null; name: string | null }; action: string; resource: string; accountId: string | null; status: number | null; address: string; userAgent: string };

/** A person who may use every account. */
export type Operator = { id: string; email: string; createdAt: string; invitedBy: string };

/** An operator token without its secret part. */
export type OperatorToken = { id: string; name: string; prefix: string; createdAt: string; createdBy: string | null };

/** One customer. Only the kind of a provider is shown. */
export type Account = { name: string; status: "active" | "frozen"; adminEmails: (string)[]; email: { fromAddress: string | null; fromName: string | null; listUnsubscribe: boolean; verifiedDomains: (string)[] }; sms: { sender: string; senderKind: "masked" | "non_masked"; provider: { kind: string } | null; messagesPerSecond: number | null }; whatsapp: { provider: { kind: string } | null; messagesPerSecond: number | null }; checkout: { acceptsLatePayments: boolean; sendsReceipts: boolean }; branding: { logoUrl: string | null; color: string | null; supportEmail: string | null; supportPhone: string | null; statementName: string | null }; webhooks: { maxSubscriptions: number }; suppressions: "off" | "enforced"; quietHours: { start: string; end: string; countries?: (string)[]; withCountryRules?: boolean } | null; frequencyCap: { max: number; windowSeconds: number } | null; id: string; createdAt: string; updatedAt: string };

/** A change of the credits. A negative number was subtracted from its counter. */
export type LedgerEntry = { email: number; smsMasked: number; smsNonMasked: number; id: string; at: string; kind: "sends" | "adjustment" | "set"; who: string | null; reason: string | null };

/** A request with one of the account’s keys. */
export type LoggedRequest = { at: string; method: string; path: string; route: string; status: number; errorCode?: string; durationMs: number; keyPrefix: string | null; requestId: string; isFromDashboard: boolean; isReplay: boolean; ignored?: (string)[] };

/** A key without its secret part. */
export type ApiKey = { id: string; name: string; prefix: string; scopes: ("messages:send" | "messages:read" | "contacts:read" | "contacts:write" | "templates:read" | "templates:write" | "analytics:read" | "webhooks:manage")[]; rateLimitPerMinute: number; createdAt: string; revokedAt: string | null };

/** A subscription to events of messages. */
export type Webhook = { id: string; name: string; url: string; events: (string)[]; isActive: boolean; totalSent: number; totalFailed: number; lastSentAt: string | null; lastFailedAt: string | null; createdAt: string; updatedAt: string; hasSecret: boolean };

/** The delivery of one event to one subscription. */
export type Delivery = { id: string; webhookId: string; event: string; eventId: string | null; state: "pending" | "succeeded" | "failed" | "cancelled"; attempts: ({ number: number; at: string; statusCode: number; responseTime: number; responseBody: string; success: boolean })[]; attemptsMade: number; nextAttemptAt: string | null; createdAt: string };

/** A refund of a payment, in full or in part. */
export type Refund = { id: string; paymentId: string; amountMinor: number; currency: string; status: "PENDING" | "SUCCEEDED" | "FAILED"; reason: string | null; isAutomatic: boolean; failureReason: string | null; createdAt: string };

/** A refund of a payment, in full or in part. */
export type ListedRefund = { id: string; paymentId: string; amountMinor: number; currency: string; status: "PENDING" | "SUCCEEDED" | "FAILED"; reason: string | null; isAutomatic: boolean; failureReason: string | null; createdAt: string; orderNumber?: string };

/** One attempt to pay a session. */
export type Payment = { id: string; checkoutSessionId: string; gatewayCode: string; livemode: boolean; status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; mark: ("held" | "surplus" | "late" | "cancelled") | (null); amountMinor: number; currency: string; refundableMinor: number; transactionId: string | null; lastAnswer: { state: string; code?: string; reason?: string; reported?: { amountMinor?: number; currency?: string; paymentId?: string; reference?: string; transactionId?: string; isRisky?: boolean }; at: string } | null; review: { decision: "accept" | "refund" | "reject"; reason?: string; amountMinor?: number; at: string } | null; createdAt: string };

/** A subscription to checkout events. */
export type CheckoutWebhook = { id: string; name: string; url: string; events: (string)[]; isActive: boolean; totalSent: number; totalFailed: number; lastSentAt: string | null; lastFailedAt: string | null; createdAt: string; updatedAt: string };

/** A key without its secret part. */
export type CheckoutKey = { allowedOrigins?: (string)[]; redirectHosts?: (string)[]; maxAmountMinor?: number; id: string; prefix: string; kind: "secret" | "publishable"; livemode: boolean; name: string; rateLimitPerMinute: number; createdAt: string; revokedAt: string | null };

/** A payment method, without its credentials. */
export type AcceptanceMethod = { acceptanceMethodId: string; gatewayCode: "sim_card" | "sim_wallet" | "sim_bank" | "sslcommerz" | "bkash"; displayLabel: string; displayLabelBn?: string; livemode: boolean; enabled: boolean; sortOrder: number; hasCredentials: boolean };

/** A recipient of the account’s messages. */
export type Contact = { id: string; email: string | null; phone: string | null; firstName: string | null; lastName: string | null; tags: (string)[]; source: string | null; status: "active" | "unsubscribed" | "bounced" | "complained" | "quarantined"; customFields: Record<string, unknown>; createdAt: string; updatedAt: string };

/** A consent, or its withdrawal. */
export type Consent = { channel: "sms" | "whatsapp" | "email"; status: "active" | "withdrawn"; source: string; text: string | null; by: "operator" | "recipient" | "platform"; at: string };

export interface Operations {
/** Sign out */
'POST /sign-out': { request: {    }; reply: undefined };
/** Get who is calling */
'GET /me': { request: {    }; reply: { data: { kind: "session" | "token"; email: string | null; name: string | null; isOperator: boolean; accounts: ({ id: string; name: string; status: "active" | "frozen"; createdAt: string; role: "viewer" | "developer" | "owner" })[]; sessionId: string | null; expiresAt: string | null } } };
/** List your own sessions */
'GET /sessions': { request: {    }; reply: { data: ({ id: string; createdAt: string; expiresAt: string; address: string; userAgent: string; isCurrent: boolean })[] } };
/** End one of your own sessions */
'DELETE /sessions/{sessionId}': { request: { path: { sessionId: string };   }; reply: undefined };
/** List accounts */
'GET /accounts': { request: {  query?: { limit?: number; cursor?: string; search?: string };  }; reply: { data: ({ id: string; name: string; status: "active" | "frozen"; createdAt: string })[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Create an account */
'POST /accounts': { request: {   body: { name: string }; }; reply: { data: Account } };
/** Get a key of a public API for 15 minutes */
'POST /accounts/{id}/access-keys': { request: { path: { id: string };  body: ({ api: "messaging" }) | ({ api: "checkout"; livemode: boolean }); }; reply: { data: { key: string; expiresAt: string; scopes?: ("messages:send" | "messages:read" | "contacts:read" | "contacts:write" | "templates:read" | "templates:write" | "analytics:read" | "webhooks:manage")[] } } };
/** List the members of an account */
'GET /accounts/{id}/members': { request: { path: { id: string }; query?: { limit?: number; cursor?: string };  }; reply: { data: (Member)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Add a member to an account */
'POST /accounts/{id}/members': { request: { path: { id: string };  body: { email: string; role: "viewer" | "developer" | "owner" }; }; reply: { data: Member } };
/** Change the role of a member */
'PATCH /accounts/{id}/members/{memberId}': { request: { path: { id: string; memberId: string };  body: { role: "viewer" | "developer" | "owner" }; }; reply: { data: Member } };
/** Remove a member from an account */
'DELETE /accounts/{id}/members/{memberId}': { request: { path: { id: string; memberId: string };   }; reply: undefined };
/** List the audit log of an account */
'GET /accounts/{id}/audit-log': { request: { path: { id: string }; query?: { limit?: number; cursor?: string; from?: string; to?: string };  }; reply: { data: (AuditEntry)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** List the audit log of the platform */
'GET /audit-log': { request: {  query?: { limit?: number; cursor?: string; from?: string; to?: string };  }; reply: { data: (AuditEntry)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** List the operators of the platform */
'GET /operators': { request: {  query?: { limit?: number; cursor?: string };  }; reply: { data: (Operator)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Add an operator of the platform */
'POST /operators': { request: {   body: { email: string }; }; reply: { data: Operator } };
/** Remove an operator of the platform */
'DELETE /operators/{operatorId}': { request: { path: { operatorId: string };   }; reply: undefined };
/** List operator tokens */
'GET /operator-tokens': { request: {    }; reply: { data: (OperatorToken)[] } };
/** Create an operator token; it is shown only in this response */
'POST /operator-tokens': { request: {   body: { name: string }; }; reply: { data: { id: string; name: string; prefix: string; createdAt: string; createdBy: string | null; token: string } } };
/** Revoke an operator token immediately */
'DELETE /operator-tokens/{tokenId}': { request: { path: { tokenId: string };   }; reply: undefined };
/** Get an account */
'GET /accounts/{id}': { request: { path: { id: string };   }; reply: { data: Account } };
/** Change the settings of an account */
'PATCH /accounts/{id}': { request: { path: { id: string };  body: { name?: string; status?: "active" | "frozen"; adminEmails?: (string)[]; email?: { fromAddress?: string | null; fromName?: string | null; listUnsubscribe?: boolean; verifiedDomains?: (string)[] }; sms?: { sender?: string; senderKind?: "masked" | "non_masked"; provider?: (({ kind: "simulator" }) | ({ kind: "aws"; configurationSetName?: string }) | ({ kind: "http"; url: string; method?: "GET" | "POST" | "PUT"; headers?: Record<string, string>; body?: string; encodings?: { gsm7: string; ucs2: string }; takesReference?: boolean; answer?: { accepted?: { at: string; isOneOf: (string)[] }; reference?: string; code?: string; reason?: string }; report?: { delivered: { at: string; isOneOf: (string)[] }; failed?: { at: string; isOneOf: (string)[] }; rejected?: { at: string; isOneOf: (string)[] }; code?: string; reason?: string }; inbound?: { from: string; text: string; id?: string; country?: string } })) | (null); messagesPerSecond?: number | null }; whatsapp?: { provider?: (({ kind: "simulator" }) | ({ kind: "meta"; phoneNumberId: string; businessAccountId: string; accessToken: string; appSecret: string; verifyToken: string })) | (null); messagesPerSecond?: number | null }; checkout?: { acceptsLatePayments?: boolean; sendsReceipts?: boolean }; branding?: { logoUrl?: string | null; color?: string | null; supportEmail?: string | null; supportPhone?: string | null; statementName?: string | null }; webhooks?: { maxSubscriptions?: number }; suppressions?: "off" | "enforced"; quietHours?: { start: string; end: string; countries?: (string)[]; withCountryRules?: boolean } | null; frequencyCap?: { max: number; windowSeconds: number } | null }; }; reply: { data: Account } };
/** List the URLs that the providers of an account must call */
'GET /accounts/{id}/callback-urls': { request: { path: { id: string };   }; reply: { data: { smsInbound: string; whatsapp: string } } };
/** Replace the URL for inbound sms of an account, with an overlap */
'POST /accounts/{id}/callback-urls/rotate': { request: { path: { id: string };  body: { overlapSeconds: number }; }; reply: { data: { smsInbound: string; previousValidUntil: string } } };
/** Sync the WhatsApp templates of an account with Meta */
'POST /accounts/{id}/whatsapp/templates/sync': { request: { path: { id: string };   }; reply: { data: { synced: number; changed: number } } };
/** Get the credit counters of an account */
'GET /accounts/{id}/credits': { request: { path: { id: string };   }; reply: { data: { email: number; smsMasked: number; smsNonMasked: number } } };
/** Set the credit counters of an account */
'PUT /accounts/{id}/credits': { request: { path: { id: string };  body: { email: number; smsMasked: number; smsNonMasked: number }; }; reply: { data: { email: number; smsMasked: number; smsNonMasked: number } } };
/** Add credits to an account or remove them */
'POST /accounts/{id}/credits/adjustments': { request: { path: { id: string };  body: { email?: number; smsMasked?: number; smsNonMasked?: number; reason?: string }; }; reply: { data: { email: number; smsMasked: number; smsNonMasked: number } } };
/** List the credit ledger of an account */
'GET /accounts/{id}/credits/ledger': { request: { path: { id: string }; query?: { limit?: number; cursor?: string };  }; reply: { data: (LedgerEntry)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** List the API requests of an account */
'GET /accounts/{id}/requests': { request: { path: { id: string }; query?: { source?: "keys" | "dashboard"; status?: "2xx" | "3xx" | "4xx" | "5xx"; method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE"; path?: string; limit?: number; cursor?: string };  }; reply: { data: (LoggedRequest)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Spread the traffic of a busy account over more of the table */
'PUT /accounts/{id}/spread': { request: { path: { id: string };  body: { creditShards?: 1 | 2 | 4 | 8 | 16 | 32 | 64; messageShards?: 1 | 2 | 4 | 8 | 16 }; }; reply: { data: { creditShards: number; messageShards: number } } };
/** Create an API key; the key is shown only in this response */
'POST /accounts/{id}/api-keys': { request: { path: { id: string };  body: { name: string; scopes: ("messages:send" | "messages:read" | "contacts:read" | "contacts:write" | "templates:read" | "templates:write" | "analytics:read" | "webhooks:manage")[]; rateLimitPerMinute?: number }; }; reply: { data: { id: string; name: string; prefix: string; scopes: ("messages:send" | "messages:read" | "contacts:read" | "contacts:write" | "templates:read" | "templates:write" | "analytics:read" | "webhooks:manage")[]; rateLimitPerMinute: number; createdAt: string; revokedAt: string | null; key: string } } };
/** List the API keys of an account, newest first, including revoked keys */
'GET /accounts/{id}/api-keys': { request: { path: { id: string }; query?: { limit?: number; cursor?: string };  }; reply: { data: (ApiKey)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** List the messaging webhook subscriptions of an account */
'GET /accounts/{id}/webhooks': { request: { path: { id: string };   }; reply: { data: (Webhook)[] } };
/** List the deliveries of a webhook subscription with their attempts */
'GET /accounts/{id}/webhooks/{webhookId}/deliveries': { request: { path: { id: string; webhookId: string }; query?: { state?: "pending" | "succeeded" | "failed" | "cancelled"; event?: string; limit?: number; cursor?: string };  }; reply: { data: (Delivery)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Resend a delivery to its webhook subscription */
'POST /accounts/{id}/webhooks/{webhookId}/deliveries/{deliveryId}/resend': { request: { path: { id: string; webhookId: string; deliveryId: string };   }; reply: { data: { id: string; attempt: number } } };
/** Redeliver failed events since a given time */
'POST /accounts/{id}/webhooks/{webhookId}/deliveries/resend-failed': { request: { path: { id: string; webhookId: string };  body: { since: string; states?: ("failed" | "cancelled")[] }; }; reply: { data: { count: number } } };
/** Refund a payment of any account, in full or in part */
'POST /payments/{paymentId}/refunds': { request: { path: { paymentId: string };  body: { amountMinor?: number; reason?: string }; }; reply: { data: Refund } };
/** List the refunds of a payment */
'GET /payments/{paymentId}/refunds': { request: { path: { paymentId: string };   }; reply: { data: (ListedRefund)[] } };
/** Settle a refund that its gateway leaves open */
'POST /payments/{paymentId}/refunds/{refundId}/resolution': { request: { path: { paymentId: string; refundId: string };  body: { status: "SUCCEEDED" | "FAILED"; failureReason?: string }; }; reply: { data: Refund } };
/** Settle a payment that is held for review */
'POST /payments/{paymentId}/resolution': { request: { path: { paymentId: string };  body: { decision: "accept" | "refund" | "reject"; amountMinor?: number; reason?: string }; }; reply: { data: Payment } };
/** List the payments of an account with the last response of their gateways */
'GET /accounts/{id}/payments': { request: { path: { id: string }; query?: { mark?: "held" | "surplus" | "late" | "cancelled"; limit?: number; cursor?: string };  }; reply: { data: (Payment)[]; states: Record<string, number>; pagination: { cursor: string | null; hasMore: boolean } } };
/** Inject faults into the payments of a test session */
'PUT /checkout-sessions/{id}/chaos': { request: { path: { id: string };  body: { chaos: ("duplicate_notification" | "tampered_amount" | "late_success") | (null) }; }; reply: { data: { id: string; chaos: ("duplicate_notification" | "tampered_amount" | "late_success") | (null) } } };
/** Subscribe a URL to checkout events */
'POST /accounts/{id}/checkout-webhooks': { request: { path: { id: string };  body: { url: string; events?: ("payment.succeeded" | "payment.failed" | "refund.succeeded" | "refund.failed" | "checkout_session.expired")[]; name?: string }; }; reply: { data: { id: string; name: string; url: string; events: (string)[]; isActive: boolean; totalSent: number; totalFailed: number; lastSentAt: string | null; lastFailedAt: string | null; createdAt: string; updatedAt: string; secret: string } } };
/** List the checkout webhook subscriptions of an account */
'GET /accounts/{id}/checkout-webhooks': { request: { path: { id: string };   }; reply: { data: (CheckoutWebhook)[] } };
/** Delete a checkout webhook subscription and its deliveries */
'DELETE /accounts/{id}/checkout-webhooks/{webhookId}': { request: { path: { id: string; webhookId: string };   }; reply: undefined };
/** List the deliveries of a webhook subscription with their attempts */
'GET /accounts/{id}/checkout-webhooks/{webhookId}/deliveries': { request: { path: { id: string; webhookId: string }; query?: { state?: "pending" | "succeeded" | "failed" | "cancelled"; event?: string; limit?: number; cursor?: string };  }; reply: { data: (Delivery)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Resend a delivery to its webhook subscription */
'POST /accounts/{id}/checkout-webhooks/{webhookId}/deliveries/{deliveryId}/resend': { request: { path: { id: string; webhookId: string; deliveryId: string };   }; reply: { data: { id: string; attempt: number } } };
/** Redeliver failed events since a given time */
'POST /accounts/{id}/checkout-webhooks/{webhookId}/deliveries/resend-failed': { request: { path: { id: string; webhookId: string };  body: { since: string; states?: ("failed" | "cancelled")[] }; }; reply: { data: { count: number } } };
/** Revoke an API key immediately */
'DELETE /api-keys/{keyId}': { request: { path: { keyId: string };   }; reply: undefined };
/** Create a checkout key; the key is shown only in this response */
'POST /accounts/{id}/checkout-keys': { request: { path: { id: string };  body: { allowedOrigins?: (string)[]; redirectHosts?: (string)[]; maxAmountMinor?: number; kind: "secret" | "publishable"; livemode: boolean; name: string; rateLimitPerMinute?: number }; }; reply: { data: { allowedOrigins?: (string)[]; redirectHosts?: (string)[]; maxAmountMinor?: number; id: string; prefix: string; kind: "secret" | "publishable"; livemode: boolean; name: string; rateLimitPerMinute: number; createdAt: string; revokedAt: string | null; key: string; secret: string } } };
/** List the checkout keys of an account, newest first, including revoked keys */
'GET /accounts/{id}/checkout-keys': { request: { path: { id: string }; query?: { limit?: number; cursor?: string };  }; reply: { data: (CheckoutKey)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Revoke a checkout key immediately */
'DELETE /checkout-keys/{keyId}': { request: { path: { keyId: string };   }; reply: undefined };
/** List the payment methods of an account, in display order */
'GET /accounts/{id}/checkout-methods': { request: { path: { id: string };   }; reply: { data: (AcceptanceMethod)[] } };
/** Replace the payment methods of an account */
'PUT /accounts/{id}/checkout-methods': { request: { path: { id: string };  body: ({ acceptanceMethodId?: string; gatewayCode: "sim_card" | "sim_wallet" | "sim_bank" | "sslcommerz" | "bkash"; displayLabel: string; displayLabelBn?: string; livemode: boolean; enabled: boolean; sortOrder: number; credentials?: Record<string, string> })[]; }; reply: { data: (AcceptanceMethod)[] } };
/** Set the status of a contact */
'PATCH /contacts/{id}': { request: { path: { id: string };  body: { status: "active" | "unsubscribed" | "bounced" | "complained" | "quarantined" }; }; reply: { data: Contact } };
/** List the consents of a contact, current and past */
'GET /contacts/{id}/consents': { request: { path: { id: string };   }; reply: { data: { current: (Consent)[]; history: (Consent)[] } } };
/** Record a consent of a contact to a channel, or its withdrawal */
'PUT /contacts/{id}/consents/{channel}': { request: { path: { id: string; channel: "sms" | "whatsapp" | "email" };  body: { status: "active" | "withdrawn"; source?: string; text?: string | null }; }; reply: { data: Consent } };
/** Record an inbound whatsapp message */
'POST /accounts/{id}/whatsapp/inbound': { request: { path: { id: string };  body: { from: string; text: string }; }; reply: undefined };
}

export interface Events {

}

/** Retries of these have no second effect, because they take an Idempotency-Key. */
export const replayable: ReadonlySet<string> = new Set(['POST /accounts/{id}/credits/adjustments', 'POST /payments/{paymentId}/refunds']);

