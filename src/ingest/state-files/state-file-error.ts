/** A state file that cannot be used: which one, where, and why. */
export class StateFileError extends Error {
  override readonly name = 'StateFileError';
  readonly path: string;
  readonly reason: string;
  readonly at: number | undefined;

  /** `at` is an offset in the file; left out when it is about the whole file. */
  constructor(path: string, reason: string, at?: number | undefined) {
    super(at === undefined ? `${path}: ${reason}` : `${path} at byte ${at}: ${reason}`);
    this.path = path;
    this.reason = reason;
    this.at = at;
  }
}
