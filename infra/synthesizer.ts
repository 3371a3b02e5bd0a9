import { CliCredentialsStackSynthesizer, type IReusableStackSynthesizer } from 'aws-cdk-lib';

/** Deploys with the caller's own credentials, and needs of `cdk bootstrap` its bucket only. */
export const ownCredentials = (): IReusableStackSynthesizer =>
  // CDK's own type says "absent or a text" where its class says "a text or undefined".
  new CliCredentialsStackSynthesizer() as IReusableStackSynthesizer;
