import type { MasterchainInfo, MasterchainInfoExt } from '../../chain/tl/masterchain.ts';
import type { Ask } from './ask.ts';
import { askPlainly } from './ask-for.ts';

/** The newest masterchain block that a server knows; nothing proves it. */
export function getMasterchainInfo(ask: Ask): Promise<MasterchainInfo> {
  return askPlainly(ask, { method: 'getMasterchainInfo' });
}

/** The same with the server's version, capabilities and clocks. */
export function getMasterchainInfoExt(ask: Ask): Promise<MasterchainInfoExt> {
  return askPlainly(ask, { method: 'getMasterchainInfoExt', mode: 0 });
}
