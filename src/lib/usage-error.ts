/** A mistake in how a command was called; its message is meant for the person at the terminal. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
