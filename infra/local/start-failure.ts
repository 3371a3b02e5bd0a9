/** The start failed for a reason that the user can fix. Printed as one line, exit code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
