/** Why an sms is refused to a contact, and to a phone of none. */
export const noConsent =
  'The contact has not given its consent to sms. Once it has, record it in the dashboard or with PUT /admin/v1/contacts/{id}/consents/sms.';
export const noContact =
  'No contact has this phone, so there is no consent to sms. Create the contact with POST /contacts, then record its consent in the dashboard or with PUT /admin/v1/contacts/{id}/consents/sms.';
