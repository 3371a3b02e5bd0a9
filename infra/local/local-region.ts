/** The AWS account and the region that the emulated resources are in. */
export const account = '000000000000';
export const region = 'us-east-1';
