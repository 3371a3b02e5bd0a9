// Generated from the API’s description by generate.ts. Do not edit.

/** The body of an error response: `error` takes the place of `data`. */
export type ErrorResponse = { error: { code: "unauthorized" | "forbidden_scope" | "not_found" | "conflict" | "rate_limited" | "internal_error" | "bad_request" | "session_not_found" | "session_not_open" | "payment_in_progress" | "unsupported_currency" | "method_unavailable" | "payment_not_found" | "refund_not_found"; message: string; docsUrl: string } };

/** A payment method that can be used for the session. */
export type EligibleMethod = { acceptanceMethodId: string; mode: "GATEWAY"; gatewayCode: string; displayLabel: string; sortOrder: number };

/** A checkout session with its payments. */
export type CheckoutSession = { id: string; status: "OPEN" | "COMPLETED" | "EXPIRED"; amountMinor: number; currency: string; url: string; eligibleMethods: (EligibleMethod)[]; livemode: boolean; expiresAt: string; lineItems?: ({ name: string; quantity: number; unitAmountMinor: number; imageUrl?: string })[]; locale?: "bn" | "en"; paymentStatus: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; description: string | null; customer: { name?: string; email?: string; phone?: string }; successUrl: string | null; cancelUrl: string | null; metadata: Record<string, string>; invoiceId: string | null; createdAt: string; payments: (CheckoutPayment)[] };

/** One attempt to pay a session. */
export type CheckoutPayment = { id: string; checkoutSessionId: string; status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; amountMinor: number; refundedMinor: number; currency: string; gatewayCode: string; displayLabel: string; gatewayTransactionId: string | null; failureCode: string | null; failureReason: string | null; createdAt: string; settledAt: string | null; metadata: Record<string, string>; invoiceId: string | null };

/** A refund of a payment, in full or in part. */
export type Refund = { id: string; paymentId: string; amountMinor: number; currency: string; status: "PENDING" | "SUCCEEDED" | "FAILED"; reason: string | null; isAutomatic: boolean; failureReason: string | null; createdAt: string };

/** A payment has succeeded and its session is complete. `metadata` is the session’s, verbatim. */
export type PaymentSucceededEvent = { event: "payment.succeeded"; merchantId: string; data: { paymentId: string; checkoutSessionId: string; amountMinor: number; currency: string; metadata: Record<string, string> } };

/** A payment was declined, cancelled or rejected. Another payment of the same session may still succeed; it has another `paymentId`. */
export type PaymentFailedEvent = { event: "payment.failed"; merchantId: string; data: { paymentId: string; checkoutSessionId: string; amountMinor: number; currency: string; metadata: Record<string, string> } };

/** The gateway has completed a refund that you or an operator requested, in full or in part. */
export type RefundSucceededEvent = { event: "refund.succeeded"; merchantId: string; data: { refundId: string; paymentId: string; amountMinor: number; status: "SUCCEEDED" | "FAILED" } };

/** The gateway rejected the refund; no money moved. */
export type RefundFailedEvent = { event: "refund.failed"; merchantId: string; data: { refundId: string; paymentId: string; amountMinor: number; status: "SUCCEEDED" | "FAILED" } };

/** A session has expired without being paid, by its time or by your call; sent within about a minute, once, to subscriptions that name it. */
export type CheckoutSessionExpiredEvent = { event: "checkout_session.expired"; merchantId: string; data: { checkoutSessionId: string; metadata: Record<string, string> } };

export interface Operations {
/** Create a checkout session */
'POST /checkout-sessions': { request: {   body: { amountMinor: number; currency: string; description?: string; customer?: { name?: string; email?: string; phone?: string }; successUrl?: string; cancelUrl?: string; metadata?: Record<string, string>; invoiceId?: string; lineItems?: ({ name: string; quantity: number; unitAmountMinor: number; imageUrl?: string })[]; locale?: "bn" | "en"; expiresInSeconds?: number }; }; reply: { data: { id: string; status: "OPEN" | "COMPLETED" | "EXPIRED"; amountMinor: number; currency: string; url: string; eligibleMethods: (EligibleMethod)[]; livemode: boolean; expiresAt: string; lineItems?: ({ name: string; quantity: number; unitAmountMinor: number; imageUrl?: string })[]; locale?: "bn" | "en" } } };
/** List checkout sessions with their payments, newest first */
'GET /checkout-sessions': { request: {  query?: { status?: "OPEN" | "COMPLETED" | "EXPIRED"; from?: string; to?: string; invoiceId?: string; limit?: number; cursor?: string };  }; reply: { data: (CheckoutSession)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Get a checkout session with its payments */
'GET /checkout-sessions/{id}': { request: { path: { id: string };   }; reply: { data: CheckoutSession } };
/** Expire a checkout session now */
'POST /checkout-sessions/{id}/expire': { request: { path: { id: string };   }; reply: { data: CheckoutSession } };
/** List payments, newest first */
'GET /payments': { request: {  query?: { status?: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; from?: string; to?: string; invoiceId?: string; limit?: number; cursor?: string };  }; reply: { data: (CheckoutPayment)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Get a payment */
'GET /payments/{id}': { request: { path: { id: string };   }; reply: { data: CheckoutPayment } };
/** Refund a payment, in full or in part */
'POST /payments/{id}/refunds': { request: { path: { id: string };  body: { amountMinor?: number; reason?: string }; }; reply: { data: Refund } };
/** List refunds, newest first */
'GET /refunds': { request: {  query?: { status?: "PENDING" | "SUCCEEDED" | "FAILED"; from?: string; to?: string; invoiceId?: string; limit?: number; cursor?: string };  }; reply: { data: (Refund)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Get a refund */
'GET /refunds/{id}': { request: { path: { id: string };   }; reply: { data: Refund } };
/** Get what the hosted page shows of a session */
'GET /public/checkout-sessions/{id}': { request: { path: { id: string };   }; reply: { data: { id: string; status: "OPEN" | "COMPLETED" | "EXPIRED"; paymentStatus: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; amountMinor: number; currency: string; description: string | null; livemode: boolean; expiresAt: string; eligibleMethods: (EligibleMethod)[]; lineItems?: ({ name: string; quantity: number; unitAmountMinor: number; imageUrl?: string })[]; locale?: "bn" | "en"; merchant: { name: string } } } };
/** Get the status of a session */
'GET /public/checkout-sessions/{id}/status': { request: { path: { id: string };   }; reply: { data: { status: "OPEN" | "COMPLETED" | "EXPIRED"; paymentStatus: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" } } };
/** Start a payment of a session */
'POST /public/checkout-sessions/{id}/payments': { request: { path: { id: string };  body: { acceptanceMethodId: string }; }; reply: { data: { paymentId: string; status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; redirectUrl: string } } };
}

export interface Events {
'payment.succeeded': PaymentSucceededEvent;
'payment.failed': PaymentFailedEvent;
'refund.succeeded': RefundSucceededEvent;
'refund.failed': RefundFailedEvent;
'checkout_session.expired': CheckoutSessionExpiredEvent;
}

/** Retries of these have no second effect, because they take an Idempotency-Key. */
export const replayable: ReadonlySet<string> = new Set(['POST /checkout-sessions', 'POST /payments/{id}/refunds']);

