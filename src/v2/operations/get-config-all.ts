import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getConfigAllExamples } from '../examples/get-config-all.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readConfigAt } from '../reads/config-at.ts';
import { ConfigInfo, configInfo } from '../shapes/config-info.ts';

/** The network's configuration. */
export const getConfigAll = defineOperation({
  name: 'getConfigAll',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'The whole configuration',
  description: 'The cell is the root of a dictionary of parameters by their signed 32-bit numbers.',
  parameters: { seqno: masterchainSeqno() },
  result: ConfigInfo,
  cache: 'immutable',
  examples: [
    ...getConfigAllExamples,
    {
      title: 'the block before the first one',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: V2Call) => {
    const { cells, cell } = await readConfigAt(call, { seqno });
    call.lasting = seqno !== undefined;
    return configInfo(cells, cell);
  },
});
