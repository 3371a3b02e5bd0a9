// Runs before anything is installed too, on the machine's own Node, so it is plain JavaScript without a dependency.
const notInstalled = ['ERR_MODULE_NOT_FOUND', 'ERR_UNKNOWN_BUILTIN_MODULE', 'ERR_UNKNOWN_FILE_EXTENSION'];

// It prints the warnings of experimental features. The option that hides them is unknown to Node.js before 20.11.
process.removeAllListeners('warning');

try {
  const { runDoctor } = await import('./doctor.ts');
  await runDoctor();
} catch (thrown) {
  if (!notInstalled.includes(thrown.code)) throw thrown;
  const isOld = Number(process.versions.node.split('.')[0]) < 20;
  const next = isOld ? 'Install Node.js 20 or newer, then run npm ci.' : 'Run npm ci (npm start does it too).';
  const text = isOld ? `Node.js ${process.versions.node} is too old.` : 'The packages are not installed.';
  const facts = { check: isOld ? 'Node.js' : 'Packages', level: 'problem', text, next };
  const line = process.argv.includes('--json') ? JSON.stringify(facts) : `PROBLEM  ${text} Next: ${next}`;
  process.stdout.write(`${line}\n`);
  process.exitCode = 1;
}
