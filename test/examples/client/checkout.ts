// Generated from the API’s description by generate.ts. Do not edit.

/** The body of an error response: `error` takes the place of `data`. */
export type ErrorResponse = { error: { code: "unauthorized" | "forbidden_scope" | "not_found" | "rate_limited" | "internal_error" | "bad_request" | "session_not_found" | "session_not_open" | "payment_in_progress" | "unsupported_currency" | "method_unavailable"; message: string; docsUrl: string } };

/** A payment method that can be used for the session. */
export type EligibleMethod = { acceptanceMethodId: string; mode: "GATEWAY"; gatewayCode: string; displayLabel: string; sortOrder: number };

/** A payment has succeeded and its session is complete. `metadata` is the session’s, verbatim. */
export type PaymentSucceededEvent = { event: "payment.succeeded"; merchantId: string; data: { paymentId: string; checkoutSessionId: string; amountMinor: number; currency: string; metadata: {  } } };

/** A payment was declined or cancelled. Another payment of the same session may still succeed; it has another `paymentId`. */
export type PaymentFailedEvent = { event: "payment.failed"; merchantId: string; data: { paymentId: string; checkoutSessionId: string; amountMinor: number; currency: string; metadata: {  } } };

/** The gateway has completed a refund that an operator requested, in full or in part. */
export type RefundSucceededEvent = { event: "refund.succeeded"; merchantId: string; data: { refundId: string; paymentId: string; amountMinor: number; status: "SUCCEEDED" | "FAILED" } };

/** The gateway rejected the refund; no money moved. */
export type RefundFailedEvent = { event: "refund.failed"; merchantId: string; data: { refundId: string; paymentId: string; amountMinor: number; status: "SUCCEEDED" | "FAILED" } };

export interface Operations {
/** Create a checkout session */
'POST /checkout-sessions': { request: {   body: { amountMinor: number; currency: string; description?: string; customer?: { name?: string; email?: string; phone?: string }; successUrl?: string; cancelUrl?: string; metadata?: Record<string, string>; invoiceId?: string }; }; reply: { data: { id: string; status: "OPEN" | "COMPLETED" | "EXPIRED"; amountMinor: number; currency: string; url: string; eligibleMethods: (EligibleMethod)[]; livemode: boolean; expiresAt: string } } };
/** Get what the hosted page shows of a session */
'GET /public/checkout-sessions/{id}': { request: { path: { id: string };   }; reply: { data: { id: string; status: "OPEN" | "COMPLETED" | "EXPIRED"; paymentStatus: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED"; amountMinor: number; currency: string; description: string | null; livemode: boolean; expiresAt: string; eligibleMethods: (EligibleMethod)[]; merchant: { name: string } } } };
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
}

/** Retries of these have no second effect, because they take an Idempotency-Key. */
export const replayable: ReadonlySet<string> = new Set(['POST /checkout-sessions']);

