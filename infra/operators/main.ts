import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { openDeployment } from './deployment.ts';
import { type Operators, operatorsOf } from './operators.ts';

const help = `npm run operators -- <what> [--stage prod]

Operators use the dashboard and the admin API for all accounts. On AWS, this command makes the first one.

  add <email>      Makes an operator, and prints a token for scripts (once)
  list             Lists the operators
  remove <email>   Removes an operator; the last one stays
  token <name>     Prints a new token for scripts (once)
  tokens           Lists the tokens
  revoke <id>      Revokes a token at once

  --dry-run           Of add, remove, token and revoke: only says what would change
  --stage prod        A deployment on AWS, reached with the credentials and region of the environment (default: the local stack)
`;

interface Input {
  readonly operators: Operators;
  /** The email address, name or id of the command line. */
  readonly name: string;
  readonly stage: string | undefined;
  print(text: string, facts: object): void;
}

interface Action {
  /** What the name stands for; without it, the action is of all. */
  readonly takes?: readonly [noun: string, by: string];
  readonly run: (input: Input) => Promise<void>;
  /** With `--dry-run`, in place of `run`. */
  readonly preview?: (input: Input) => Promise<void>;
}

const by = ({ createdBy }: { readonly createdBy: string | null }): string =>
  createdBy === null ? '' : `, created by ${createdBy}`;

const actions: Readonly<Record<string, Action>> = {
  add: {
    takes: ['operator', 'email'],
    run: async ({ operators, name: email, print }) => {
      const added = await operators.add(email);
      if (!added) print(`${email} is an operator already.`, { email, isNew: false });
      else
        print(
          `${added.email} is an operator now, and signs in at /dashboard.\nToken for scripts, shown once: ${added.token}`,
          { ...added, isNew: true },
        );
    },
    preview: async ({ operators, name, print }) => {
      const { email, isNew } = await operators.previewAdd(name);
      const text = isNew ? 'would be an operator, with a token for scripts.' : 'is an operator already.';
      print(`${email} ${text} Nothing was changed.`, { email, isNew, isDryRun: true });
    },
  },
  list: {
    run: async ({ operators, print }) => {
      for (const { email, createdAt, invitedBy, id } of await operators.list())
        print(`${email}  since ${createdAt}, added by ${invitedBy}`, { id, email, createdAt, invitedBy });
    },
  },
  remove: {
    takes: ['operator', 'email'],
    run: async ({ operators, name: email, stage, print }) => {
      const tokens = await operators.remove(email);
      print(`${email} is no longer an operator.`, { email, isRemoved: true });
      const at = stage === undefined ? '' : ` --stage ${stage}`;
      for (const token of tokens) {
        const { id, prefix, name } = token;
        print(`The token ${prefix}…  ${name}${by(token)} still works: npm run operators -- revoke ${id}${at}`, {
          token: id,
        });
      }
    },
    preview: async ({ operators, name: email, print }) => {
      await operators.previewRemove(email);
      print(`${email} would no longer be an operator. Nothing was changed.`, {
        email,
        isRemoved: true,
        isDryRun: true,
      });
    },
  },
  token: {
    takes: ['token', 'name'],
    run: async ({ operators, name, print }) => {
      const created = await operators.createToken(name);
      print(`Token for scripts, shown once: ${created.token}`, created);
    },
    preview: async ({ operators, name: given, print }) => {
      const name = operators.previewToken(given);
      print(`A token ${name} would be made. Nothing was changed.`, { name, isDryRun: true });
    },
  },
  tokens: {
    run: async ({ operators, print }) => {
      for (const token of await operators.tokens())
        print(`${token.id}  ${token.prefix}…  ${token.name}  since ${token.createdAt}${by(token)}`, token);
    },
  },
  revoke: {
    takes: ['token', 'id'],
    run: async ({ operators, name: id, print }) => {
      await operators.revokeToken(id);
      print(`The token ${id} is revoked.`, { id, isRevoked: true });
    },
    preview: async ({ operators, name: id, print }) => {
      const { name } = await operators.previewRevoke(id);
      print(`The token ${id}, ${name}, would be revoked. Nothing was changed.`, {
        id,
        isRevoked: true,
        isDryRun: true,
      });
    },
  },
};

/** @throws StartFailure when the arguments are not one action with what it takes */
const actionOf = ([what = '', name = '', ...others]: readonly string[]): Action => {
  if (others.length > 0) throw new StartFailure('Name one operator or token. --help shows how.');
  const action = Object.hasOwn(actions, what) ? actions[what] : undefined;
  if (!action)
    throw new StartFailure(
      `${what === '' ? 'Name an action' : `Unknown action: ${what}`}. --help shows what can be done.`,
    );
  const { takes } = action;
  if (takes && name === '') throw new StartFailure(`Name the ${takes[0]}: npm run operators -- ${what} <${takes[1]}>`);
  if (!takes && name !== '') throw new StartFailure(`Leave out ${name}: ${what} is of all. --help shows how.`);
  return action;
};

export const operatorsCommand = commandOf({
  help,
  options: { 'dry-run': { type: 'boolean', default: false }, stage: { type: 'string' } },
  run: async ({ values: { stage, 'dry-run': isDryRun }, positionals, stack, nowMs, print }) => {
    const { run, preview = run } = actionOf(positionals);
    const deployment = await openDeployment({ stage, stack, nowMs });
    const operators = operatorsOf(deployment, deployment.nowMs);
    await (isDryRun ? preview : run)({ operators, name: positionals[1] ?? '', stage, print });
    return 0;
  },
});

if (import.meta.main) await runCommand(operatorsCommand);
