import type { MailContent } from './ses-mail.ts';

/** The JSON of SES event publishing, as a configuration set sends it to SNS. */
export type SesNotification = SesEvent & { readonly mail: SesEventMail };

export type SesEvent =
  | { readonly eventType: 'Send'; readonly send: Readonly<Record<string, never>> }
  | { readonly eventType: 'Delivery'; readonly delivery: SesDelivery }
  | { readonly eventType: 'Bounce'; readonly bounce: SesBounce }
  | { readonly eventType: 'Complaint'; readonly complaint: SesComplaint }
  | { readonly eventType: 'Open'; readonly open: SesVisit }
  | { readonly eventType: 'Click'; readonly click: SesVisit & { readonly link: string; readonly linkTags: null } }
  | { readonly eventType: 'Reject'; readonly reject: { readonly reason: string } };

export interface SesEventMail {
  readonly timestamp: string;
  readonly messageId: string;
  readonly source: string;
  readonly sourceArn: string;
  readonly sendingAccountId: string;
  readonly destination: readonly string[];
  readonly headersTruncated: boolean;
  readonly headers: MailContent['headers'];
  readonly commonHeaders: {
    readonly from: readonly string[];
    readonly replyTo: readonly string[];
    readonly to: readonly string[];
    readonly cc: readonly string[];
    /** The id that SES assigned, not the message's own Message-ID. */
    readonly messageId: string;
    readonly subject: string;
  };
  readonly tags: Readonly<Record<string, readonly string[]>>;
}

interface SesVisit {
  readonly timestamp: string;
  readonly userAgent: string;
  readonly ipAddress: string;
}

interface SesDelivery {
  readonly timestamp: string;
  readonly processingTimeMillis: number;
  readonly recipients: readonly string[];
  readonly smtpResponse: string;
  readonly reportingMTA: string;
}

export interface SesBounce {
  readonly bounceType: 'Permanent' | 'Transient';
  readonly bounceSubType: 'General' | 'Suppressed';
  readonly bouncedRecipients: readonly {
    readonly emailAddress: string;
    readonly action: string;
    readonly status: string;
    readonly diagnosticCode: string;
  }[];
  readonly timestamp: string;
  readonly feedbackId: string;
  readonly reportingMTA: string;
}

interface SesComplaint {
  readonly complainedRecipients: readonly { readonly emailAddress: string }[];
  readonly complaintSubType: null;
  readonly complaintFeedbackType: 'abuse';
  readonly userAgent: string;
  readonly timestamp: string;
  readonly arrivalDate: string;
  readonly feedbackId: string;
}
