/** A number of the command line. What is none ends the process in a line that says so. */
export const numberArgument = (name: string, text: string): number => {
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Number(text);
  process.stderr.write(`${name} must be a number, and is ${text}.\n`);
  return process.exit(1);
};
