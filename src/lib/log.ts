/** A logger as rooms use it; every pino logger is one. */
export interface Log {
  info(details: object, text: string): void;
  warn(details: object, text: string): void;
  error(details: object, text: string): void;
}

/** Where a command writes text: a stream, or a stand-in for one. */
export interface TextOutput {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}
