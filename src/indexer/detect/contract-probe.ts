import { accountKey } from '../../chain/address/account-key.ts';
import type { MethodAnswer } from '../../chain/contracts/method-answer.ts';
import { refuse } from '../../chain/contracts/not-that.ts';
import type { Probe } from '../../chain/contracts/probe.ts';
import type { StackEntry } from '../../chain/stack/stack-entry.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { bytesOf, keyOf } from '../hash-key.ts';
import type { HeldContract } from './held-contract.ts';
import type { MethodRunner } from './method-runner.ts';
import { NO_CONTRACT, type Other } from './other-contracts.ts';

/** What probes of one batch have in common. */
export interface ProbeGround {
  readonly runner: MethodRunner;
  /** Another contract, ready to be run; throws Undecided when it is not to be had now. */
  readonly find: (key: string) => Promise<Other>;
}

/** A contract as detectors see it, at a time in unix seconds. */
export class ContractProbe implements Probe {
  readonly account: AccountId;
  readonly codeHash: Buffer;
  readonly #ground: ProbeGround;
  readonly #contract: HeldContract;
  readonly #utime: number;

  constructor(ground: ProbeGround, contract: HeldContract, utime: number) {
    const account = bytesOf(contract.key);
    this.account = { workchain: account.readInt8(0), hash: account.subarray(1) };
    this.codeHash = bytesOf(contract.code.key);
    this.#ground = ground;
    this.#contract = contract;
    this.#utime = utime;
  }

  run(method: string, args: readonly StackEntry[] = []): Promise<MethodAnswer> {
    return heard(this.#ground.runner.run(this.#contract, this.#utime, method, args));
  }

  beside(account: AccountId): Promise<Probe> {
    return heard(probeAt(this.#ground, account, this.#utime));
  }
}

/** A failure that a detector does not wait for, since another came first, must not end the process. */
function heard<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  return work;
}

/** A probe of an account; throws NotThat when it has no code. */
export async function probeAt(
  ground: ProbeGround,
  { workchain, hash }: AccountId,
  utime: number,
): Promise<Probe> {
  const other = await ground.find(keyOf(accountKey(workchain, hash)));
  return other === NO_CONTRACT ? refuse('no contract') : new ContractProbe(ground, other, utime);
}
