import { liteMethod, liteType, type TlValue, tl } from '../../chain/tl/fields.ts';

// Statements of a server about itself; nothing proves them.

// liteServer.masterchainInfo last:tonNode.blockIdExt state_root_hash:int256 init:tonNode.zeroStateIdExt =
//   liteServer.MasterchainInfo
const masterchainInfo = liteType('masterchainInfo', 0x85832881, {
  last: tl.blockId,
  stateRootHash: tl.int256,
  init: tl.zeroStateId,
});

/** The newest masterchain block of a server, and the zero state of its chain. */
export type MasterchainInfo = TlValue<typeof masterchainInfo>;

/** liteServer.getMasterchainInfo = liteServer.MasterchainInfo */
export const getMasterchainInfoCodec = liteMethod('getMasterchainInfo', 0x89b5e62e, {}, masterchainInfo);

// liteServer.masterchainInfoExt mode:# version:int capabilities:long last:tonNode.blockIdExt last_utime:int
//   now:int state_root_hash:int256 init:tonNode.zeroStateIdExt = liteServer.MasterchainInfoExt
const masterchainInfoExt = liteType('masterchainInfoExt', 0xa8cce0f5, {
  mode: tl.uint,
  version: tl.int,
  capabilities: tl.long,
  last: tl.blockId,
  lastUtime: tl.uint,
  now: tl.uint,
  stateRootHash: tl.int256,
  init: tl.zeroStateId,
});

// liteServer.getMasterchainInfoExt mode:# = liteServer.MasterchainInfoExt
export const getMasterchainInfoExtCodec = liteMethod(
  'getMasterchainInfoExt',
  0x70a671df,
  { mode: tl.uint },
  masterchainInfoExt,
);

// liteServer.currentTime now:int = liteServer.CurrentTime
const currentTime = liteType('currentTime', 0xe953000d, { now: tl.uint });

/** liteServer.getTime = liteServer.CurrentTime */
export const getTimeCodec = liteMethod('getTime', 0x16ad5a34, {}, currentTime);

// liteServer.version mode:# version:int capabilities:long now:int = liteServer.Version
const version = liteType('version', 0x5a0491e5, {
  mode: tl.uint,
  /** 256 times the major number plus the minor one. */
  version: tl.int,
  capabilities: tl.long,
  now: tl.uint,
});

/** liteServer.getVersion = liteServer.Version */
export const getVersionCodec = liteMethod('getVersion', 0x232b940b, {}, version);
