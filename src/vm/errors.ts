import { Failure } from '../lib/errors.ts';

export class VmOverloaded extends Failure {
  constructor() {
    super('overloaded', 'too many runs wait for the virtual machine', { retryAfterSeconds: 1 });
  }
}

/** A job was not done in time, waiting included. */
export class VmTimeout extends Failure {
  constructor() {
    super('timeout', 'the virtual machine did not answer in time');
  }
}

/** A run exceeded the time limit; its thread was ended. */
export class VmRunTooLong extends Failure {
  constructor(limitMs: number) {
    super('timeout', `the run took more than ${limitMs} ms`);
  }
}

export class VmCrash extends Failure {
  constructor(what: string, cause?: unknown) {
    super('internal', 'the virtual machine failed', { details: { what }, cause });
  }
}

/** The emulator could not read its input, or not serialise its output. */
export class VmRefusal extends Failure {
  constructor(what: string) {
    super('internal', 'the virtual machine could not run this', { details: { what } });
  }
}

export class VmClosed extends Failure {
  constructor() {
    super('unavailable', 'the virtual machine is closed');
  }
}
