import { join } from 'node:path';
import type { FunctionSpec } from './blueprint.ts';
import { inShell } from './in-shell.ts';

type Environment = Readonly<Record<string, string>>;

/** sam takes these from its own environment, and no template may set them. */
const reserved = /^AWS_(REGION|ACCESS_KEY_ID|SECRET_ACCESS_KEY|CONFIG_FILE|SHARED_CREDENTIALS_FILE)$/;

/** The name of the only function in its template. */
const logicalId = 'Function';

/** A template of SAM with one function as the local stack runs it, for `sam local invoke`. */
export const samTemplate = (
  { codeDirectory, handler, timeoutSeconds, memoryMegabytes, environment }: FunctionSpec,
  added: Environment,
) => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Transform: 'AWS::Serverless-2016-10-31',
  Resources: {
    [logicalId]: {
      Type: 'AWS::Serverless::Function',
      Properties: {
        CodeUri: codeDirectory,
        Handler: handler,
        Runtime: 'nodejs24.x',
        // That of the machine, so that Docker emulates no processor.
        Architectures: [process.arch === 'arm64' ? 'arm64' : 'x86_64'],
        Timeout: timeoutSeconds,
        MemorySize: memoryMegabytes,
        Environment: {
          Variables: {
            ...Object.fromEntries(Object.entries(added).filter(([name]) => !reserved.test(name))),
            ...environment,
          },
        },
      },
    },
  },
});

/** The emulators listen on this machine only, so the container uses its network; they know a function by its access key. */
export const samCommand = (name: string, folder: string, { AWS_REGION: region }: Environment): string =>
  [
    `AWS_REGION=${region} AWS_ACCESS_KEY_ID=${name} AWS_SECRET_ACCESS_KEY=local`,
    `sam local invoke ${logicalId} -t ${inShell(join(folder, 'template.json'))} -e ${inShell(join(folder, 'event.json'))}`,
    '--docker-network host',
  ].join(' \\\n  ');
