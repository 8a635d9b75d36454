import type { BlockId } from '../../chain/block-id.ts';
import {
  readBlockId,
  readZeroStateId,
  writeBlockId,
  writeZeroStateId,
  type ZeroStateId,
} from '../../chain/tl/ids.ts';
import type { LiteMethodCodec, TlType } from '../../chain/tl/tl.ts';
import { type Ask, askUnproven } from './ask.ts';

/** `liteServer.masterchainInfo`: the server's newest masterchain block. */
export interface MasterchainInfo {
  readonly last: BlockId;
  readonly stateRootHash: Buffer;
  readonly init: ZeroStateId;
}

/** `liteServer.masterchainInfoExt`: the same with the server's version and clocks. Times are unix seconds. */
interface MasterchainInfoExt extends MasterchainInfo {
  readonly mode: number;
  readonly version: number;
  readonly capabilities: bigint;
  readonly lastUtime: number;
  readonly now: number;
}

/** `liteServer.currentTime`: the server's clock in unix seconds. */
interface CurrentTime {
  readonly now: number;
}

/** `liteServer.version`. */
interface Version {
  readonly mode: number;
  /** 256 times the major number plus the minor one. */
  readonly version: number;
  readonly capabilities: bigint;
  readonly now: number;
}

const masterchainInfo: TlType<MasterchainInfo> = {
  name: 'liteServer.masterchainInfo',
  id: 0x85832881,
  write(w, info) {
    writeBlockId(w, info.last);
    w.int256(info.stateRootHash);
    writeZeroStateId(w, info.init);
  },
  read: (r) => ({ last: readBlockId(r), stateRootHash: r.int256(), init: readZeroStateId(r) }),
};

const masterchainInfoExt: TlType<MasterchainInfoExt> = {
  name: 'liteServer.masterchainInfoExt',
  id: 0xa8cce0f5,
  write(w, info) {
    w.uint(info.mode);
    w.int(info.version);
    w.long(info.capabilities);
    writeBlockId(w, info.last);
    w.uint(info.lastUtime);
    w.uint(info.now);
    w.int256(info.stateRootHash);
    writeZeroStateId(w, info.init);
  },
  read: (r) => ({
    mode: r.uint(),
    version: r.int(),
    capabilities: r.long(),
    last: readBlockId(r),
    lastUtime: r.uint(),
    now: r.uint(),
    stateRootHash: r.int256(),
    init: readZeroStateId(r),
  }),
};

const currentTime: TlType<CurrentTime> = {
  name: 'liteServer.currentTime',
  id: 0xe953000d,
  write: (w, time) => w.uint(time.now),
  read: (r) => ({ now: r.uint() }),
};

const version: TlType<Version> = {
  name: 'liteServer.version',
  id: 0x5a0491e5,
  write(w, answer) {
    w.uint(answer.mode);
    w.int(answer.version);
    w.long(answer.capabilities);
    w.uint(answer.now);
  },
  read: (r) => ({ mode: r.uint(), version: r.int(), capabilities: r.long(), now: r.uint() }),
};

/** Request of `getMasterchainInfo`. */
interface GetMasterchainInfo {
  readonly method: 'getMasterchainInfo';
}

/** Request of `getMasterchainInfoExt`; servers know mode 0 only. */
interface GetMasterchainInfoExt {
  readonly method: 'getMasterchainInfoExt';
  readonly mode: number;
}

/** Request of `getTime`. */
interface GetTime {
  readonly method: 'getTime';
}

/** Request of `getVersion`. */
interface GetVersion {
  readonly method: 'getVersion';
}

/** `liteServer.getMasterchainInfo`: the newest masterchain block the server knows. */
export const getMasterchainInfoCodec: LiteMethodCodec<GetMasterchainInfo, MasterchainInfo> = {
  name: 'liteServer.getMasterchainInfo',
  id: 0x89b5e62e,
  answer: masterchainInfo,
  write() {},
  read: () => ({ method: 'getMasterchainInfo' }),
};

/** `liteServer.getMasterchainInfoExt`: the same, with the server's version and clocks. */
export const getMasterchainInfoExtCodec: LiteMethodCodec<GetMasterchainInfoExt, MasterchainInfoExt> = {
  name: 'liteServer.getMasterchainInfoExt',
  id: 0x70a671df,
  answer: masterchainInfoExt,
  write: (w, request) => w.uint(request.mode),
  read: (r) => ({ method: 'getMasterchainInfoExt', mode: r.uint() }),
};

/** `liteServer.getTime`: the server's clock. */
export const getTimeCodec: LiteMethodCodec<GetTime, CurrentTime> = {
  name: 'liteServer.getTime',
  id: 0x16ad5a34,
  answer: currentTime,
  write() {},
  read: () => ({ method: 'getTime' }),
};

/** `liteServer.getVersion`: the version and capabilities of the server. */
export const getVersionCodec: LiteMethodCodec<GetVersion, Version> = {
  name: 'liteServer.getVersion',
  id: 0x232b940b,
  answer: version,
  write() {},
  read: () => ({ method: 'getVersion' }),
};

/** The newest masterchain block that a server knows; nothing proves it. */
export function getMasterchainInfo(ask: Ask): Promise<MasterchainInfo> {
  return askUnproven(ask, getMasterchainInfoCodec, { method: 'getMasterchainInfo' });
}

/** The same with the server's version, capabilities and clocks. */
export function getMasterchainInfoExt(ask: Ask): Promise<MasterchainInfoExt> {
  return askUnproven(ask, getMasterchainInfoExtCodec, { method: 'getMasterchainInfoExt', mode: 0 });
}

/** A server's clock, in unix seconds. */
export async function getTime(ask: Ask): Promise<number> {
  const { now } = await askUnproven(ask, getTimeCodec, { method: 'getTime' });
  return now;
}

/** The version, capabilities and clock of a server. */
export function getVersion(ask: Ask): Promise<Version> {
  return askUnproven(ask, getVersionCodec, { method: 'getVersion' });
}
