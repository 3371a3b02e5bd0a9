import { describeRoutes } from '../infra/describe.ts';

type Described = Awaited<ReturnType<typeof describeRoutes>>;

const madeAt = async (url: string): Promise<Described> => {
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return JSON.parse(text);
};

const url = process.env['DESCRIPTIONS_URL'];

/** The descriptions and pages of all rows, which only are read. A run of tests makes them once, in `make-descriptions.ts`. */
export const described = await (url ? madeAt(url) : describeRoutes());
