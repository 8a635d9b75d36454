import { Failure } from '../lib/errors.ts';
import type { RunLimits } from '../vm/vm.ts';
import type { LiveCall } from './session.ts';

/** A call starts no further run after this time of TVM threads. One run is bounded by its gas, or by the VM's time limit. */
const MAX_CALL_VM_MS = 2000;

/**
 * Throws if the caller has used up its TVM time. Operations call it before they wait for anything, so that no other
 * caller has joined the call yet, who would get the refusal too.
 */
export function admitToVm({ ports, payer }: LiveCall): void {
  ports.vm.admit(payer);
}

/** The same for get-methods, which may run elsewhere. */
export function admitGetMethod(call: LiveCall): void {
  if (call.ports.getMethods === 'local') admitToVm(call);
}

/** The limits of a run of a call: it is charged to the caller, and counts for the call. */
export function runLimitsOf(call: LiveCall): RunLimits & { readonly timeoutMs: number } {
  if (call.vmMs > MAX_CALL_VM_MS)
    throw new Failure('timeout', `the runs of this call took more than ${MAX_CALL_VM_MS} ms`);
  return {
    timeoutMs: call.deadlineMs - performance.now(),
    signal: call.signal,
    payer: call.payer,
    onEnd: (ms) => {
      call.vmMs += ms;
    },
  };
}
