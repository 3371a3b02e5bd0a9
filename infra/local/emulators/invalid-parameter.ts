import { AwsError } from './json-service.ts';

export const invalidParameter = (message: string) => new AwsError('InvalidParameterValue', message);
