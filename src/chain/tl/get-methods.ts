import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { type AccountId, readAccountId, readBlockId, writeAccountId, writeBlockId } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

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
export interface RunSmcMethod {
  readonly method: 'runSmcMethod';
  readonly mode: number;
  readonly id: BlockId;
  readonly account: AccountId;
  readonly methodId: bigint;
  /** The bag of cells of the stack; empty for no arguments. */
  readonly params: Buffer;
}

/** `liteServer.runSmcMethod`: runs a get-method on the server. */
export const runSmcMethod: LiteFunction<RunSmcMethod, RunMethodResult> = {
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
