import type { commandOf } from '../infra/local/command.ts';

/** Runs a command in this process to its end, as `runProgram` runs a program. */
export const calledCommand = async (command: ReturnType<typeof commandOf>, argv: readonly string[]) => {
  let [stdout, stderr] = ['', ''];
  const status = await command(argv, {
    line: (text) => {
      stdout += `${text}\n`;
    },
    error: (text) => {
      stderr += `${text}\n`;
    },
  });
  return { status, stdout, stderr };
};
