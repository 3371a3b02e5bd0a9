/** What is bundled with the functions, so that it shares their clock, chance and calls: it prepares a world, and reads it. */
export { newAccountSettings } from '../../shared/accounts/account.ts';
export { makeApiKey, scopes } from '../../shared/accounts/api-key.ts';
export { dataKeyMaker } from '../../shared/aws/vault.ts';
export { makeCheckoutKey } from '../../shared/checkout/checkout-key.ts';
export { kms, vaultOf } from '../../shared/connection.ts';
export { detailsOf, holdsWhenRetired } from '../../shared/contacts/contact.ts';
export { newId } from '../../shared/kit/id.ts';
export { webhookDeliveriesQueue } from '../../shared/live.ts';
export { callbackUrls } from '../../shared/messages/callback-urls.ts';
export { failures } from '../../shared/messages/failures.ts';
export { moves } from '../../shared/messages/moves.ts';
export { newText } from '../../shared/messages/new-message.ts';
export { makeOperatorToken } from '../../shared/people/secret.ts';
export * as stores from '../../shared/stores.ts';
export { contactFrom, indexRows, lockItems } from '../../shared/table/contacts/contact-items.ts';
export { eventPublisher } from '../../shared/webhooks/publish.ts';
export { webhookFields } from '../../shared/webhooks/webhook.ts';
