import { type AccountChanges, changed } from '../../../shared/accounts/account.ts';
import type { Reply, RequestOf } from '../../../shared/http/contract.ts';
import type { PeopleCaller } from '../../../shared/http/people-surface.ts';
import { Fault } from '../../../shared/kit/fault.ts';
import { existing } from '../../../shared/kit/not-found.ts';
import type { FetchLogo } from '../../../shared/providers/logo/fetch-logo.ts';
import type { AccountStore } from '../../../shared/table/accounts/account-store.ts';
import type { LogoStore } from '../../../shared/table/checkout/logo-store.ts';
import type { updateAccountContract } from './contract.ts';

export interface UpdateAccountNeeds {
  readonly accounts: Pick<AccountStore, 'find' | 'save'>;
  readonly logos: Pick<LogoStore, 'add'>;
  readonly fetchLogo: FetchLogo;
}

/**
 * What an account may not decide on itself: whether it is frozen, whose domains and numbers it sends from, which credits a text takes, how much it
 * may register, and that the platform's own AWS account sends its texts.
 */
const refuseOperatorsFields = ({ status, email, sms, webhooks }: AccountChanges): void => {
  const fields = {
    status,
    'email.verifiedDomains': email?.verifiedDomains,
    'sms.sender': sms?.sender,
    'sms.senderKind': sms?.senderKind,
    // Null is the deployment's own, which may be that of AWS.
    'sms.provider': sms?.provider?.kind === 'aws' || sms?.provider === null ? sms.provider : undefined,
    'webhooks.maxSubscriptions': webhooks?.maxSubscriptions,
  };
  const sent = Object.entries(fields).find(([, value]) => value !== undefined);
  if (sent) throw new Fault('forbidden_scope', `${sent[0]}: only an operator of the platform may set this`);
};

/** Omitted fields are unchanged. Of two concurrent changes, the later one is applied to the result of the earlier. */
export const updateAccount = ({ accounts, logos, fetchLogo }: UpdateAccountNeeds) => {
  /** Our copy of the logo at this URL. */
  const copyOf = async (accountId: string, logoUrl: string): Promise<string> => {
    const logo = await fetchLogo(logoUrl);
    if (typeof logo === 'string') throw new Fault('invalid_request', `branding.logoUrl: ${logo}`);
    return logos.add(accountId, logo);
  };

  const save = async (
    id: string,
    changes: AccountChanges,
    nowMs: number,
  ): Promise<Reply<typeof updateAccountContract>> => {
    const before = existing('account_not_found', await accounts.find(id));
    const saved = await accounts.save(before, changed(before, changes), nowMs);
    if (saved === 'sender-taken') throw new Fault('conflict', 'sms.sender: is already used by another account');
    return saved ?? save(id, changes, nowMs);
  };

  return async ({
    path: { id },
    body,
    nowMs,
    caller,
  }: RequestOf<typeof updateAccountContract> & PeopleCaller): Promise<Reply<typeof updateAccountContract>> => {
    if (!caller.isOperator) refuseOperatorsFields(body);
    const { branding } = body;
    if (branding?.logoUrl === undefined) return save(id, body, nowMs);
    existing('account_not_found', await accounts.find(id));
    const logoId = branding.logoUrl === null ? null : await copyOf(id, branding.logoUrl);
    return save(id, { ...body, branding: { ...branding, logoId } }, nowMs);
  };
};
