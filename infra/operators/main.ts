import { runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { deploymentOf, localDeployment } from './deployment.ts';
import { operatorsOf } from './operators.ts';

const help = `npm run operators -- <what> [--stage prod]

Operators use the dashboard and the admin API for all accounts. On AWS, this command makes the first one.

  add <email>      Makes an operator, and prints a token for scripts (once)
  list             Lists the operators
  remove <email>   Removes an operator; the last one stays
  token <name>     Prints a new token for scripts (once)
  tokens           Lists the tokens
  revoke <id>      Revokes a token at once

  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

await runCommand({
  help,
  options: { stage: { type: 'string' } },
  run: async ({ values: { stage }, positionals: [what = '', name = '', ...others], stack, nowMs, print }) => {
    const open = async () =>
      stage === undefined ? operatorsOf(localDeployment(stack()), nowMs) : operatorsOf(await deploymentOf(stage));
    const needs = (noun: string, by: string): string => {
      if (name === '') throw new StartFailure(`Name the ${noun}: npm run operators -- ${what} <${by}>`);
      return name;
    };
    if (others.length > 0) throw new StartFailure('Name one operator or token. --help shows how.');
    if (name !== '' && (what === 'list' || what === 'tokens'))
      throw new StartFailure(`Leave out ${name}: ${what} is of all. --help shows how.`);
    switch (what) {
      case 'add': {
        const email = needs('operator', 'email');
        const added = await (await open()).add(email);
        if (!added) print(`${email} is an operator already.`, { email, isNew: false });
        else
          print(
            `${added.email} is an operator now, and signs in at /dashboard.\nToken for scripts, shown once: ${added.token}`,
            { ...added, isNew: true },
          );
        return 0;
      }
      case 'list':
        for (const { email, createdAt, invitedBy, id } of await (await open()).list())
          print(`${email}  since ${createdAt}, added by ${invitedBy}`, { id, email, createdAt, invitedBy });
        return 0;
      case 'remove': {
        const email = needs('operator', 'email');
        const token = await (await open()).remove(email);
        print(`${email} is no longer an operator.`, { email, isRemoved: true });
        const revoke = `npm run operators -- revoke ${token?.id}${stage === undefined ? '' : ` --stage ${stage}`}`;
        if (token)
          print(`The token ${token.prefix}… that was made with them still works: ${revoke}`, { token: token.id });
        return 0;
      }
      case 'token': {
        const created = await (await open()).createToken(needs('token', 'name'));
        print(`Token for scripts, shown once: ${created.token}`, created);
        return 0;
      }
      case 'tokens':
        for (const token of await (await open()).tokens())
          print(`${token.id}  ${token.prefix}…  ${token.name}  since ${token.createdAt}`, token);
        return 0;
      case 'revoke': {
        const id = needs('token', 'id');
        await (await open()).revokeToken(id);
        print(`The token ${id} is revoked.`, { id, isRevoked: true });
        return 0;
      }
      default:
        throw new StartFailure(
          `${what === '' ? 'Name an action' : `Unknown action: ${what}`}. --help shows what can be done.`,
        );
    }
  },
});
