/** When a country's rules, or its carriers, forbid sending. Times are the recipient's; a window may span midnight. */
export interface CountryRule {
  readonly start: string;
  readonly end: string;
  /** Days that are quiet from midnight to midnight, 0 being Sunday. Public holidays are not known here. */
  readonly days?: readonly number[];
  readonly source: string;
}

/**
 * Windows in which advertising must not be sent, by country. No source claims them for transactional messages. Rules change and vendors
 * disagree: this is data with a date and not legal advice, and every row says where it was read. Rules of single states are left out, since
 * a number does not say which one its holder is in.
 */
export const quietHoursRules: {
  readonly version: string;
  readonly countries: Readonly<Record<string, CountryRule>>;
} = {
  version: '2026-11-21',
  countries: {
    US: { start: '21:00', end: '08:00', source: '47 CFR 64.1200(c)(1); Twilio error 30610' },
    CA: { start: '20:00', end: '08:00', source: 'Vero, SMS quiet hours compliance (help.getvero.com)' },
    MX: { start: '20:00', end: '08:00', source: 'Vero, SMS quiet hours compliance (help.getvero.com)' },
    BR: { start: '21:00', end: '08:00', source: 'Vero, SMS quiet hours compliance (help.getvero.com)' },
    KZ: { start: '22:00', end: '09:00', source: 'Vero, SMS quiet hours compliance (help.getvero.com)' },
    FR: { start: '22:00', end: '08:00', days: [0], source: 'Brevo, transactional SMS (developers.brevo.com)' },
    IN: { start: '21:00', end: '10:00', source: 'SMSGatewayHub, promotional hours since October 2025 (DLT error 651)' },
  },
};
