import { configParam } from '../../chain/tlb/config.ts';
import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getConfigParamExamples } from '../examples/get-config-param.ts';
import { chooseIndex, configIndex } from '../params/config-index.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readConfigAt } from '../reads/config-at.ts';
import { ConfigInfo, configInfo } from '../shapes/config-info.ts';

const NOT_ONE = 'failed to validate request: only one of config_id or param should be specified';

/** One parameter of the network's configuration. */
export const getConfigParam = defineOperation({
  name: 'getConfigParam',
  methods: ['GET', 'POST'],
  tag: 'config',
  summary: 'A parameter of the configuration',
  description: 'Name it by `param` or by `config_id`. A parameter that does not exist has empty `bytes`.',
  parameters: {
    param: configIndex('Number of the parameter.'),
    config_id: configIndex('The same under its old name.'),
    seqno: masterchainSeqno(),
  },
  result: ConfigInfo,
  cache: 'immutable',
  examples: [
    ...getConfigParamExamples,
    { title: 'no number', params: {}, failure: { code: 422, text: NOT_ONE } },
    {
      title: 'a negative number',
      params: { config_id: -5 },
      failure: { code: 422, text: 'failed to validate request: param should be non-negative' },
    },
    {
      title: 'not a number',
      params: { param: 'all' },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse param',
          body: "failed to parse post request: Error at path 'param': failed to parse param",
        },
      },
    },
  ],
  handler: async ({ param, config_id, seqno }, call: V2Call) => {
    const index = chooseIndex(param, config_id);
    const { cells, cell } = await readConfigAt(call, { seqno, params: [index] });
    call.lasting = seqno !== undefined;
    return configInfo(cells, configParam(cells, cell, index));
  },
});
