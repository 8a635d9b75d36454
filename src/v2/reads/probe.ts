import { MethodAnswer } from '../../chain/contracts/method-answer.ts';
import { refuse } from '../../chain/contracts/not-that.ts';
import type { Probe } from '../../chain/contracts/probe.ts';
import { methodIdOfName } from '../../chain/stack/method-id.ts';
import type { V2Call } from '../call.ts';
import { type AccountAt, accountBeside } from './account-at.ts';
import { contractOf } from './contract.ts';
import { runGetMethod } from './run-get-method.ts';

/** An account to be asked by its get-methods, as it was read; throws NotThat if it has no code. */
export function probeOf(call: V2Call, at: AccountAt): Probe {
  const { account } = contractOf(call.ports.memory, at.proven) ?? refuse('no code');
  return {
    account,
    async run(method, args = []) {
      const { exitCode, stack } = await runGetMethod(call, at, methodIdOfName(method), args);
      return exitCode === 0 ? new MethodAnswer(stack) : refuse(`exit code ${exitCode}`);
    },
    beside: async (other) => probeOf(call, await accountBeside(call, at, other)),
  };
}
