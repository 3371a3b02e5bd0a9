const couldBegin = String.raw`[=+\-@\t\r\n＝＋－＠]`;
const formula = new RegExp(`^'*${couldBegin}`);
const guardedFormula = new RegExp(`^'+${couldBegin}`);

/**
 * A cell that no spreadsheet program takes for a formula (OWASP, "CSV injection"): a quote goes before what could begin one, but not before
 * a phone number. `unguardedCell` gives the text back.
 */
export const guardedCell = (text: string): string => (formula.test(text) && !/^\+\d+$/.test(text) ? `'${text}` : text);
export const unguardedCell = (cell: string): string => (guardedFormula.test(cell) ? cell.slice(1) : cell);
