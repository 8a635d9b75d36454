import { defineOperation } from '../../http/operation.ts';
import type { V2Call } from '../call.ts';
import { getShardAccountCellExamples } from '../examples/get-shard-account-cell.ts';
import { accountRefusals } from '../params/account-refusals.ts';
import { address } from '../params/address.ts';
import { masterchainSeqno } from '../params/masterchain-seqno.ts';
import { readAccountAt } from '../reads/account-at.ts';
import { TvmCell } from '../shapes/cell-bytes.ts';
import { shardAccountCell } from '../shapes/shard-account-cell.ts';

/** An account as its shard lists it. */
export const getShardAccountCell = defineOperation({
  name: 'getShardAccountCell',
  methods: ['GET', 'POST'],
  tag: 'accounts',
  summary: 'An account as one cell',
  description: 'A ShardAccount: the account itself, and hash and logical time of its last transaction.',
  parameters: { address: address(), seqno: masterchainSeqno() },
  result: TvmCell,
  cache: 'immutable',
  examples: [...getShardAccountCellExamples, ...accountRefusals],
  handler: async ({ address, seqno }, call: V2Call) => {
    const { proven } = await readAccountAt(call, address, seqno);
    call.lasting = seqno !== undefined;
    return shardAccountCell(proven);
  },
});
