const sign = String.raw`=+\-@＝＋－＠`;
const couldBegin = String.raw`[${sign}\t\r\n]`;
const formula = new RegExp(`^'*${couldBegin}`);
const guardedFormula = new RegExp(`^'+${couldBegin}`);
/** Where a program that separates cells by semicolons or tabs would begin another one. */
const laterFormula = new RegExp(`(?<=[;\\t\\r\\n])'*(?=[${sign}])`, 'g');
const guardedLater = new RegExp(`(?<=[;\\t\\r\\n])'('*)(?=[${sign}])`, 'g');

/**
 * A cell in which no spreadsheet program sees a formula (OWASP, "CSV injection"), also one that takes semicolons for separators: a quote goes
 * before what could begin one, but not before a phone number. `unguardedCell` gives the text back.
 */
export const guardedCell = (text: string): string => {
  const isGuarded = formula.test(text) && !/^\+\d+$/.test(text);
  return `${isGuarded ? "'" : ''}${text.replaceAll(laterFormula, "'$&")}`;
};
export const unguardedCell = (cell: string): string => {
  const text = cell.replaceAll(guardedLater, '$1');
  return guardedFormula.test(text) ? text.slice(1) : text;
};
