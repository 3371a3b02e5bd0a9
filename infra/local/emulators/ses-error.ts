/** An SES error response. The code is one of SES's own, for example `Throttling`. */
export class SesError extends Error {
  override readonly name = 'SesError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

export const invalidParameter = (message: string) => new SesError('InvalidParameterValue', message);
