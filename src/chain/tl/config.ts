import type { BlockId } from '../block-id.ts';
import { hasBit, isGiven } from './mode-bits.ts';
import { readBlockId, writeBlockId } from './names.ts';
import type { LiteFunction, TlType } from './tl-type.ts';

/** `liteServer.configInfo`: configuration parameters as Merkle proofs. */
export interface ConfigInfo {
  readonly mode: number;
  readonly id: BlockId;
  readonly stateProof: Buffer;
  readonly configProof: Buffer;
}

/** `liteServer.validatorStats`: counts of blocks that validators made, as Merkle proofs. */
export interface ValidatorStats {
  readonly mode: number;
  readonly id: BlockId;
  readonly count: number;
  readonly complete: boolean;
  readonly stateProof: Buffer;
  readonly dataProof: Buffer;
}

const configInfo: TlType<ConfigInfo> = {
  name: 'liteServer.configInfo',
  id: 0xae7b272f,
  write(w, info) {
    w.uint(info.mode);
    writeBlockId(w, info.id);
    w.bytes(info.stateProof);
    w.bytes(info.configProof);
  },
  read: (r) => ({ mode: r.uint(), id: readBlockId(r), stateProof: r.bytes(), configProof: r.bytes() }),
};

const validatorStats: TlType<ValidatorStats> = {
  name: 'liteServer.validatorStats',
  id: 0xb9f796d8,
  write(w, stats) {
    w.uint(stats.mode);
    writeBlockId(w, stats.id);
    w.int(stats.count);
    w.bool(stats.complete);
    w.bytes(stats.stateProof);
    w.bytes(stats.dataProof);
  },
  read: (r) => ({
    mode: r.uint(),
    id: readBlockId(r),
    count: r.int(),
    complete: r.bool(),
    stateProof: r.bytes(),
    dataProof: r.bytes(),
  }),
};

/** Request of `getConfigAll`. */
export interface GetConfigAll {
  readonly method: 'getConfigAll';
  readonly mode: number;
  readonly id: BlockId;
}

/** `liteServer.getConfigAll`: the whole configuration at a block. */
export const getConfigAll: LiteFunction<GetConfigAll, ConfigInfo> = {
  name: 'liteServer.getConfigAll',
  id: 0x911b26b7,
  answer: configInfo,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
  },
  read: (r) => ({ method: 'getConfigAll', mode: r.uint(), id: readBlockId(r) }),
};

/** Request of `getConfigParams`; parameter numbers are signed. */
export interface GetConfigParams {
  readonly method: 'getConfigParams';
  readonly mode: number;
  readonly id: BlockId;
  readonly paramList: readonly number[];
}

/** `liteServer.getConfigParams`: chosen parameters at a block. */
export const getConfigParams: LiteFunction<GetConfigParams, ConfigInfo> = {
  name: 'liteServer.getConfigParams',
  id: 0x2a111c19,
  answer: configInfo,
  write(w, request) {
    w.uint(request.mode);
    writeBlockId(w, request.id);
    w.vector(request.paramList, (writer, param) => writer.int(param));
  },
  read: (r) => ({
    method: 'getConfigParams',
    mode: r.uint(),
    id: readBlockId(r),
    paramList: r.vector(4, (reader) => reader.int()),
  }),
};

/** Request of `getValidatorStats`; bit 0 of the mode goes with `startAfter`, bit 2 with `modifiedAfter` (unix seconds). */
export interface GetValidatorStats {
  readonly method: 'getValidatorStats';
  readonly mode: number;
  readonly id: BlockId;
  readonly limit: number;
  readonly startAfter?: Buffer | undefined;
  readonly modifiedAfter?: number | undefined;
}

/** `liteServer.getValidatorStats`: how many blocks validators made. */
export const getValidatorStats: LiteFunction<GetValidatorStats, ValidatorStats> = {
  name: 'liteServer.getValidatorStats',
  id: 0x091a58bc,
  answer: validatorStats,
  write(w, request) {
    const { mode } = request;
    w.uint(mode);
    writeBlockId(w, request.id);
    w.int(request.limit);
    if (isGiven(mode, 0, request.startAfter, 'startAfter')) w.int256(request.startAfter);
    if (isGiven(mode, 2, request.modifiedAfter, 'modifiedAfter')) w.uint(request.modifiedAfter);
  },
  read(r) {
    const mode = r.uint();
    return {
      method: 'getValidatorStats',
      mode,
      id: readBlockId(r),
      limit: r.int(),
      startAfter: hasBit(mode, 0) ? r.int256() : undefined,
      modifiedAfter: hasBit(mode, 2) ? r.uint() : undefined,
    };
  },
};
