export type Level = 'ok' | 'warning' | 'problem';

/** What a check found. */
export interface Finding {
  readonly level: Level;
  readonly text: string;
  /** What to do now. */
  readonly next?: string;
}

export interface Check {
  readonly name: string;
  /** Without it, the checks after it make no sense. */
  readonly isEssential?: true;
  /** A check that throws could not be made. */
  find(): Finding | Promise<Finding>;
}

export const ok = (text: string): Finding => ({ level: 'ok', text });
export const warning = (text: string, next: string): Finding => ({ level: 'warning', text, next });
export const problem = (text: string, next: string): Finding => ({ level: 'problem', text, next });

const marks: Readonly<Record<Level, string>> = { ok: 'ok', warning: 'warning', problem: 'PROBLEM' };

export const lineOf = (name: string, { level, text, next }: Finding): string =>
  `${marks[level].padEnd(7)}  ${name.padEnd(16)}  ${text}${next === undefined ? '' : ` Next: ${next}`}`;
