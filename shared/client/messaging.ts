// Generated from the API’s description by generate.ts. Do not edit.

/** The body of an error response: `error` takes the place of `data`. */
export type ErrorResponse = { error: { code: "invalid_request" | "invalid_recipient" | "invalid_attachment" | "attachment_too_large" | "unauthorized" | "insufficient_credits" | "forbidden_scope" | "template_not_found" | "contact_not_found" | "message_not_found" | "not_found" | "conflict" | "idempotency_conflict" | "send_blocked" | "rate_limited" | "internal_error"; message: string; docsUrl: string } };

/** The body of an error response of webhook management. */
export type OlderErrorResponse = { statusCode: number; error: "invalid_request" | "unauthorized" | "forbidden_scope" | "webhook_not_found" | "not_found" | "rate_limited" | "internal_error"; message: string; timestamp: string; path: string };

/** A file attached to an email: its content, or the id of its upload. */
export type Attachment = { filename?: string; content?: string; uploadId?: string; contentType?: string; cid?: string };

/** One message to one recipient. */
export type Message = { id: string; channel: "email" | "sms" | "whatsapp"; status: "queued" | "sending" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "failed" | "read" | "rejected" | "unsubscribed" | "complained"; to: string | null; tags: (string)[]; metadata: Record<string, unknown>; createdAt: string; scheduledAt?: string; sentAt: string | null; deliveredAt: string | null; failedAt: string | null; failureReason: string | null; failureCode: string | null };

/** A CSV file with the rows of a list. */
export type Export = { id: string; status: "processing" | "completed" | "failed"; rows: number; url: string | null; expiresAt: string | null; createdAt: string; completedAt: string | null };

/** One thing that happened to a message. */
export type MessageTimelineEntry = { at: string; type: "accepted" | "attempt" | "queued" | "sending" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "failed" | "read" | "rejected" | "unsubscribed" | "complained" | "unreported" | "webhook_delivery"; detail: { outcome?: "accepted" | "refused" | "unavailable" | "unknown"; reference?: string; code?: string; reason?: string; scheduledAt?: string; event?: string; webhookId?: string; deliveryId?: string; state?: string; statusCode?: number; attempts?: number } };

/** An account as its own keys see it. */
export type OwnAccount = { id: string; name: string; status: "active" | "frozen"; scopes: ("messages:send" | "messages:read" | "contacts:read" | "contacts:write" | "templates:read" | "templates:write" | "analytics:read" | "webhooks:manage")[]; rateLimitPerMinute: number; credits: { email: number; smsMasked: number; smsNonMasked: number } };

/** A recipient of the account’s messages. */
export type Contact = { id: string; email: string | null; phone: string | null; firstName: string | null; lastName: string | null; tags: (string)[]; source: string | null; status: "active" | "unsubscribed" | "bounced" | "complained" | "quarantined"; customFields: Record<string, unknown>; createdAt: string; updatedAt: string };

/** An address that is not to be written to on a channel. */
export type Suppression = { id: string; channel: "email" | "sms" | "whatsapp"; address: string; reason: "manual" | "bounced" | "complained" | "unsubscribed"; createdAt: string };

/** Reusable content of messages. */
export type Template = { id: string; channel: "email" | "sms" | "whatsapp"; locale: string; name: string; description: string | null; subject?: string; variables: (string)[]; isActive: boolean; whatsappStatus?: "APPROVED" | "PENDING" | "REJECTED" | "DISABLED"; createdAt: string; updatedAt: string };

/** A template between two changes. */
export type TemplateVersion = { name: string; description: string | null; subject?: string; variables: (string)[]; version: number; createdAt: string };

/** All messages of the account: API, campaigns and automations. */
export type MessageAnalytics = { range: { startDate: string; endDate: string }; channels: { email: ChannelAnalytics; sms: ChannelAnalytics; whatsapp: ChannelAnalytics } };

/** Each message counts in `total` and in the bucket of its current status. */
export type ChannelAnalytics = { total: number; sent: number; delivered: number; opened: number; clicked: number; bounced: number; failed: number };

/** A subscription to events of messages. */
export type Webhook = { id: string; name: string; url: string; events: (string)[]; isActive: boolean; totalSent: number; totalFailed: number; lastSentAt: string | null; lastFailedAt: string | null; createdAt: string; updatedAt: string; hasSecret: boolean };

/** A provider accepted the message. */
export type MessageSentEvent = { id: string; event: "message.sent"; createdAt: string; data: { message: Message } };

/** The recipient’s server or handset confirmed the delivery. */
export type MessageDeliveredEvent = { id: string; event: "message.delivered"; createdAt: string; data: { message: Message } };

/** The message failed, or was rejected, and is not retried. */
export type MessageFailedEvent = { id: string; event: "message.failed"; createdAt: string; data: { message: Message } };

/** The recipient’s address rejected the email. */
export type MessageBouncedEvent = { id: string; event: "message.bounced"; createdAt: string; data: { message: Message } };

/** A test of a subscription. */
export type WebhookTestEvent = { event: "webhook.test"; tenantId: string; timestamp: string; data: { webhookId: string; webhookName: string } };

export interface Operations {
/** Send one message by email, sms or whatsapp */
'POST /messages': { request: {   body: { channel: "email" | "sms" | "whatsapp"; to: string; subject?: string; html?: string; text?: string; from?: string; fromName?: string; replyTo?: string; listUnsubscribe?: boolean; templateId?: string; variables?: Record<string, string>; tags?: (string)[]; metadata?: Record<string, unknown>; attachments?: (Attachment)[]; expiresInSeconds?: number; sendAt?: string }; }; reply: { data: Message } };
/** List messages, newest first */
'GET /messages': { request: {  query?: { channel?: "email" | "sms" | "whatsapp"; status?: "queued" | "sending" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "failed"; to?: string; createdAfter?: string; createdBefore?: string; limit?: number; cursor?: string };  }; reply: { data: (Message)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Send up to 100 messages */
'POST /messages/batch': { request: {   body: { messages: ({ channel: "email" | "sms" | "whatsapp"; to: string; subject?: string; html?: string; text?: string; from?: string; fromName?: string; replyTo?: string; listUnsubscribe?: boolean; templateId?: string; variables?: Record<string, string>; tags?: (string)[]; metadata?: Record<string, unknown>; attachments?: (Attachment)[]; expiresInSeconds?: number; sendAt?: string })[] }; }; reply: { data: { results: ({ index: number; status: "accepted" | "failed"; message?: Message; error?: { code: "invalid_request" | "invalid_recipient" | "invalid_attachment" | "attachment_too_large" | "unauthorized" | "insufficient_credits" | "forbidden_scope" | "template_not_found" | "contact_not_found" | "message_not_found" | "webhook_not_found" | "not_found" | "conflict" | "idempotency_conflict" | "send_blocked" | "rate_limited" | "internal_error" | "bad_request" | "session_not_found" | "session_not_open" | "payment_in_progress" | "payment_not_refundable" | "unsupported_currency" | "method_unavailable" | "account_not_found" | "api_key_not_found" | "checkout_key_not_found" | "payment_not_found" | "refund_not_found" | "delivery_not_found" | "upstream_unavailable"; message: string; docsUrl: string } })[]; accepted: number; failed: number } } };
/** Show what a send would do now, without sending */
'POST /messages/preview': { request: {   body: { channel: "email" | "sms" | "whatsapp"; to: string; subject?: string; html?: string; text?: string; from?: string; fromName?: string; replyTo?: string; listUnsubscribe?: boolean; templateId?: string; variables?: Record<string, string>; tags?: (string)[]; metadata?: Record<string, unknown>; attachments?: (Attachment)[]; expiresInSeconds?: number; sendAt?: string }; }; reply: { data: { verdict: "accepted" | "blocked" | "refused"; code: ("invalid_request" | "invalid_recipient" | "invalid_attachment" | "attachment_too_large" | "unauthorized" | "insufficient_credits" | "forbidden_scope" | "template_not_found" | "contact_not_found" | "message_not_found" | "webhook_not_found" | "not_found" | "conflict" | "idempotency_conflict" | "send_blocked" | "rate_limited" | "internal_error" | "bad_request" | "session_not_found" | "session_not_open" | "payment_in_progress" | "payment_not_refundable" | "unsupported_currency" | "method_unavailable" | "account_not_found" | "api_key_not_found" | "checkout_key_not_found" | "payment_not_found" | "refund_not_found" | "delivery_not_found" | "upstream_unavailable") | (null); message: string | null; retryAt: string | null; channel: "email" | "sms" | "whatsapp"; to: string; from: string | null; subject: string | null; html: string | null; text: string | null; segments: number | null; encoding: ("gsm7" | "ucs2") | (null); credits: number | null; counter: ("email" | "smsMasked" | "smsNonMasked") | (null); creditsLeft: number | null } } };
/** Export messages to a CSV file */
'GET /messages/export': { request: {  query?: { channel?: "email" | "sms" | "whatsapp"; status?: "queued" | "sending" | "sent" | "delivered" | "opened" | "clicked" | "bounced" | "failed"; to?: string; createdAfter?: string; createdBefore?: string };  }; reply: { data: Export } };
/** Read the progress of an export of messages, and the link to its file */
'GET /messages/exports/{id}': { request: { path: { id: string };   }; reply: { data: Export } };
/** Get a message */
'GET /messages/{id}': { request: { path: { id: string };   }; reply: { data: Message } };
/** Change the time of a scheduled message */
'PATCH /messages/{id}': { request: { path: { id: string };  body: { sendAt: string }; }; reply: { data: Message } };
/** Cancel a scheduled message */
'DELETE /messages/{id}': { request: { path: { id: string };   }; reply: undefined };
/** List what happened to a message, oldest first */
'GET /messages/{id}/events': { request: { path: { id: string };   }; reply: { data: (MessageTimelineEntry)[] } };
/** Get the account of the key */
'GET /account': { request: {    }; reply: { data: OwnAccount } };
/** Upload a file that emails can attach */
'POST /attachments': { request: {   body: { filename: string; contentType: string; size: number }; }; reply: { data: { id: string; uploadUrl: string; expiresAt: string } } };
/** Create a contact */
'POST /contacts': { request: {   body: { email?: string | null; phone?: string | null; firstName?: string | null; lastName?: string | null; tags?: (string)[] | null; source?: string | null; customFields?: Record<string, unknown> | null }; }; reply: { data: Contact } };
/** List contacts */
'GET /contacts': { request: {  query?: { page?: number; limit?: number; search?: string; status?: "ACTIVE" | "UNSUBSCRIBED" | "BOUNCED" | "COMPLAINED" | "QUARANTINED"; tags?: string; source?: string; createdAfter?: string; createdBefore?: string; minEngagementScore?: number; sortBy?: "createdAt" | "updatedAt" | "engagementScore"; sortOrder?: "asc" | "desc" };  }; reply: { data: (Contact)[]; pagination: { page: number; limit: number; total: number; totalPages: number } } };
/** Create up to 1,000 contacts */
'POST /contacts/bulk': { request: {   body: { contacts: ({ email?: string | null; phone?: string | null; firstName?: string | null; lastName?: string | null; tags?: (string)[] | null; source?: string | null; customFields?: Record<string, unknown> | null })[] }; }; reply: { data: { total: number; created: number; duplicates: number; errors: number; results: ({ index: number; status: "created" | "duplicate" | "error"; id?: string; error?: string })[] } } };
/** Import contacts from a CSV file */
'POST /contacts/import': { request: {   body: { dryRun?: boolean }; }; reply: { data: { id: string; status: "waiting"; dryRun: boolean; uploadUrl: string; expiresAt: string } } };
/** Read the progress of an import of contacts */
'GET /contacts/imports/{id}': { request: { path: { id: string };   }; reply: { data: { id: string; status: "waiting" | "processing" | "completed" | "failed"; dryRun: boolean; progress: number; total: number; created: number; duplicates: number; errors: number; failureReason: string | null; refusedUrl: string | null; createdAt: string; completedAt: string | null } } };
/** Export contacts to a CSV file */
'GET /contacts/export': { request: {  query?: { search?: string; status?: "ACTIVE" | "UNSUBSCRIBED" | "BOUNCED" | "COMPLAINED" | "QUARANTINED"; tags?: string; source?: string; createdAfter?: string; createdBefore?: string; minEngagementScore?: number };  }; reply: { data: Export } };
/** Read the progress of an export of contacts, and the link to its file */
'GET /contacts/exports/{id}': { request: { path: { id: string };   }; reply: { data: Export } };
/** Get a contact */
'GET /contacts/{id}': { request: { path: { id: string };   }; reply: { data: Contact } };
/** Update a contact */
'PATCH /contacts/{id}': { request: { path: { id: string };  body: { email?: string | null; phone?: string | null; firstName?: string | null; lastName?: string | null; tags?: (string)[] | null; source?: string | null; customFields?: Record<string, unknown> | null }; }; reply: { data: Contact } };
/** Delete a contact */
'DELETE /contacts/{id}': { request: { path: { id: string };   }; reply: undefined };
/** List suppressed addresses, newest first */
'GET /suppressions': { request: {  query?: { address?: string; channel?: "email" | "sms" | "whatsapp"; reason?: "manual" | "bounced" | "complained" | "unsubscribed"; limit?: number; cursor?: string };  }; reply: { data: (Suppression)[]; pagination: { cursor: string | null; hasMore: boolean } } };
/** Suppress an address */
'POST /suppressions': { request: {   body: { channel: "email" | "sms" | "whatsapp"; address: string; reason?: ("manual" | "bounced" | "complained" | "unsubscribed") | (null) }; }; reply: { data: Suppression } };
/** Remove an address from the list */
'DELETE /suppressions/{channel}/{address}': { request: { path: { channel: string; address: string };   }; reply: undefined };
/** Create a template */
'POST /templates': { request: {   body: { channel: "email" | "sms"; name: string; description?: string; subject?: string; htmlContent?: string; textContent?: string; variables?: (string)[] }; }; reply: { data: Template } };
/** List templates */
'GET /templates': { request: {  query?: { channel?: "email" | "sms" | "whatsapp" };  }; reply: { data: (Template)[] } };
/** Get a template */
'GET /templates/{id}': { request: { path: { id: string };   }; reply: { data: Template } };
/** Update a template */
'PATCH /templates/{id}': { request: { path: { id: string };  body: { channel?: "email" | "sms"; name?: string; description?: string | null; subject?: string | null; htmlContent?: string | null; textContent?: string | null; variables?: (string)[] | null }; }; reply: { data: Template } };
/** Delete a template */
'DELETE /templates/{id}': { request: { path: { id: string };   }; reply: undefined };
/** List the versions of a template */
'GET /templates/{id}/versions': { request: { path: { id: string };   }; reply: { data: (TemplateVersion)[] } };
/** Preview a template */
'POST /templates/{id}/preview': { request: { path: { id: string };  body: { variables?: Record<string, string>; version?: number }; }; reply: { data: { subject: string | null; html: string | null; text: string | null; missingVariables: (string)[]; unusedVariables: (string)[]; segments: number | null } } };
/** Count messages by channel and status */
'GET /analytics/messages': { request: {  query?: { startDate?: string; endDate?: string };  }; reply: { data: MessageAnalytics } };
/** Subscribe a URL to events */
'POST /webhooks': { request: {   body: { name: string; url: string; events: (string)[]; isActive?: boolean }; }; reply: { data: { webhook: Webhook; secret: string } } };
/** List webhook subscriptions */
'GET /webhooks': { request: {    }; reply: { data: (Webhook)[] } };
/** Get a webhook subscription */
'GET /webhooks/{id}': { request: { path: { id: string };   }; reply: { data: Webhook } };
/** Update, pause or resume a webhook subscription */
'PATCH /webhooks/{id}': { request: { path: { id: string };  body: { name?: string; url?: string; events?: (string)[]; isActive?: boolean }; }; reply: { data: { id: string; name: string; url: string; events: (string)[]; isActive: boolean; totalSent: number; totalFailed: number; lastSentAt: string | null; lastFailedAt: string | null; createdAt: string; updatedAt: string; hasSecret: boolean; missedSince?: string } } };
/** Delete a webhook subscription and its delivery logs */
'DELETE /webhooks/{id}': { request: { path: { id: string };   }; reply: undefined };
/** Send a test event to a webhook subscription */
'POST /webhooks/{id}/test': { request: { path: { id: string };   }; reply: { data: { success: boolean; statusCode: number; responseTime: number; responseBody: string } } };
/** Replace the signing secret of a webhook subscription */
'POST /webhooks/{id}/regenerate-secret': { request: { path: { id: string };   }; reply: { data: { secret: string } } };
/** Replace the signing secret of a webhook subscription, with an overlap */
'POST /webhooks/{id}/rotate-secret': { request: { path: { id: string };  body: { overlapSeconds: number }; }; reply: { data: { secret: string; previousValidUntil: string } } };
/** Deliver the events of a period again */
'POST /webhooks/{id}/replay': { request: { path: { id: string };  body: { since: string; until?: string; events?: ("message.sent" | "message.delivered" | "message.failed" | "message.bounced")[]; onlyFailed?: boolean }; }; reply: { data: { deliveries: number } } };
/** List the delivery logs of a webhook subscription */
'GET /webhooks/{id}/logs': { request: { path: { id: string }; query?: { page?: number; limit?: number };  }; reply: { data: ({ id: string; webhookId: string; event: string; payload: Record<string, unknown>; statusCode: number; responseBody: string; responseTime: number; success: boolean; attempts: number; createdAt: string })[]; total: number; page: number; limit: number; pages: number } };
/** List events, oldest first */
'GET /events': { request: {  query?: { since?: string; types?: string; limit?: number; cursor?: string };  }; reply: { data: (Record<string, unknown>)[]; pagination: { cursor: string | null; hasMore: boolean } } };
}

export interface Events {
'message.sent': MessageSentEvent;
'message.delivered': MessageDeliveredEvent;
'message.failed': MessageFailedEvent;
'message.bounced': MessageBouncedEvent;
'webhook.test': WebhookTestEvent;
}

/** Retries of these have no second effect, because they take an Idempotency-Key. */
export const replayable: ReadonlySet<string> = new Set(['POST /messages', 'POST /messages/batch', 'POST /attachments', 'POST /contacts', 'POST /contacts/bulk', 'POST /contacts/import', 'POST /templates']);

