import type { Problem } from '../apis.ts';

/**
 * A problem with labels for the names of fields, as in `name: must be text; html or text: at least one is required`. `labelOf` gives the label of a
 * name, and what is wrong with it; undefined keeps the name.
 */
export const withLabels = (problem: Problem, labelOf: (path: string, what: string) => string | undefined): Problem => {
  const said = problem.message.split('; ').map((part) => {
    const [, paths = '', what = ''] = /^([\w.]+(?: or [\w.]+)*): (.*)$/s.exec(part) ?? [];
    if (paths === '') return part;
    const labels = paths.split(' or ').map((path) => labelOf(path, what) ?? path);
    return `${labels.join(' or ')}: ${what}`;
  });
  return { ...problem, message: said.join('; ') };
};
