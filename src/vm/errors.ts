import { Failure } from '../lib/errors.ts';

/** More jobs wait than may. */
export class VmOverloaded extends Failure {
  constructor() {
    super('overloaded', 'too many runs wait for the virtual machine', { retryAfterSeconds: 1 });
    this.name = 'VmOverloaded';
  }
}

/** The time that a job may take in all, waiting included, is over. */
export class VmTimeout extends Failure {
  constructor() {
    super('timeout', 'the virtual machine did not answer in time');
    this.name = 'VmTimeout';
  }
}

/** A run went on for longer than any may; its thread was ended. */
export class VmRunTooLong extends Failure {
  constructor(limitMs: number) {
    super('timeout', `the run took more than ${limitMs} ms`);
    this.name = 'VmRunTooLong';
  }
}

/** The virtual machine broke down over a job. */
export class VmCrash extends Failure {
  constructor(what: string, cause?: unknown) {
    super('internal', 'the virtual machine failed', { details: { what }, cause });
    this.name = 'VmCrash';
  }
}

/** The emulator could make nothing of what it was given, or could not write down what came out. */
export class VmRefusal extends Failure {
  constructor(what: string) {
    super('internal', 'the virtual machine could not run this', { details: { what } });
    this.name = 'VmRefusal';
  }
}

/** The virtual machine was closed. */
export class VmClosed extends Failure {
  constructor() {
    super('unavailable', 'the virtual machine is closed');
    this.name = 'VmClosed';
  }
}
