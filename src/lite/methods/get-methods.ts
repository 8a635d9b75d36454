import type { AccountId } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { readAccountId, readBlockId, writeAccountId, writeBlockId } from '../../chain/tl/ids.ts';
import { hasBit, isGiven, type LiteMethodCodec, type TlType } from '../../chain/tl/tl.ts';
import { type AccountQuestion, checkAccountState, type ProvenAccount } from './accounts.ts';
import { type Ask, askProvable } from './ask.ts';
import { type CheckOptions, refuse, runProofCheck } from './proofs.ts';

/** `liteServer.runMethodResult`: what a get-method gave. Bits of the mode say which of the optional parts are there. */
export interface RunMethodResult {
  readonly mode: number;
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  /** Bit 0. */
  readonly shardProof?: Buffer | undefined;
  /** Bit 0. */
  readonly proof?: Buffer | undefined;
  /** Bit 1. */
  readonly stateProof?: Buffer | undefined;
  /** Bit 3. */
  readonly initC7?: Buffer | undefined;
  /** Bit 4. */
  readonly libExtras?: Buffer | undefined;
  readonly exitCode: number;
  /** Bit 2: the stack. */
  readonly result?: Buffer | undefined;
}

const runMethodResult: TlType<RunMethodResult> = {
  name: 'liteServer.runMethodResult',
  id: 0xa39a616b,
  write(w, result) {
    const { mode } = result;
    w.uint(mode);
    writeBlockId(w, result.id);
    writeBlockId(w, result.shardBlock);
    if (isGiven(mode, 0, result.shardProof, 'shardProof')) w.bytes(result.shardProof);
    if (isGiven(mode, 0, result.proof, 'proof')) w.bytes(result.proof);
    if (isGiven(mode, 1, result.stateProof, 'stateProof')) w.bytes(result.stateProof);
    if (isGiven(mode, 3, result.initC7, 'initC7')) w.bytes(result.initC7);
    if (isGiven(mode, 4, result.libExtras, 'libExtras')) w.bytes(result.libExtras);
    w.int(result.exitCode);
    if (isGiven(mode, 2, result.result, 'result')) w.bytes(result.result);
  },
  read(r) {
    const mode = r.uint();
    return {
      mode,
      id: readBlockId(r),
      shardBlock: readBlockId(r),
      shardProof: hasBit(mode, 0) ? r.bytes() : undefined,
      proof: hasBit(mode, 0) ? r.bytes() : undefined,
      stateProof: hasBit(mode, 1) ? r.bytes() : undefined,
      initC7: hasBit(mode, 3) ? r.bytes() : undefined,
      libExtras: hasBit(mode, 4) ? r.bytes() : undefined,
      exitCode: r.int(),
      result: hasBit(mode, 2) ? r.bytes() : undefined,
    };
  },
};

/** Request of `runSmcMethod`; bits of the mode ask for the optional parts of the answer. */
interface RunSmcMethod {
  readonly method: 'runSmcMethod';
  readonly mode: number;
  readonly id: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of cells of the stack; empty for no arguments. */
  readonly params: Buffer;
}

/** `liteServer.runSmcMethod`: runs a get-method on the server. */
export const runSmcMethodCodec: LiteMethodCodec<RunSmcMethod, RunMethodResult> = {
  name: 'liteServer.runSmcMethod',
  id: 0x5cc65dd2,
  answer: runMethodResult,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
    w.long(request.methodId);
    w.bytes(request.params);
  },
  read: (r) => ({
    method: 'runSmcMethod',
    mode: r.uint(),
    id: readBlockId(r),
    account: readAccountId(r),
    methodId: r.long(),
    params: r.bytes(),
  }),
};

/** A get-method to run. */
interface GetMethodCall {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of the stack; empty for no arguments. */
  readonly params: Buffer;
}

const WITH_RESULT = 4;

/** Runs a get-method on the server. The account that it ran on is proven, its result is not. */
export async function runSmcMethod(
  ask: Ask,
  call: GetMethodCall,
  options: CheckOptions,
): Promise<RemoteGetMethodResult> {
  const { block, account, methodId, params } = call;
  const mode = WITH_RESULT | RUN_WITH_PROOFS;
  const request = { method: 'runSmcMethod', mode, id: block, account, methodId, params } as const;
  const answer = await askProvable(ask, runSmcMethodCodec, request, 'VALIDATE_ACCOUNT_STATE');
  return checkRunMethod(answer, { block, account }, options);
}

/** What a get-method gave on the server: nothing proves it, but the account it ran on is proven. */
interface RemoteGetMethodResult {
  readonly exitCode: number;
  /** The bag of the stack, if it was asked for. */
  readonly result: Buffer | undefined;
  /** The account, without what the method did not read. */
  readonly account: ProvenAccount;
}

/** Bits of the mode that ask for the proofs of account and shard, and for that of the account's state. */
const RUN_WITH_PROOFS = 1 | 2;

/** Checks the answer of runSmcMethod that was asked for with all proofs. */
export function checkRunMethod(
  answer: RunMethodResult,
  { block, account }: AccountQuestion,
  options: CheckOptions,
): RemoteGetMethodResult {
  const { shardProof, proof, stateProof, exitCode, result } = answer;
  if (shardProof === undefined || proof === undefined || stateProof === undefined)
    return runProofCheck('VALIDATE_ACCOUNT_STATE', () => refuse('the answer is without proofs'));
  const state = { id: answer.id, shardBlock: answer.shardBlock, shardProof, proof, state: stateProof };
  const proven = checkAccountState(state, { block, account, form: 'proof' }, options);
  return { exitCode, result, account: proven };
}
