import { defineOperation } from '../../http/operation.ts';
import { getStateRootHash } from '../../lite/queries/get-state-root-hash.ts';
import type { V2Call } from '../call.ts';
import { getMasterchainInfoExamples } from '../examples/get-masterchain-info.ts';
import { openSession } from '../reads/open-session.ts';
import { MasterchainInfo, masterchainInfo } from '../shapes/masterchain-info.ts';

/** The newest masterchain block. */
export const getMasterchainInfo = defineOperation({
  name: 'getMasterchainInfo',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Newest masterchain block',
  description: 'With the hash of the state after it, and the zero state that the chain began with.',
  parameters: {},
  result: MasterchainInfo,
  cache: 'head',
  examples: getMasterchainInfoExamples,
  handler: async (_params, call: V2Call) => {
    const { memory, check, pool } = call.ports;
    const servers = pool(call.group);
    const session = await openSession(call, { seqno: servers.head?.seqno });
    // The server that was chosen may be behind others; what was told once must never be taken back.
    const last = servers.consensusBlock();
    const stateRoot = await memory.stateRoots.get(last.rootHash.toString('base64'), call, () =>
      session.run(({ query }) =>
        getStateRootHash((request) => query(request, { waitSeqno: last.seqno }), last, check),
      ),
    );
    return masterchainInfo(last, stateRoot, servers.zeroState);
  },
});
