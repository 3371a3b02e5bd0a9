import { commandOf, runCommand } from '../local/command.ts';
import { StartFailure } from '../local/start-failure.ts';
import { awsChecks } from './aws-checks.ts';
import { examine } from './examine.ts';
import { localChecks } from './local-checks.ts';

const help = `npm run doctor
npm run doctor -- --aws [--stage prod]

Checks what the local stack needs or, with --aws, what a deployment needs: one line for each check, with the next step where
something is missing. It changes nothing. Exits with 1 if there is a problem, sending is paused, or a check
could not be made; warnings do not count.

  --port 3000         The port that npm start will use
  --aws               Checks an AWS account, with the credentials and region of the environment
  --stage prod        The deployment: dev or prod (default: prod). With it, --aws can be left out
`;

export const doctorCommand = commandOf({
  help,
  options: {
    port: { type: 'string', default: '3000' },
    aws: { type: 'boolean', default: false },
    stage: { type: 'string' },
  },
  run: async ({ values: { aws, stage: asked, port }, positionals, dataDirectory, print }) => {
    if (positionals.length > 0) throw new StartFailure(`${positionals[0]} is not an option. --help shows all options.`);
    const stage = asked ?? 'prod';
    const portNumber = Number(port);
    if (!Number.isInteger(portNumber) || portNumber < 1 || portNumber > 65_535)
      throw new StartFailure('--port must be a number from 1 to 65535.');
    return examine(
      aws || asked !== undefined ? awsChecks(stage) : localChecks({ port: portNumber, dataDirectory }),
      print,
    );
  },
});

export const runDoctor = (): Promise<never> => runCommand(doctorCommand);
