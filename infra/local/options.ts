import { resolve } from 'node:path';
import { settingNames } from '../settings.ts';
import { defaultDataDirectory } from './fresh-start.ts';
import { parseArguments, seeHelp } from './parse-arguments.ts';
import { StartFailure } from './start-failure.ts';

export interface StackOptions {
  readonly port: number;
  readonly dataDirectory: string;
  /** Delete the data first. */
  readonly isFresh: boolean;
  /** Settings of `infra/settings.ts` that the environment or a flag overrides. */
  readonly settings: Readonly<Record<string, string>>;
  /** Prints no request log. */
  readonly isQuiet: boolean;
  /** Prints one JSON object a line. */
  readonly isJson: boolean;
  /** Conflicts and throttles as AWS does. */
  readonly awsLimits?: AwsLimits;
}

export interface AwsLimits {
  /** The limits of partitions and of calls per second are divided by this, so that a laptop reaches them. */
  readonly factor: number;
  readonly seed: number;
}

export const startHelp = `npm start -- [options]

Runs both APIs on this machine, with emulators of the AWS services.

  --port 3000                    The port of the APIs; 0: any free one
  --data-dir .local              Where the data is kept
  --fresh                        Deletes the data first
  --quiet                        Prints no line for each request
  --json                         Prints one JSON object a line: steps, "ready" with all URLs and keys, then requests;
                                 npm start --silent leaves out the lines of npm
  --webhook-targets any|public   public: refuses private webhook targets, as on AWS
  --aws-limits                   Conflicts and throttles as on AWS
  --help                         Prints this

Settings come from the environment, for example LOG_LEVEL or WEBHOOK_RETRY_DELAYS.
`;

const usage = seeHelp(startHelp);

/**
 * The command line of `npm start` and the environment.
 * @throws StartFailure
 */
export const readOptions = (argv: readonly string[], environment: NodeJS.ProcessEnv): StackOptions => {
  const { values } = parsed(argv);
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new StartFailure(`--port must be a number from 0 to 65535. ${usage}`);
  const targets = values['webhook-targets'];
  if (targets !== undefined && targets !== 'any' && targets !== 'public') {
    throw new StartFailure(`--webhook-targets must be any or public. ${usage}`);
  }
  const turned = settingNames.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    port,
    dataDirectory: resolve(values['data-dir']),
    isFresh: values.fresh,
    isQuiet: values.quiet,
    isJson: values.json,
    settings: {
      ...localSettings,
      ...Object.fromEntries(turned),
      ...(targets !== undefined && { WEBHOOK_TARGETS: targets }),
      ...neverLocal,
    },
    ...(values['aws-limits'] && { awsLimits: readLimits(environment) }),
  };
};

const readLimits = ({ AWS_LIMITS_FACTOR = '20', AWS_LIMITS_SEED = '1' }: NodeJS.ProcessEnv): AwsLimits => {
  const [factor, seed] = [Number(AWS_LIMITS_FACTOR), Number(AWS_LIMITS_SEED)];
  if (!(factor > 0)) throw new StartFailure('AWS_LIMITS_FACTOR must be a number above 0.');
  if (!Number.isInteger(seed)) throw new StartFailure('AWS_LIMITS_SEED must be a whole number.');
  return { factor, seed };
};

/** Local defaults that differ from AWS: webhook receivers may be local, and no text leaves the machine. */
const localSettings = { WEBHOOK_TARGETS: 'any', SMS_PROVIDER: 'simulator', WHATSAPP_PROVIDER: 'simulator' };

/** Settings that only AWS has: the environment cannot set them. */
const neverLocal = {
  DOMAIN_NAME: '',
  HOSTED_ZONE_ID: '',
  MAIL_DOMAIN: '',
  EDGE_FIREWALL: 'off',
  EDGE_WEB_ACL: '',
  EDGE_CERTIFICATE: '',
  EDGE_ONLY: 'off',
};

const parsed = (argv: readonly string[]) =>
  parseArguments(startHelp, {
    args: [...argv],
    options: {
      port: { type: 'string', default: '3000' },
      'data-dir': { type: 'string', default: defaultDataDirectory },
      fresh: { type: 'boolean', default: false },
      'webhook-targets': { type: 'string' },
      'aws-limits': { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
