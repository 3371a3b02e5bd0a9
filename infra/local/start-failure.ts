/** Starting cannot go on, for a reason that the person at the keyboard can mend. Printed as one line, exit code 1. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
}
