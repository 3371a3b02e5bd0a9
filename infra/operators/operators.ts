import { newId } from '../../shared/kit/id.ts';
import { type Member, personalEmail, platform } from '../../shared/people/person.ts';
import { makeOperatorToken } from '../../shared/people/secret.ts';
import { tokenName } from '../../shared/people/token-name.ts';
import { accessKeyStore } from '../../shared/table/people/access-key-store.ts';
import { memberStore } from '../../shared/table/people/member-store.ts';
import { type OperatorToken, signInStore } from '../../shared/table/people/sign-in-store.ts';
import { StartFailure } from '../local/start-failure.ts';
import { auditing } from './audited.ts';
import type { Deployment } from './deployment.ts';

/** Who the audit log and invitations name. */
const command = 'npm run operators';
const mostListed = 1_000;
/** The name of the token that is made with an operator. */
const tokenNameOf = (operatorId: string): string => `${command} for ${operatorId}`;

/** What `npm run operators` can do with the operators and their tokens. Every change is in the audit log. */
export const operatorsOf = (deployment: Deployment, nowMs: () => number = Date.now) => {
  const { table, vault, dataKeys } = deployment;
  const members = memberStore(table, vault);
  const signIns = signInStore(table, vault);
  const accessKeys = accessKeyStore(table);
  const audited = auditing(deployment, command, nowMs);

  const list = (): Promise<Member[]> => members.list(platform, { cursor: undefined, limit: mostListed });

  const createToken = async (text: string) => {
    const name = tokenNameIn(text);
    return audited('token', async () => {
      const token = makeOperatorToken();
      return {
        ...(await signIns.createToken(token, { id: newId(nowMs()), name, createdBy: command }, dataKeys)),
        token,
      };
    });
  };

  return {
    list,
    createToken,
    /** The name that the token would have. */
    previewToken: tokenNameIn,
    tokens: signIns.tokens,

    /** Makes an operator, and a token for scripts. Undefined: the person is an operator already. */
    add: async (address: string) => {
      const email = emailIn(address);
      const id = newId(nowMs());
      const isNew = await audited(
        'add',
        () => members.add(platform, { id, email, role: 'operator', invitedBy: command }, { dataKeys, isSilent: true }),
        (isAdded) => (isAdded ? 200 : 409),
      );
      return isNew ? { id, email, token: (await createToken(tokenNameOf(id))).token } : undefined;
    },

    /** What `add` would do; changes nothing. */
    previewAdd: async (address: string) => {
      const email = emailIn(address);
      return { email, isNew: !(await list()).some((each) => each.email === email) };
    },

    /**
     * Removes an operator, and before that ends their short-lived keys, because a run that is cut off after the removal does not find them again.
     * Returns the tokens that they may know (`tokensOf`): scripts may use these, so they stay.
     * @throws StartFailure when no operator has this address, or it is the last one
     */
    remove: async (address: string): Promise<OperatorToken[]> => {
      const email = emailIn(address);
      const all = await list();
      const listed = all.find((each) => each.email === email);
      const found = listed && (await members.find(platform, listed.id));
      if (!found) throw notOperator(email);
      const isLast = all.length === 1;
      if (!isLast) await accessKeys.end(found.person, {}, nowMs());
      const outcome = await audited(
        'remove',
        async () => (isLast ? 'last' : members.remove(platform, found)),
        (result) => (result === 'done' ? 200 : 409),
      );
      if (outcome === 'last') throw lastOperator(email);
      if (outcome === 'changed') throw new StartFailure(`${email} was changed meanwhile. Run the command again.`);
      return tokensOf(found, await signIns.tokens());
    },

    /**
     * What `remove` would do; changes nothing.
     * @throws StartFailure like `remove`
     */
    previewRemove: async (address: string): Promise<void> => {
      const email = emailIn(address);
      const all = await list();
      if (!all.some((each) => each.email === email)) throw notOperator(email);
      if (all.length === 1) throw lastOperator(email);
    },

    /**
     * Revokes a token, and the keys that were made with it.
     * @throws StartFailure when no token has this id
     */
    revokeToken: async (id: string): Promise<void> => {
      const isKnown = await audited(
        'revoke',
        () => signIns.revokeToken(id),
        (isRevoked) => (isRevoked ? 200 : 404),
      );
      await accessKeys.end(id, {}, nowMs());
      if (!isKnown) throw unknownToken(id);
    },

    /**
     * The token that `revokeToken` would revoke; changes nothing.
     * @throws StartFailure like `revokeToken`
     */
    previewRevoke: async (id: string): Promise<OperatorToken> => {
      const token = (await signIns.tokens()).find((each) => each.id === id);
      if (!token) throw unknownToken(id);
      return token;
    },
  };
};

export type Operators = ReturnType<typeof operatorsOf>;

/**
 * The tokens that an operator created, the one that was made with them, and those that were created with any of these. A token keeps only the name of
 * the one that created it, so those of another token with this name are among them, and those of one that is revoked are not.
 */
const tokensOf = ({ id, email }: Member, tokens: readonly OperatorToken[]): OperatorToken[] => {
  const creators = new Set([email]);
  const isTheirs = ({ name, createdBy }: OperatorToken) =>
    name === tokenNameOf(id) || (createdBy !== null && creators.has(createdBy));
  for (let known = 0; known < creators.size; ) {
    known = creators.size;
    for (const { name } of tokens.filter(isTheirs)) creators.add(name);
  }
  return tokens.filter(isTheirs);
};

const notOperator = (email: string) => new StartFailure(`${email} is not an operator.`);
const lastOperator = (email: string) => new StartFailure(`${email} is the last operator. Add another one first.`);
const unknownToken = (id: string) =>
  new StartFailure(`No token has the id ${id}. See ${command} -- tokens, with the same --stage, if you gave one.`);

/** @throws StartFailure when the admin API would refuse the name */
const tokenNameIn = (text: string): string => {
  const { data, success } = tokenName.safeParse(text);
  if (!success) throw new StartFailure('The name of a token is one line of 1 to 100 characters.');
  return data;
};

const emailIn = (text: string): string => {
  const { data, success } = personalEmail.safeParse(text);
  if (!success) throw new StartFailure(`${text} is not an email address.`);
  return data;
};
