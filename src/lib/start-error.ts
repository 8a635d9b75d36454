/**
 * The program cannot start. The message is one line for the operator that names what is wrong, where, and
 * what to do about it; the command line prints it without a stack.
 */
export class StartError extends Error {
  constructor(text: string, options: { readonly cause?: unknown } = {}) {
    super(text.replace(/\s*\n\s*/g, ' '), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'StartError';
  }
}
