import { describeRoutes } from '../infra/describe.ts';

/** The descriptions and pages of all rows, made once for the test files of a process, which only read them. */
export const described = await describeRoutes();
