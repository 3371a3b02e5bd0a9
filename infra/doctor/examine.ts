import { reasonOf } from '../local/complaints.ts';
import { type Check, type Finding, type Level, lineOf, problem } from './finding.ts';

const inNumber = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const findingOf = async (check: Check): Promise<Finding> => {
  try {
    return await check.find();
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return problem(
      `This could not be checked: ${reason.replace(/\.$/, '')}.`,
      'Remove the cause, then run npm run doctor again.',
    );
  }
};

/** Makes the checks in order and prints a line for each. Returns the exit code: 1 where there is a problem. */
export const examine = async (
  checks: readonly Check[],
  print: (text: string, facts: object) => void,
): Promise<number> => {
  const counts: Record<Level, number> = { ok: 0, warning: 0, problem: 0 };
  for (const check of checks) {
    const finding = await findingOf(check);
    counts[finding.level] += 1;
    print(lineOf(check.name, finding), { check: check.name, ...finding });
    if (check.isEssential && finding.level === 'problem') break;
  }
  const { problem: problems, warning: warnings } = counts;
  const verdict =
    problems + warnings === 0 ? 'All is well.' : `${inNumber(problems, 'problem')}, ${inNumber(warnings, 'warning')}.`;
  print(`\n${verdict}`, { problems, warnings });
  return problems > 0 ? 1 : 0;
};
