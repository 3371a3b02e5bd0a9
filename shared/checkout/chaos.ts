/** Test mode's extra troubles, for one session. */
export const chaosKinds = ['duplicate_notification', 'tampered_amount', 'late_success'] as const;
export type Chaos = (typeof chaosKinds)[number];
